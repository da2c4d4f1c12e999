"""The token of the embedded agent and the key for stored headers: made once, so that every process knows the same."""

import contextlib
import os
import secrets
from pathlib import Path

from pydantic import SecretStr

from chat_app.settings.errors import SettingsError
from chat_app.settings.model import Settings

TOKEN_BYTES = 32
TOKEN_FILE = "agent-token"  # noqa: S105 - a file name
KEY_FILE = "secret-key"


def with_agent_token(settings: Settings) -> Settings:
    """Return settings that hold an agent token and a secret key: the configured ones, the kept ones, or new ones.

    New ones are kept in `data_dir/agent-token` and `data_dir/secret-key`, readable by their owner alone.

    Raises:
        SettingsError: when a file cannot be written or read, or others may read it.
    """
    missing = {
        name: SecretStr(_kept_or_made(settings.data_dir / file))
        for name, file in (("agent_token", TOKEN_FILE), ("secret_key", KEY_FILE))
        if not getattr(settings, name).get_secret_value()
    }
    return settings.model_copy(update=missing)


def kept_key(settings: Settings) -> str:
    """Return the secret key, configured or kept; empty when none was made yet. Nothing is written.

    Raises:
        SettingsError: when its file cannot be read, or others may read it.
    """
    file = settings.data_dir / KEY_FILE
    try:
        return settings.secret_key.get_secret_value() or _kept(file)
    except OSError as error:
        raise SettingsError(f"The secret in {file} cannot be read: {error.strerror}.") from error


def _kept_or_made(file: Path) -> str:
    try:
        return _kept(file) or _made(file)
    except OSError as error:
        raise SettingsError(f"A secret cannot be kept in {file}: {error.strerror}.") from error


def _kept(file: Path) -> str:
    """Return the secret in the file, or an empty string when there is none yet."""
    if not file.exists():
        return ""
    if file.stat().st_mode & 0o077:
        raise SettingsError(f"{file} can be read by others; run: chmod 600 {file}")
    return file.read_text("ascii").strip()


def _made(file: Path) -> str:
    """Return a new secret, written whole; whoever comes second takes the first one's."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        stream.write(secrets.token_urlsafe(TOKEN_BYTES))
    with contextlib.suppress(FileExistsError):  # another process was first; its token holds
        os.link(draft, file)
    draft.unlink()
    return file.read_text("ascii")
