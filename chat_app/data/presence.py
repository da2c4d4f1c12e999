"""Who else has a SQLite file open, and whether anybody has committed to it.

The first process holds `<file>.first`; whoever comes later holds `<file>.others`, shared. The kernel lets go of both
when a process ends, however it ends. Database files themselves carry SQLite's own locks and are left alone.
"""

import fcntl
import os
import sqlite3
from pathlib import Path


class Presence:
    """This process's place at one SQLite file."""

    def __init__(self, file: Path) -> None:
        """Open the lock files; no lock is taken.

        Raises:
            OSError: the folder cannot be written to.
        """
        self._first, self._others = (_opened(file, ending) for ending in ("first", "others"))
        self._came_first = False

    def come(self) -> bool:
        """Take our place and return whether nobody else is there."""
        self._came_first = _try(self._first, fcntl.LOCK_EX)
        if not self._came_first:
            fcntl.flock(self._others, fcntl.LOCK_SH)
        return not self.has_company()

    def has_company(self) -> bool:
        """Return whether anybody else is there now."""
        if not self._came_first:
            return True
        alone = _try(self._others, fcntl.LOCK_EX)
        if alone:
            fcntl.flock(self._others, fcntl.LOCK_UN)
        return not alone

    def go(self) -> None:
        """Give our place up."""
        for descriptor in (self._first, self._others):
            os.close(descriptor)


class Commits:
    """Notices commits to a SQLite file by a count that SQLite keeps for other connections."""

    def __init__(self, file: Path) -> None:
        """Open a connection that only looks."""
        self._connection = sqlite3.connect(file, check_same_thread=False)
        self._seen = self._count()

    def happened(self) -> bool:
        """Return whether anybody has committed since the last look.

        Raises:
            sqlite3.Error: the file cannot be read now.
        """
        before, self._seen = self._seen, self._count()
        return before != self._seen

    def close(self) -> None:
        """Look no more."""
        self._connection.close()

    def _count(self) -> int:
        found: tuple[int] = self._connection.execute("PRAGMA data_version").fetchone()
        return found[0]


def _opened(file: Path, ending: str) -> int:
    return os.open(f"{file}.{ending}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _try(descriptor: int, kind: int) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
