"""Parley started the way a person starts it: from a copy of the checkout, by the documented commands."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
LEFT_BEHIND = shutil.ignore_patterns(
    ".git",
    ".venv",
    ".web",
    ".states",
    ".parley",
    "external",
    "__pycache__",
    "*_cache",
    ".hypothesis",
    "*.egg-info",
)
pytestmark = pytest.mark.live

A_LONG_RUN = {
    "threadId": "t1",
    "runId": "r1",
    "messages": [{"id": "m1", "role": "user", "content": "Tell me a long story"}],
    "tools": [],
    "context": [],
    "state": {},
    "forwardedProps": {},
}


class Started:
    """A command that starts Parley, in a process group of its own as in a terminal."""

    def __init__(self, command: list[str], folder: Path, environment: dict[str, str]) -> None:
        self.process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self.said: list[str] = []

    def ready(self) -> list[str]:
        """Read until Parley says that it is ready; return every line so far."""
        for line in self.process.stdout:
            self.said.append(line.rstrip())
            if line.startswith("Parley is ready on "):
                return self.said
        pytest.fail("it never became ready:\n" + "\n".join(self.said))

    @property
    def url(self) -> str:
        return self.said[-1].removeprefix("Parley is ready on ")

    def ended(self, *, within: float = 60) -> tuple[int, list[str]]:
        """Wait for the end; return the exit code and the lines said since."""
        rest, _ = self.process.communicate(timeout=within)
        return self.process.returncode, rest.splitlines()

    def kill(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()


@pytest.fixture
def begin() -> Iterator:
    """Start commands; whatever still runs at the end of the test is killed with all its processes."""
    running: list[Started] = []

    def start(command: list[str], folder: Path, environment: dict[str, str]) -> Started:
        running.append(Started(command, folder, environment))
        return running[-1]

    yield start
    for started in running:
        started.kill()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of somebody who has nothing: an empty home, no active venv, no settings."""
    ours = {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PARLEY_CONFIG"}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    kept["PATH"] = os.pathsep.join(part for part in kept["PATH"].split(os.pathsep) if ".venv" not in part)
    return {**kept, "HOME": str(tmp_path_factory.mktemp("home"))}


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout in which nothing was ever installed or built."""
    return shutil.copytree(ROOT, tmp_path_factory.mktemp("clone") / "parley", ignore=LEFT_BEHIND)


@pytest.fixture(scope="module")
def first_start(clone: Path, home: dict[str, str]) -> list[str]:
    """What `make run` said the first time. The server has been killed since, with all its processes."""
    started = Started(make_run(f"PORT={a_free_port()}"), clone, home)
    try:
        said = started.ready()
        page = httpx.get(started.url)
        assert page.status_code == 200
        assert "<html" in page.text
    finally:
        started.kill()
    return said


def make_run(*arguments: str) -> list[str]:
    return ["make", "--no-print-directory", "run", f"PYTHON={base_python()}", *arguments]


def base_python() -> str:
    """The interpreter this test run's own environment was made from."""
    return str(Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}"))


def a_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def test_the_readme_begins_with_the_commands_that_are_tested_here():
    _, block, *_ = (ROOT / "README.md").read_text("utf-8").split("```")
    assert block.split("\n") == ["", "make run", "make test", ""]


def test_make_test_is_there_and_runs_pytest(clone, home):
    plan = subprocess.run(
        ["make", "--dry-run", "test"],
        cwd=clone,
        env=home,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert ".venv/bin/pytest" in plan.stdout


def test_the_first_start_does_everything_and_prints_the_url(first_start: list[str]):
    *steps, ready = first_start
    assert steps == [
        "Making .venv ...",
        "Installing the packages of requirements.lock ...",
        "Bringing the database up to date ...",
        "Building the page ...",
    ]
    assert ready.startswith("Parley is ready on http://localhost:")


def test_the_second_start_builds_nothing_also_on_another_port(first_start, clone, home, begin):
    port = a_free_port()
    started = begin(make_run(), clone, {**home, "PARLEY_PORT": str(port)})
    assert started.ready() == [f"Parley is ready on http://localhost:{port}"]
    assert httpx.get(started.url).status_code == 200


def test_the_script_is_there_beside_make(first_start, clone, home, begin):
    doctor = begin([str(clone / ".venv" / "bin" / "parley"), "doctor"], clone, home)
    code, said = doctor.ended()
    assert code == 0, said
    assert "ok   page: built" in said


def test_a_start_leaves_the_checkout_as_it_was(first_start, clone):
    made_by_reflex = [
        ".gitignore",
        "reflex.lock/package.json",
        "reflex.lock/bun.lock",
        "bunfig.toml",
        ".npmrc",
    ]
    assert [
        name for name in made_by_reflex if (clone / name).read_bytes() != (ROOT / name).read_bytes()
    ] == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_in_time_although_an_answer_streams(first_start, clone, home, begin, number):
    port = a_free_port()
    started = begin(make_run(f"PORT={port}"), clone, {**home, "PARLEY_AGENT_PACE": "0.5"})
    started.ready()
    token = (clone / ".parley" / "agent-token").read_text()
    headers = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    with httpx.stream("POST", f"{started.url}/agent", json=A_LONG_RUN, headers=headers) as answer:
        assert answer.status_code == 200
        assert "RUN_STARTED" in next(answer.iter_text())
        os.killpg(started.process.pid, number)
        started.process.wait(timeout=60)
    with pytest.raises(httpx.ConnectError):
        httpx.get(started.url)


# ---- what cannot work ends in one sentence. These need no venv of their own, so they share this one.


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(ROOT, tmp_path / "parley", ignore=LEFT_BEHIND)


def refused(begin, folder: Path, home: dict[str, str], *arguments: str, **settings: str) -> list[str]:
    """Run a command that must end with 1; return all it said."""
    started = begin([sys.executable, "-m", "chat_app", *arguments], folder, {**home, **settings})
    code, said = started.ended()
    assert code == 1, said
    assert "Traceback" not in "\n".join(said)
    return said


def test_a_taken_port_is_said(copy, home, begin):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        said = refused(begin, copy, home, "run", "--port", str(port))
    another = f"make run PORT={port + 1}, or parley run --port {port + 1}"
    assert said == [f"Port {port} is taken by another program; choose another: {another}."]


def test_an_address_for_everybody_is_refused_without_accounts(copy, home, begin):
    (sentence,) = refused(begin, copy, home, "run", "--host", "0.0.0.0")
    assert sentence.startswith("Parley has no accounts configured")


def test_a_python_too_old_is_said(copy, home, begin):
    started = begin([sys.executable, "scripts/bootstrap.py", "--as-python", "3.9"], copy, home)
    code, (sentence,) = started.ended()
    assert code == 1
    assert sentence.startswith("Parley needs Python 3.11 to 3.14, and this is Python 3.9; ")


NO_NETWORK = ("unshare", "--net", "sh", "-c", 'ip link set lo up; exec "$@"', "sh")
READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'


def test_a_read_only_folder_is_said(copy, home, begin):
    command = [sys.executable, str(copy / "scripts" / "bootstrap.py")]
    if os.geteuid() == 0:  # modes do not bind root, mounts do
        command = ["unshare", "--mount", "sh", "-c", READ_ONLY, str(copy), *command]
    else:
        copy.chmod(0o555)
    code, (sentence,) = begin(command, copy, home).ended()
    copy.chmod(0o755)
    assert code == 1
    assert sentence.startswith(f"Parley keeps its packages in {copy}/.venv, which cannot be written (")


def test_a_data_folder_that_cannot_be_is_said(copy, home, begin):
    (copy / "file").touch()
    port = str(a_free_port())
    folder = str(copy / "file" / "data")
    (sentence,) = refused(begin, copy, home, "run", "--port", port, PARLEY_DATA_DIR=folder)
    assert sentence == (
        f"The folder {folder} cannot be written (Not a directory); "
        "set PARLEY_DATA_DIR to a folder of your own."
    )


def test_a_broken_migration_is_said_and_its_traceback_kept(copy, home, begin):
    broken = "revision = '9999'\ndown_revision = '{}'\ndef upgrade():\n    raise RuntimeError('half of it')\n"
    last = max(path.name for path in (copy / "alembic" / "versions").glob("[0-9]*.py"))
    (copy / "alembic" / "versions" / "9999_broken.py").write_text(broken.format(last.partition("_")[0]))
    said = refused(begin, copy, home, "run", "--port", str(a_free_port()))
    assert said[0] == "Bringing the database up to date ..."
    (sentence,) = said[1:]
    assert "half of it" in sentence
    assert sentence.endswith(f"The details are in {copy}/.parley/logs/parley.log.")
    assert "RuntimeError: half of it" in (copy / ".parley" / "logs" / "parley.log").read_text()


def test_an_unknown_setting_is_said(copy, home, begin):
    (sentence,) = refused(begin, copy, home, "run", PARLEY_AGENT_ULR="http://127.0.0.1:8001")
    assert sentence.endswith("the nearest is PARLEY_AGENT_URL.")


def test_a_build_without_a_network_is_said(copy, home, begin):
    if os.geteuid() != 0:
        pytest.skip("only root can take the network away from a process")
    command = [*NO_NETWORK, sys.executable, "-m", "chat_app", "run", "--port", str(a_free_port())]
    code, said = begin(command, copy, {**home, "HOME": str(copy)}).ended(within=200)
    assert code == 1
    assert said[-1] == (
        "The page could not be built: the JavaScript packages could not be downloaded: there is no connection "
        f"to their registry. The full log is {copy}/.parley/logs/build.log."
    )


def test_a_page_that_does_not_compile_is_said_with_its_log(copy, home, begin):
    with (copy / "chat_app" / "pages" / "__init__.py").open("a") as page:
        page.write("\nraise LookupError('a page of somebody')\n")
    said = refused(begin, copy, home, "run", "--port", str(a_free_port()))
    assert said[-1] == (
        "The page could not be built: LookupError: a page of somebody. "
        f"The full log is {copy}/.parley/logs/build.log."
    )
