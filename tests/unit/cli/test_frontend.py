import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from chat_app.cli.errors import Stop
from chat_app.cli.frontend import Frontend, build_environment, check_bun, trouble_in
from chat_app.cli.portable import PLACEHOLDER_URL
from chat_app.settings import PROJECT_ROOT
from tests.support.built import BUILD

# A build that does to the folder what Reflex does: it writes a page with a baked address and its own lock.
EXPORT = f"""{BUILD}
pathlib.Path("builds").open("a").write("x")
pathlib.Path("reflex.lock").mkdir(exist_ok=True)
pathlib.Path("reflex.lock/bun.lock").write_text("made by the build")
pathlib.Path("reflex.lock/package.json").write_text('{{\\n  "name": "reflex"\\n}}')
print("built for {PLACEHOLDER_URL}")
"""


def frontend(root: Path, script: str = EXPORT) -> Frontend:
    return Frontend(root, log=root / "logs" / "build.log", export=(sys.executable, "-c", script))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "rxconfig.py").write_text("one")
    return tmp_path


def builds(root: Path) -> int:
    return len((root / "builds").read_text())


def test_a_page_that_was_never_built_is_not_current(root: Path):
    assert not frontend(root).current()


def test_a_built_page_is_current_until_its_sources_change(root: Path):
    page = frontend(root)
    page.build()
    assert page.current()
    (root / "rxconfig.py").write_text("two")
    assert not page.current()


def test_a_page_whose_files_are_gone_is_not_current(root: Path):
    page = frontend(root)
    page.build()
    (page.client / "index.html").unlink()
    assert not page.current()


def test_a_second_build_of_the_same_sources_does_nothing(root: Path):
    frontend(root).build()
    frontend(root).build()
    assert builds(root) == 1


def test_starts_at_once_build_once(root: Path):
    code = (
        "import sys; from pathlib import Path; from chat_app.cli.frontend import Frontend\n"
        "root = Path(sys.argv[1])\n"
        "Frontend(root, log=root / 'log', export=(sys.executable, '-c', sys.argv[2])).build()"
    )
    starts = [
        subprocess.Popen([sys.executable, "-c", code, root, EXPORT], cwd=PROJECT_ROOT) for _ in range(3)
    ]
    assert [start.wait(15) for start in starts] == [0, 0, 0]
    assert builds(root) == 1


def test_what_is_edited_during_a_build_is_built_the_next_time(root: Path):
    page = frontend(root, EXPORT + "pathlib.Path('rxconfig.py').write_text('edited')")
    page.build()
    assert not page.current()


def test_the_built_page_knows_no_address(root: Path):
    frontend(root).build()
    script = (root / ".web/build/client/assets/reflex-env-x.js").read_text()
    assert script == "e={PING:location.origin+`/ping`}"


def test_the_package_list_keeps_the_form_of_a_fresh_clone(root: Path):
    frontend(root).build()
    assert (root / "reflex.lock/package.json").read_text() == '{"name": "reflex"}'


def test_a_build_without_a_package_list_is_a_build(root: Path):
    page = frontend(root, EXPORT + "pathlib.Path('reflex.lock/package.json').unlink()")
    page.build()
    assert page.current()


def test_a_build_that_fails_is_one_sentence_and_a_log(root: Path):
    page = frontend(root, "print('error: DNSResolveFailed downloading tarball'); raise SystemExit(1)")
    with pytest.raises(Stop) as caught:
        page.build()
    assert str(caught.value) == (
        "The page could not be built: the JavaScript packages could not be downloaded: "
        f"there is no connection to their registry. The full log is {root}/logs/build.log."
    )
    assert not page.current()


def test_a_failed_build_does_not_leave_the_former_page_current(root: Path):
    frontend(root).build()
    (root / "rxconfig.py").write_text("two")
    with pytest.raises(Stop):
        frontend(root, "raise SystemExit(1)").build()
    (root / "rxconfig.py").write_text("one")
    assert not frontend(root).current()


@pytest.mark.parametrize(
    ("log", "words"),
    [
        ("write: No space left on device", "the disk is full"),
        ("error: ConnectionRefused downloading package", "no connection to their registry"),
        ("UNABLE_TO_VERIFY_LEAF_SIGNATURE", "NODE_EXTRA_CA_CERTS"),
        ("error: lockfile had changes, but lockfile is frozen", "reflex.lock does not fit"),
        ("Traceback\n  File …\nAttributeError: no attribute 'x'\n", "AttributeError: no attribute 'x'"),
        ("", "the last lines of the log say why"),
    ],
)
def test_the_log_is_put_into_words(log: str, words: str):
    assert words in trouble_in(log)


def test_our_bun_comes_first_and_the_address_is_nobodys():
    environment = build_environment({"PATH": "/usr/bin", "KEEP": "me"})
    assert environment["PATH"] == f"{Path(sys.executable).parent}{os.pathsep}/usr/bin"
    assert environment["REFLEX_API_URL"] == PLACEHOLDER_URL
    assert environment["KEEP"] == "me"


def test_without_bun_nothing_is_started():
    with pytest.raises(Stop, match="bun is missing"):
        check_bun({"PATH": "/nowhere"})


def test_a_stop_during_the_build_ends_the_build_too(root: Path):
    script = (
        "import os, pathlib, signal, subprocess, sys\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
        "pathlib.Path('children').write_text(f'{os.getpid()} {child.pid}')\n"
        "os.kill(os.getppid(), signal.SIGTERM)\n"
        "signal.pause()\n"
    )
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as leaving:
        frontend(root, script).build()
    assert leaving.value.code == 143
    assert signal.getsignal(signal.SIGTERM) is before
    build, _ = map(int, (root / "children").read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(build, 0)
