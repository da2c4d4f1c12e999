"""The bearer token of the embedded agent: made once, so that a running page and a restarted server agree."""

import contextlib
import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from chat_app.settings.errors import SettingsError
from chat_app.settings.model import Settings

TOKEN_BYTES = 32
TOKEN_FILE = "agent-token"  # noqa: S105 - a file name


def with_agent_token(settings: Settings) -> Settings:
    """Return settings that hold an agent token: the configured one, the kept one, or a new one.

    A new token is kept in `data_dir/agent-token`, readable by its owner alone.

    Raises:
        SettingsError: when the file cannot be written or read, or others may read it.
    """
    if settings.agent_token.get_secret_value():
        return settings
    file = settings.data_dir / TOKEN_FILE
    try:
        token = _kept(file) or _made(file)
    except OSError as error:
        raise SettingsError(f"The agent token cannot be kept in {file}: {error.strerror}.") from error
    return settings.model_copy(update={"agent_token": SecretStr(token)})


def _kept(file: Path) -> str:
    """Return the token in the file, or an empty string when there is none yet."""
    if not file.exists():
        return ""
    if file.stat().st_mode & 0o077:
        raise SettingsError(f"{file} can be read by others; run: chmod 600 {file}")
    return file.read_text("ascii").strip()


def _made(file: Path) -> str:
    """Return a new token, written whole; whoever comes second takes the first one's."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{TOKEN_FILE}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(secrets.token_urlsafe(TOKEN_BYTES))
    with contextlib.suppress(FileExistsError):  # another process was first; its token holds
        os.link(draft, file)
    draft.unlink()
    return file.read_text("ascii")
