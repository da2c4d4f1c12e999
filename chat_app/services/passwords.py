"""Passwords: what one must be, and comparing one with its hash (argon2id).

Comparing takes the same time whether or not there is anything to compare with, so that time tells no names.
"""

import unicodedata

from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError
from pwdlib.hashers import HasherProtocol
from pwdlib.hashers.argon2 import Argon2Hasher

from chat_app.services.problems import WeakPassword

SHORTEST = 10
LONGEST = 500
NOBODYS = "a password that nobody has"


def fit(password: str, *, name: str) -> str:
    """Return a password as it is kept: in one Unicode form, so that every keyboard types the same.

    Raises:
        WeakPassword: it is too short, too long, one character again and again, or the name.
    """
    kept = unicodedata.normalize("NFC", password)
    if not SHORTEST <= len(kept) <= LONGEST:
        raise WeakPassword
    if len(set(kept)) == 1 or kept.casefold() == name.casefold():
        raise WeakPassword
    return kept


class Passwords:
    """Makes and compares hashes. Both take long on purpose: call them in a worker thread, outside a transaction."""

    def __init__(self, hasher: HasherProtocol | None = None) -> None:
        """Hash with argon2id and its recommended costs, or with `hasher`."""
        self._hashes = PasswordHash((hasher or Argon2Hasher(),))
        self._nobodys = self._hashes.hash(NOBODYS)

    def hash(self, password: str) -> str:
        """Return the hash to keep."""
        return self._hashes.hash(password)

    def matches(self, password: str, kept: str | None) -> tuple[bool, str]:
        """Return whether a password is the kept one (None: nobody's), and a better hash of it, else empty."""
        given = unicodedata.normalize("NFC", password)[: LONGEST + 1]
        try:
            fits, better = self._hashes.verify_and_update(given, kept or self._nobodys)
        except UnknownHashError:
            return False, ""
        return (fits, better or "") if kept else (False, "")
