"""The one writer of the process: commits what all live exchanges have recorded, together, and in order.

Streams do not write per token. The journal commits every `interval` seconds while anything waits, and at once when a
recorder closed something (a message, a call, a run). What could not be written because the database is away is kept
and written first when it is back; what the database refuses for good ends that exchange only.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from chat_app.data.errors import DataError
from chat_app.services.batch import Batch
from chat_app.services.recorder import Recorder
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

RETRY_SECONDS = 1.0

Told = Callable[[frozenset[str]], None]
"""Called with the threads that something was committed of."""

Write = Callable[[list[Batch]], list[str]]
"""Writes batches in one transaction; returns the exchanges this worker no longer owns or the database refused."""


@dataclass(slots=True)
class _Open:
    """One live exchange: its recorder, its batches that are not committed yet, and whom to tell when it is lost."""

    recorder: Recorder
    lost: Callable[[], None]
    waiting: list[Batch] = field(default_factory=list)


class Journal:
    """Commits for all live exchanges of this process."""

    def __init__(
        self,
        write: Write,
        *,
        interval: float,
        most: int,
        retry: float = RETRY_SECONDS,
        told: Told = lambda threads: None,  # noqa: ARG005 - nobody wants to know
    ) -> None:
        """Commit by `write`, every `interval` seconds, or when a recorder holds `most` entries.

        `finish` tries again after `retry` seconds when the database is away. `told` hears of every commit.
        """
        self._write = write
        self._told = told
        self._interval = interval
        self._most = most
        self._retry = retry
        self._open: dict[str, _Open] = {}
        self._due = asyncio.Event()
        self._writing = asyncio.Lock()

    def add(self, exchange: str, recorder: Recorder, lost: Callable[[], None]) -> None:
        """Write for `recorder` from now on; `lost` is called when the exchange belongs to somebody else."""
        self._open[exchange] = _Open(recorder, lost)
        self._due.set()

    def remove(self, exchange: str) -> None:
        """Stop writing for an exchange; what waits of it is forgotten."""
        self._open.pop(exchange, None)

    def noted(self, exchange: str, *, boundary: bool) -> None:
        """Commit soon when something was closed or much waits."""
        held = self._open.get(exchange)
        if held is not None and (boundary or len(held.recorder) >= self._most):
            self._due.set()

    async def run(self) -> None:
        """Commit until cancelled."""
        while True:
            await self._pause()
            # a task of its own: what breaks in it is logged, and a cancellation cuts no commit from what it settles
            await asyncio.wait([spawn(self._commit(), name="journal-commit")])

    async def flush(self) -> bool:
        """Commit everything recorded so far; returns whether nothing is left waiting."""
        async with self._writing:
            batches = self._gather()
            if not batches:
                return True
            try:
                lost = await asyncio.to_thread(self._write, batches)
            except DataError as error:
                _log.warning("journal_waits", reason=str(error))
                return False
            self._settle(lost)
            self._told(frozenset(batch.thread for batch in batches))
            return True

    async def finish(self, exchange: str) -> None:
        """Return when everything of `exchange` is committed or it was lost; retry for as long as needed."""
        done = await self.flush()
        while not done and exchange in self._open:
            await asyncio.sleep(self._retry)  # the database cannot wake us
            done = await self.flush()

    async def _commit(self) -> None:
        await self.flush()

    async def _pause(self) -> None:
        if not self._open:
            await self._due.wait()
        try:
            async with asyncio.timeout(self._interval):
                await self._due.wait()
        except TimeoutError:
            pass
        self._due.clear()

    def _gather(self) -> list[Batch]:
        for held in self._open.values():
            if held.recorder.pending:
                held.waiting.append(held.recorder.take())
        return [batch for held in self._open.values() for batch in held.waiting]

    def _settle(self, lost: list[str]) -> None:
        for held in self._open.values():
            held.waiting.clear()
        for exchange in lost:
            if gone := self._open.pop(exchange, None):
                gone.lost()
