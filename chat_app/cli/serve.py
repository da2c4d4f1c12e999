"""Serve the page and everything beside it on one port, until a signal comes.

Granian's parent runs in this process and its worker in another one; `worker.py` says what the worker does.
"""

import logging
import multiprocessing
import os
from collections.abc import Callable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from granian.constants import Interfaces
from granian.log import LogLevels
from granian.server import MPServer

from chat_app.cli import logs
from chat_app.cli.announcer import Announcer
from chat_app.cli.errors import Stop
from chat_app.cli.worker import SAID_WHY, load
from chat_app.settings import Settings

APPLICATION = "chat_app.chat_app:app"
# Live runs get ten seconds to end, then they are marked; what hangs after that is killed.
KILL_TIMEOUT_S = 14

# Granian's lines go where ours go.
LOGGERS = {
    name: {"handlers": [], "level": "WARNING", "propagate": True} for name in ("_granian", "granian.access")
}


class Server(MPServer):
    """Granian, which tells its worker to drain when the end comes and remembers how the worker ended."""

    farewell: "Connection[object, object]"
    worker_said_why = False

    def _respawn_workers(self, workers, spawn_target, target_loader, delay: float = 0) -> None:  # type: ignore[no-untyped-def] # noqa: ANN001
        """Start anew what has died, unless it could not even load: that would fail again."""
        if any(self.wrks[index].inner.exitcode == SAID_WHY for index in workers):
            self.interrupt_signal = True
            self.main_loop_interrupt.set()
            return
        super()._respawn_workers(workers, spawn_target, target_loader, delay)

    def shutdown(self, exit_code: int = 0) -> None:
        """Let the application end before its connections, then stop as Granian does."""
        self.worker_said_why = any(worker.inner.exitcode == SAID_WHY for worker in self.wrks)
        self.farewell.close()  # every worker hears that, however many there are
        super().shutdown(exit_code)  # type: ignore[no-untyped-call] # Granian does not annotate it


LARGEST_EVENT = 10_000_000
"""Bytes of one event of the page: the longest message is a million characters, of up to four bytes, and escaped."""


def environment(settings: Settings) -> dict[str, str]:
    """Return what the worker reads from its environment: the settings a flag changed, and Reflex's mode.

    The two names with underscores are those Reflex's own command sets for its workers: serve what is built.
    """
    return {
        "PARLEY_HOST": settings.host,
        "PARLEY_PORT": str(settings.port),
        "PARLEY_PUBLIC_URL": settings.public_url,
        "PARLEY_WORKERS": str(settings.workers),
        "REFLEX_REDIS_URL": settings.redis_url.get_secret_value(),
        "REFLEX_API_URL": settings.page_url,
        "REFLEX_DEPLOY_URL": settings.page_url,
        "REFLEX_ENV_MODE": "prod",
        "REFLEX_TELEMETRY_ENABLED": "false",
        "REFLEX_CHECK_LATEST_VERSION": "false",
        "REFLEX_SOCKET_MAX_HTTP_BUFFER_SIZE": str(LARGEST_EVENT),
        "__REFLEX_SKIP_COMPILE": "true",
        "__REFLEX_MOUNT_FRONTEND_COMPILED_APP": "true",
    }


def serve(settings: Settings, root: Path, ready: Callable[[], None], application: str = APPLICATION) -> None:
    """Serve until SIGTERM or Ctrl-C; call `ready` once the server answers.

    Raises:
        Stop: when the server ended by itself.
        SystemExit: when the worker could not load and has said why.
    """
    os.environ.update(environment(settings))
    os.chdir(root)
    # A new interpreter for the worker: a copy of this one would share the locks its threads hold.
    multiprocessing.set_start_method("spawn", force=True)
    alive, parent = multiprocessing.Pipe(duplex=False)
    leaving, farewell = multiprocessing.Pipe(duplex=False)
    server = _server(settings, application, farewell)
    logs.configure(settings)
    logging.getLogger("_granian").addFilter(_is_news)
    announcer = Announcer(settings.local_url, ready)
    server.on_startup(announcer.start)
    server.on_shutdown(announcer.stop)
    try:
        server.serve(target_loader=partial(load, alive, leaving))
    except SystemExit as leaving:
        if server.worker_said_why:
            raise
        raise Stop("The server ended by itself; what it logged is above.") from leaving
    except (OSError, RuntimeError) as error:
        raise Stop(f"Parley cannot listen on {settings.host}, port {settings.port}: {error}.") from error
    finally:
        parent.close()


def _is_news(record: logging.LogRecord) -> bool:
    """Tell whether a line of Granian says what our own last sentence will not."""
    return not record.getMessage().startswith("Unexpected exit from worker")


def _server(settings: Settings, application: str, farewell: "Connection[object, object]") -> Server:
    server = Server(
        application,
        address=settings.host,
        port=settings.port,
        interface=Interfaces.ASGI,
        log_level=LogLevels.warning,
        log_dictconfig={"loggers": LOGGERS},
        workers_kill_timeout=KILL_TIMEOUT_S,
        workers=settings.workers,
        # one that dies leaves its runs to the others; when it is the only one, people must know
        respawn_failed_workers=settings.workers > 1,
    )
    server.farewell = farewell
    return server
