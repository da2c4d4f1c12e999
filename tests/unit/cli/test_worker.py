import asyncio
import logging
import multiprocessing
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from chat_app.cli import worker


@pytest.fixture
def pipe():
    heard, said = multiprocessing.Pipe(duplex=False)
    yield heard, said
    said.close()


@pytest.fixture
def leaving():
    heard, said = multiprocessing.Pipe(duplex=False)
    yield heard, said
    said.close()


@pytest.fixture
def application(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Write a module to load applications from; logging and signals are put back afterwards."""
    monkeypatch.setenv("PARLEY_DATA_DIR", str(tmp_path))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "loadable_application.py").write_text(
        "from starlette.applications import Starlette as good\n"
        "def broken():\n    raise ZeroDivisionError('odd')\n"
    )
    handlers, level = logging.getLogger().handlers, logging.getLogger().level
    terminated = signal.getsignal(signal.SIGTERM)
    yield "loadable_application"
    signal.signal(signal.SIGTERM, terminated)
    logging.getLogger().handlers = handlers
    logging.getLogger().setLevel(level)


@pytest.mark.parametrize("end", ["the parent hangs up", "a signal to this process alone"])
async def test_the_application_is_loaded_to_drain_at_its_end(pipe, leaving, application: str, end):
    last: list[object] = []
    draining = worker.load(pipe[0], leaving[0], f"{application}:good", gone=lambda: None, at_exit=last.append)
    started, sent = asyncio.Event(), []

    async def receive():
        if started.is_set():
            await asyncio.Event().wait()
        started.set()
        return {"type": "lifespan.startup"}

    async def send(message):
        sent.append(message["type"])

    lifespan = asyncio.ensure_future(draining({"type": "lifespan"}, receive, send))
    await started.wait()
    if end == "the parent hangs up":
        leaving[1].close()
    else:
        signal.raise_signal(signal.SIGTERM)
    await asyncio.wait_for(lifespan, 5)
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert last == [worker.end_without_taking_down]


def test_the_end_of_the_parent_is_the_end_of_the_worker(pipe, leaving, application: str):
    gone = threading.Event()
    worker.load(pipe[0], leaving[0], f"{application}:good", gone=gone.set, at_exit=lambda _: None)
    pipe[1].close()
    assert gone.wait(5)


def test_an_application_that_breaks_is_said_and_excused(
    pipe, leaving, application: str, capsys, tmp_path: Path
):
    with pytest.raises(SystemExit) as ended:
        worker.load(pipe[0], leaving[0], f"{application}:broken")
    assert ended.value.code == worker.SAID_WHY
    assert "defect of its own (ZeroDivisionError)" in capsys.readouterr().err
    assert "odd" in (tmp_path / "logs" / "parley.log").read_text()


def test_a_worker_that_is_done_says_what_it_has_to_say_and_is_gone():
    script = (
        "import atexit, os; from chat_app.cli.worker import end_without_taking_down as end;"
        "atexit.register(print, 'taken down'); atexit.register(end); print('done')"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")


def test_a_hung_up_connection_is_noticed_once(pipe):
    heard: list[str] = []
    thread = worker.watch(pipe[0], lambda: heard.append("gone"))
    pipe[1].close()
    thread.join(5)
    assert heard == ["gone"]
