"""What is looked at before anything starts, so that trouble is a sentence and not a broken server."""

import errno
import os
import socket
import tempfile
from contextlib import closing
from pathlib import Path

from pydantic import SecretStr
from redis import Redis
from redis.exceptions import RedisError

from chat_app.cli.errors import Stop
from chat_app.settings import Settings
from chat_app.wiring import embedded_agent

REDIS_WITHIN_S = 5.0


def check_binding(settings: Settings) -> None:
    """Refuse to let other machines in while everybody who reaches the server would be the local user.

    Raises:
        Stop: when the address is not a loopback one, and nobody has to sign in.
    """
    if settings.on_loopback or settings.sign_in:
        return
    raise Stop(
        f"Parley has no accounts configured, so whoever reaches {settings.host} would be its one user; "
        "set PARLEY_SIGN_IN=password (or oidc, or proxy), or keep the address 127.0.0.1."
    )


def check_agent(settings: Settings) -> None:
    """Refuse a model or tool servers of the embedded agent that cannot be used; nobody is contacted.

    Raises:
        SettingsError: saying why, and what to install or to set.
    """
    if settings.model:
        embedded_agent(settings.model_copy(update={"agent_token": SecretStr("not made yet")}))


def check_workers(settings: Settings) -> None:
    """Refuse several processes where they could not share what they must share.

    Raises:
        Stop: naming what is missing, or what does not answer.
    """
    if settings.workers == 1:
        return
    several = f"{settings.workers} workers"
    if settings.database_url.get_secret_value().startswith("sqlite"):
        raise Stop(
            f"{several} need a PostgreSQL database, because SQLite has one writer at a time; "
            "set PARLEY_DATABASE_URL=postgresql+psycopg://user:password@host/name, or use one worker."
        )
    redis_url = settings.redis_url.get_secret_value()
    if not redis_url:
        raise Stop(
            f"{several} need a Redis, because a tab's clicks may reach any of them; "
            "set PARLEY_REDIS_URL=redis://host:6379, or use one worker."
        )
    try:
        with closing(Redis.from_url(redis_url, socket_connect_timeout=REDIS_WITHIN_S)) as redis:
            redis.ping()
    except RedisError as error:
        raise Stop(f"The Redis of PARLEY_REDIS_URL does not answer: {error}.") from error


def check_port(host: str, port: int) -> None:
    """Refuse a port that cannot be listened on.

    Raises:
        Stop: naming the port and how to choose another.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen(1)
    except OSError as error:
        raise Stop(_port_sentence(error, host, port)) from error


def _port_sentence(error: OSError, host: str, port: int) -> str:
    another = port + 1 if port < 65535 else 3000
    how = f"make run PORT={another}, or parley run --port {another}"
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} is taken by another program; choose another: {how}."
    if error.errno == errno.EACCES:
        return f"Port {port} is reserved for the administrator; choose one above 1023: make run PORT=3000."
    return f"Parley cannot listen on {host}, port {port}: {error.strerror}."


def check_writable(folder: Path, setting: str) -> None:
    """Make the folder and prove that files can be written in it.

    Raises:
        Stop: naming the folder and the setting that moves it.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # conversations are nobody else's
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        reason = os.strerror(error.errno or 0)
        raise Stop(f"The folder {folder} cannot be written ({reason}); {setting}.") from error
