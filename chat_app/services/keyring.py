"""Keeps what is secret of agents: their headers are encrypted before SQL sees them, and never shown again."""

import json
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken

from chat_app.services.problems import HeadersLost


class Keyring:
    """Encrypts headers under the key of the installation."""

    def __init__(self, secret: str) -> None:
        """Derive the key from `secret`, which may be of any form and length."""
        self._fernet = Fernet(urlsafe_b64encode(sha256(secret.encode()).digest()))

    def sealed(self, headers: Mapping[str, str]) -> str | None:
        """Return headers as they may be stored; None when there are none."""
        return self._fernet.encrypt(json.dumps(dict(headers)).encode()).decode() if headers else None

    def opened(self, stored: str | None) -> dict[str, str]:
        """Return stored headers.

        Raises:
            HeadersLost: they were stored under another key.
        """
        if not stored:
            return {}
        try:
            headers: dict[str, str] = json.loads(self._fernet.decrypt(stored.encode()))
        except InvalidToken as error:
            raise HeadersLost from error
        return headers
