"""What runs in the server's worker process before the application does, and what watches its parent."""

import atexit
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from multiprocessing.connection import Connection

from starlette.types import ASGIApp

from chat_app.cli import logs
from chat_app.cli.draining import Draining
from chat_app.cli.endings import guarded
from chat_app.settings import load_settings

SAID_WHY = 3
"""Exit code of a worker that could not load the application and has told the person why."""


def load(
    parent: "Connection[object, object]",
    leaving: "Connection[object, object]",
    application: str,
    *,
    gone: Callable[[], object] | None = None,
    at_exit: Callable[[Callable[[], object]], object] = atexit.register,
) -> Draining:
    """Load the application that "module:factory" names and keep watching the parent process.

    The far end of `leaving` is closed when the end begins, that of `parent` when the parent is gone.

    Raises:
        SystemExit: with SAID_WHY, when it could not be loaded.
    """
    loaded: list[Draining] = []

    def started() -> None:
        heed_signals(loaded[0].leave)

    if guarded(lambda: loaded.append(Draining(named(application), started=started))):
        raise SystemExit(SAID_WHY)
    watch(leaving, loaded[0].leave)
    watch(parent, gone or end_at_once)
    at_exit(end_without_taking_down)
    return loaded[0]


def heed_signals(leave: Callable[[], object]) -> None:
    """Also leave when a signal comes to this process alone, past its parent.

    Granian's own handler is called by the event loop and stays: it would wait for streams that nobody ends.
    """
    signal.signal(signal.SIGTERM, lambda _number, _frame: leave())


def end_at_once() -> None:
    """End this process as if it had been killed together with its parent."""
    os._exit(1)


def end_without_taking_down() -> None:
    """End this process, whose work is done, before the interpreter is taken down.

    The server's own threads may still be about to tell Python of a connection that was cut. In an interpreter that
    is being taken down that is a panic, which aborts the process with a page of words.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def named(application: str) -> ASGIApp:
    """Return what "module:factory" makes; logging is configured first."""
    logs.configure(load_settings())
    module, _, factory = application.partition(":")
    made: ASGIApp = getattr(import_module(module), factory)()
    return made


def watch(connection: "Connection[object, object]", closed: Callable[[], object]) -> threading.Thread:
    """Call `closed` when the far end of a connection is closed, by whom or whatever.

    An orphan would keep the port, and nobody would know whom to stop.
    """

    def wait() -> None:
        try:
            connection.recv()
        except (EOFError, OSError):
            closed()

    thread = threading.Thread(target=wait, name="parent-watch", daemon=True)
    thread.start()
    return thread
