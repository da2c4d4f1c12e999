"""The bus of processes that share a SQLite file: each looks every moment whether another one has committed.

SQLite counts commits for us (`PRAGMA data_version`), so a look costs no query, and none is made while nobody else has
the file open. It cannot say what changed, so everything is looked at.
"""

import asyncio
import sqlite3
from pathlib import Path

import structlog

from chat_app.data.presence import Commits, Presence
from chat_app.services.bus.base import EVERYTHING, Hear, Wake
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

PAUSE_SECONDS = 0.25


class PollingBus:
    """Hears of the other processes on one SQLite file; they hear of us by our commits."""

    def __init__(self, file: Path, *, pause: float = PAUSE_SECONDS) -> None:
        """Look at `file` every `pause` seconds while somebody else has it open."""
        self._file = file
        self._pause = pause
        self._presence: Presence | None = None
        self._hear: Hear | None = None
        self._task: asyncio.Task[None] | None = None

    async def join(self, hear: Hear) -> bool:
        """Get on the bus and return whether nobody else was on it."""
        self._hear = hear
        self._presence = Presence(self._file)
        return self._presence.come()

    async def settle(self) -> None:
        """Hear the others from now on."""
        self._task = spawn(self._look(), name="bus-look")

    async def leave(self) -> None:
        """Get off."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        if self._presence is not None:
            self._presence.go()

    def post(self, wakes: frozenset[Wake]) -> None:
        """Do nothing: the commit that was made before is the wake."""

    async def _look(self) -> None:
        assert self._presence is not None  # joined before
        assert self._hear is not None
        commits = await asyncio.to_thread(Commits, self._file)
        try:
            while True:
                await asyncio.sleep(self._pause)  # another process cannot wake us
                if self._presence.has_company() and await self._happened(commits):
                    self._hear(frozenset({EVERYTHING}))
        finally:
            commits.close()

    async def _happened(self, commits: Commits) -> bool:
        try:
            return await asyncio.to_thread(commits.happened)
        except sqlite3.Error as error:
            _log.warning("bus_waits", reason=str(error))
            return False
