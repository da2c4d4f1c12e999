"""The bus of processes that share a PostgreSQL: NOTIFY to wake, LISTEN to be woken.

One connection of its own listens and holds the presence lock. When it breaks, a new one is made and everything is
looked at once, because wakes of the meantime are gone.
"""

import asyncio
import json
from collections.abc import Iterator

import psycopg
import structlog

from chat_app.data import notices
from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.services.bus.base import EVERYTHING, Hear, Wake
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0
PER_PAYLOAD = 80
"""Wakes that surely fit into one payload: two ids of 36 characters each, and their quotes."""


class PostgresBus:
    """Wakes the other processes on one PostgreSQL database."""

    def __init__(self, database: Database, *, me: str, retry: float = RETRY_SECONDS) -> None:
        """Speak as `me`; try again after `retry` seconds while the database is away."""
        self._database = database
        self._me = me
        self._retry = retry
        self._waiting: dict[Wake, None] = {}
        self._due = asyncio.Event()
        self._connection: psycopg.AsyncConnection | None = None
        self._first = False
        self._hear: Hear = _nobody
        self._tasks: list[asyncio.Task[None]] = []
        self._sending: asyncio.Task[None] | None = None

    async def join(self, hear: Hear) -> bool:
        """Get on the bus and return whether nobody else was on it; nobody else gets on before `settle`.

        Raises:
            DatabaseUnreachable: nobody answers.
        """
        self._hear = hear
        self._connection = await notices.listening(self._database)
        self._first = await notices.is_first(self._connection)
        return self._first

    async def settle(self) -> None:
        """Let others get on, and hear them from now on."""
        assert self._connection is not None  # joined before
        await notices.be_present(self._connection, first=self._first)
        self._tasks = [
            spawn(self._listen(self._connection), name="bus-listen"),
            spawn(self._send(), name="bus-send"),
        ]

    async def leave(self) -> None:
        """Get off."""
        for task in self._tasks:
            task.cancel()
        over = [*self._tasks, *([self._sending] if self._sending is not None else [])]
        if over:
            await asyncio.wait(over)
        if self._connection is not None:
            await self._connection.close()

    def post(self, wakes: frozenset[Wake]) -> None:
        """Wake the others, soon; never waits and never fails."""
        self._waiting.update(dict.fromkeys(wakes))
        self._due.set()

    # ------------------------------------------------------------ hearing

    async def _listen(self, connection: psycopg.AsyncConnection) -> None:
        while True:
            try:
                await self._hear_all(connection)
            except psycopg.Error as error:
                _log.warning("bus_broke", reason=str(error).strip())
            await connection.close()
            connection = self._connection = await self._reconnected()

    async def _hear_all(self, connection: psycopg.AsyncConnection) -> None:
        self._hear(frozenset({EVERYTHING}))  # what was said before is gone
        async for notice in connection.notifies():
            sender, wakes = _read(notice.payload)
            if sender != self._me:
                self._hear(wakes)

    async def _reconnected(self) -> psycopg.AsyncConnection:
        while True:
            await asyncio.sleep(self._retry)  # a database that is away cannot wake us
            try:
                return await notices.returned(self._database)
            except DataError as error:
                _log.warning("bus_waits", reason=str(error))

    # ------------------------------------------------------------ sending

    async def _send(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            # a task of its own, which the end of this one does not cut off from its connection
            self._sending = spawn(self._say(), name="bus-say")
            await asyncio.wait([self._sending])
            if self._waiting:
                await asyncio.sleep(0 if self._due.is_set() else self._retry)
                self._due.set()

    async def _say(self) -> None:
        wakes, self._waiting = self._waiting, {}
        try:
            await asyncio.to_thread(self._notify, list(wakes))
        except DataError as error:
            _log.warning("bus_waits", reason=str(error))
            self._waiting = wakes | self._waiting

    def _notify(self, wakes: list[Wake]) -> None:
        with self._database.transaction() as session:
            notices.notify(session, list(_payloads(self._me, wakes)))


def _nobody(wakes: frozenset[Wake]) -> None:
    del wakes


def _payloads(sender: str, wakes: list[Wake]) -> Iterator[str]:
    for start in range(0, len(wakes), PER_PAYLOAD):
        pairs = [[wake.thread, wake.owner] for wake in wakes[start : start + PER_PAYLOAD]]
        yield json.dumps([sender, *pairs], separators=(",", ":"))


def _read(payload: str) -> tuple[str, frozenset[Wake]]:
    sender, *pairs = json.loads(payload)
    return sender, frozenset(Wake(thread, owner) for thread, owner in pairs)
