"""The server is started as itself, in a process of its own, around a small application."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest

from chat_app.cli.serve import Server, environment
from chat_app.cli.worker import SAID_WHY
from chat_app.settings import PROJECT_ROOT, Settings

APPLICATION = """
import asyncio
import os
from contextlib import asynccontextmanager
from pathlib import Path
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route


@asynccontextmanager
async def lifespan(app):
    yield
    Path("ended").write_text("in order")


async def stream(request):
    async def endless():
        yield "first"
        await asyncio.Event().wait()

    return StreamingResponse(endless())


async def answer(request):
    return PlainTextResponse(os.environ["REFLEX_API_URL"])


def app():
    return Starlette(routes=[Route("/healthz", answer), Route("/stream", stream)], lifespan=lifespan)


def broken():
    raise ZeroDivisionError("odd")


def leaving():
    os._exit(7)
"""

SERVE = """
import sys
from pathlib import Path
from chat_app.cli.endings import guarded
from chat_app.cli.serve import serve
from chat_app.settings import load_settings

if __name__ == "__main__":
    root, application = Path(sys.argv[1]), sys.argv[2]
    sys.path.insert(0, str(root))
    ready = lambda: print("ready", flush=True)
    sys.exit(guarded(lambda: serve(load_settings(), root, ready, application)))
"""


class Served:
    """A server process and the port it listens on."""

    def __init__(self, root: Path, application: str) -> None:
        self.root = root
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        (root / "small_application.py").write_text(APPLICATION)
        (root / "serve_it.py").write_text(SERVE)
        self.process = subprocess.Popen(
            [sys.executable, root / "serve_it.py", root, f"small_application:{application}"],
            env={
                **os.environ,
                "PARLEY_PORT": str(self.port),
                "PARLEY_DATA_DIR": str(root),
                "PYTHONPATH": str(PROJECT_ROOT),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ready(self) -> None:
        assert self.process.stdout.readline() == "ready\n"

    def ended(self) -> tuple[int, str]:
        """Wait for the end; return the exit code and what was said on stderr."""
        _, said = self.process.communicate(timeout=15)
        return self.process.returncode, said


@pytest.fixture
def serving(tmp_path: Path) -> Iterator:
    running: list[Served] = []

    def begin(application: str = "app") -> Served:
        running.append(Served(tmp_path, application))
        return running[-1]

    yield begin
    for served in running:
        served.process.kill()
        served.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_application_in_order_although_a_stream_is_open(serving, number: int):
    served = serving()
    served.ready()
    with httpx.stream("GET", f"{served.url}/stream") as response:
        pieces = response.iter_text()
        assert next(pieces) == "first"
        served.process.send_signal(number)
        with pytest.raises((StopIteration, httpx.RemoteProtocolError)):
            next(pieces)
    assert served.ended() == (0, "")
    assert (served.root / "ended").read_text() == "in order"


def test_the_worker_reads_what_a_flag_changed(serving):
    served = serving()
    served.ready()
    assert httpx.get(f"{served.url}/healthz").text == f"http://localhost:{served.port}"
    served.process.terminate()
    assert served.ended()[0] == 0


def test_the_worker_goes_when_its_parent_was_killed(serving):
    served = serving()
    served.ready()
    with httpx.stream("GET", f"{served.url}/stream") as response:
        pieces = response.iter_text()
        next(pieces)
        served.process.kill()
        with pytest.raises((StopIteration, httpx.RemoteProtocolError, httpx.ReadError)):
            next(pieces)


def test_an_application_that_cannot_load_is_one_sentence(serving):
    served = serving("broken")
    code, said = served.ended()
    log = served.root / "logs" / "parley.log"
    assert (code, said) == (
        1,
        f"Parley met a defect of its own (ZeroDivisionError); the details are in {log}.\n",
    )
    assert "odd" in log.read_text()


def test_a_server_that_ends_by_itself_is_said(serving):
    code, said = serving("leaving").ended()
    assert code == 1
    assert said.splitlines()[-1] == "The server ended by itself; what it logged is above."


def test_an_address_that_cannot_be_had_is_said(serving):
    served = serving()
    served.ready()
    other = subprocess.run(
        [sys.executable, served.root / "serve_it.py", served.root, "small_application:app"],
        env={**os.environ, "PARLEY_HOST": "192.0.2.1", "PYTHONPATH": str(PROJECT_ROOT)},
        capture_output=True,
        text=True,
        timeout=15,
        check=False,
    )
    assert other.returncode == 1
    assert other.stderr.startswith("Parley cannot listen on 192.0.2.1, port 3000: ")


def test_the_worker_serves_what_is_built_under_the_address_people_open():
    made = environment(Settings(port=3001, public_url="https://chat.example.org"))
    assert made["PARLEY_PORT"] == "3001"
    assert made["REFLEX_API_URL"] == "https://chat.example.org"
    assert made["__REFLEX_SKIP_COMPILE"] == "true"


def worker(exitcode: int | None, done: list[str], name: str = "old") -> SimpleNamespace:
    return SimpleNamespace(
        inner=SimpleNamespace(exitcode=exitcode),
        start=lambda: done.append(f"start {name}"),
        terminate=lambda: done.append(f"terminate {name}"),
        join=lambda _: done.append(f"join {name}"),
        is_alive=lambda: False,
    )


class Supervisor(Server):
    """A server that was never started; the workers it makes are no processes."""

    def __init__(self, exitcode: int) -> None:
        super().__init__("nothing:app", workers_kill_timeout=1)
        self.done: list[str] = []
        self.wrks.append(worker(exitcode, self.done))

    def _spawn_worker(self, **_: object) -> SimpleNamespace:
        return worker(None, self.done, "new")


def test_a_worker_that_could_not_load_is_not_started_anew():
    supervisor = Supervisor(SAID_WHY)
    supervisor._respawn_workers([0], None, None)
    assert supervisor.done == []
    assert supervisor.interrupt_signal
    assert supervisor.main_loop_interrupt.is_set()


def test_a_worker_that_died_later_is_started_anew():
    supervisor = Supervisor(-9)
    supervisor._respawn_workers([0], None, None)
    assert supervisor.done == ["start new", "terminate old", "join old"]
    assert not supervisor.interrupt_signal
