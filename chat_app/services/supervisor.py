"""Runs belong to the server: the supervisor owns every live exchange of this process, one task each.

A use case commits an exchange and then has it launched; no page starts, holds or ends a run. The exchange row carries
a lease that is renewed while the task lives. What an earlier process left open is closed at start; what another
worker left open is closed when its lease is over. A stop is a row: the owner of the exchange acts on it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

import structlog
from structlog.contextvars import bound_contextvars

from chat_app.agui import CANCELLED, AguiError
from chat_app.data.errors import DataError
from chat_app.services.exchange import SERVER_RESTART, Exchange, Makers, Work
from chat_app.services.hub import Channel, LiveHub
from chat_app.services.journal import Journal
from chat_app.services.run_codes import INTERNAL
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

TICK_SECONDS = 3.0
GRACE_SECONDS = 10.0
CLOSE_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Launch:
    """An exchange that was committed and may start."""

    exchange: str
    thread: str
    owner: str


@dataclass(slots=True)
class _Live:
    """A live exchange of this process."""

    launch: Launch
    task: asyncio.Task[None] | None = None
    exchange: Exchange | None = None
    reason: str | None = None

    def cancel(self, reason: str) -> None:
        """Stop it once: a second cancellation would hit the closing of the run."""
        if self.reason is not None:
            return
        self.reason = reason
        if self.exchange is not None and self.task is not None and self.exchange.stop_as(reason):
            self.task.cancel()


class Ledger(Protocol):
    """What the supervisor asks of SQL; each method is one transaction and is called in a worker thread."""

    def load(self, exchange_id: str) -> Work:
        """Return what an exchange has to do."""

    def renew(self, exchange_ids: Sequence[str]) -> tuple[frozenset[str], list[str]]:
        """Renew leases; return the exchanges still held, and those a stop was requested for."""

    def orphans(self, *, everything: bool) -> list[Launch]:
        """Take over the exchanges nobody owns any more, or all open ones."""

    def fail(self, exchange_id: str) -> None:
        """Close an exchange that can be neither read nor written, if it is still this worker's."""


class Supervisor:
    """Starts, stops and ends the exchanges of this process."""

    def __init__(  # noqa: PLR0913 - the parts of one object, and its two times
        self,
        ledger: Ledger,
        hub: LiveHub,
        journal: Journal,
        makers: Makers,
        *,
        changed: Callable[[str, str], Awaitable[None]],
        due: Callable[[str | None], Sequence[Launch]] = lambda _: (),
        look_after: Callable[[], Collection[tuple[str, str]]] = lambda: (),
        tick: float = TICK_SECONDS,
        grace: float = GRACE_SECONDS,
    ) -> None:
        """Own exchanges by `ledger`; `changed(owner, thread)` is awaited whenever a thread looks different.

        `due(thread)` opens what waits in a thread (None: in any) until nothing runs there; `look_after` does what
        only time brings about and returns the (owner, thread) pairs it changed. Both are called in a worker thread,
        the latter with the leases every `tick` seconds. Live runs get `grace` seconds to end at a shutdown.
        """
        self._ledger = ledger
        self._hub = hub
        self._journal = journal
        self._makers = makers
        self._changed = changed
        self._due = due
        self._by_time = look_after
        self._pause = tick
        self._grace = grace
        self._lives: dict[str, _Live] = {}
        self._background: list[asyncio.Task[None]] = []
        self._closing = False

    async def start(self, *, alone: bool = True) -> None:
        """Close what an earlier process left open, then keep leases and commits going.

        Beside other workers (not `alone`) an exchange is left behind only when its lease is over.
        """
        await self._close_orphans(everything=alone)
        self._background = [
            spawn(self._journal.run(), name="journal"),
            spawn(self._tick(), name="supervisor"),
        ]

    async def shutdown(self) -> None:
        """Take no new runs, let live ones finish for a while, then close them as interrupted by a restart."""
        self._closing = True
        await _ended([live.task for live in self._lives.values()], self._grace)
        for live in self._lives.values():
            live.cancel(SERVER_RESTART)
        await _ended([live.task for live in self._lives.values()], CLOSE_SECONDS)
        for task in self._background:
            task.cancel()
        await _ended(self._background, CLOSE_SECONDS)

    def launch(self, launch: Launch) -> None:
        """Start a committed exchange; one that was committed while the process went down is closed at once."""
        live = _Live(launch)
        if self._closing:
            live.cancel(SERVER_RESTART)
        self._lives[launch.exchange] = live
        with bound_contextvars(exchange=launch.exchange, thread=launch.thread, user=launch.owner):
            # a task keeps the context it was started in, so every line of this one names them
            live.task = spawn(self._drive(live), name=f"exchange-{launch.exchange}")

    def stop(self, exchange: str) -> None:
        """Stop an exchange if this process runs it; a second stop changes nothing."""
        if live := self._lives.get(exchange):
            live.cancel(CANCELLED)

    def drives(self, thread_id: str) -> bool:
        """Return whether this process runs an exchange of a thread."""
        return any(live.launch.thread == thread_id for live in self._lives.values())

    async def look(self) -> None:
        """Look after leases and stops now; another worker has changed something."""
        await self._look_after()

    def is_closing(self) -> bool:
        """Return whether the process is going down and takes no new runs."""
        return self._closing

    # ------------------------------------------------------------ driving

    async def _drive(self, live: _Live) -> None:
        launch = live.launch
        try:
            async with self._hub.use(launch.thread) as channel:
                await self._answer(live, channel)
                await self._hub.settle(launch.thread)
        finally:
            self._lives.pop(launch.exchange, None)
        await self._go_on(launch.thread)
        await self._show(launch)

    async def _go_on(self, thread: str | None) -> None:
        """Start what waited for the end of an answer; what cannot be started now is looked at with the leases."""
        if self._closing:
            return
        try:
            launches = await asyncio.to_thread(self._due, thread)
        except DataError as error:
            _log.warning("waiting_lines_wait", thread=thread, reason=str(error))
            return
        for launch in launches:
            self.launch(launch)

    async def _show(self, launch: Launch) -> None:
        """Tell who follows the thread; when the database is away, as soon as it is back."""
        while True:
            try:
                await self._changed(launch.owner, launch.thread)
            except DataError as error:
                _log.warning("followers_wait", thread=launch.thread, reason=str(error))
                await asyncio.sleep(self._pause)
            else:
                return

    async def _answer(self, live: _Live, channel: Channel) -> None:
        exchange = await self._prepare(live.launch, channel)
        if exchange is None:
            return
        if exchange.stopping and live.reason is None:  # stopped between its commit and its launch
            live.reason = CANCELLED
        live.exchange = exchange
        if live.reason is not None:
            await self._close(exchange, live.launch, live.reason)
        elif not await exchange.run(lambda: self._lost(live)):
            await self._give_up(live.launch, channel)

    async def _give_up(self, launch: Launch, channel: Channel) -> None:
        """Close an exchange whose answer the database refused, by what was kept of it, unless it is somebody else's."""
        held, _ = await asyncio.to_thread(self._ledger.renew, [launch.exchange])
        if launch.exchange in held:
            await self._close_kept(launch, channel, INTERNAL)

    async def _close_kept(self, launch: Launch, channel: Channel, reason: str) -> None:
        exchange = await self._prepare(launch, channel)
        if exchange is not None:
            await self._close(exchange, launch, reason)

    async def _prepare(self, launch: Launch, channel: Channel) -> Exchange | None:
        """Build the exchange from SQL; one that cannot be read is closed as it is, so that the thread is free."""
        try:
            # reading and folding a long log takes time, in which the streams of others must go on
            return await asyncio.to_thread(self._built, launch.exchange, channel)
        except (DataError, AguiError):
            _log.exception("exchange_unreadable", exchange=launch.exchange)
            await asyncio.to_thread(self._ledger.fail, launch.exchange)
            return None

    def _built(self, exchange_id: str, channel: Channel) -> Exchange:
        return Exchange(self._ledger.load(exchange_id), channel, self._journal, self._makers)

    async def _close(self, exchange: Exchange, launch: Launch, reason: str) -> None:
        if not await exchange.close_as(reason):
            await asyncio.to_thread(self._ledger.fail, launch.exchange)

    def _lost(self, live: _Live) -> None:
        _log.warning("exchange_lost", exchange=live.launch.exchange)
        live.cancel(SERVER_RESTART)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self._pause)
            # a task of its own: whatever breaks in it is logged, and the next one comes all the same
            await asyncio.wait([spawn(self._look_after(), name="supervisor-look")])

    async def _look_after(self) -> None:
        try:
            await self._renew()
            await self._close_orphans(everything=False)
            for owner, thread in await asyncio.to_thread(self._by_time):
                await self._changed(owner, thread)
            await self._go_on(None)
        except DataError as error:
            _log.warning("supervisor_waits", reason=str(error))

    async def _renew(self) -> None:
        mine = list(self._lives)
        held, to_stop = await asyncio.to_thread(self._ledger.renew, mine)
        for exchange in to_stop:
            self.stop(exchange)
        for exchange in set(mine) - held:
            if live := self._lives.get(exchange):
                self._lost(live)

    async def _close_orphans(self, *, everything: bool) -> None:
        orphans = await asyncio.to_thread(self._ledger.orphans, everything=everything)
        # one that cannot be closed must not keep the others open
        closing = [spawn(self._close_orphan(one), name=f"orphan-{one.exchange}") for one in orphans]
        await _ended(closing, None)

    async def _close_orphan(self, launch: Launch) -> None:
        async with self._hub.use(launch.thread) as channel:
            await self._close_kept(launch, channel, SERVER_RESTART)
            await self._hub.settle(launch.thread)
        await self._show(launch)


async def _ended(tasks: Sequence[asyncio.Task[None] | None], seconds: float | None) -> None:
    """Wait until the tasks are over, at most `seconds`; their failures are logged where they were started."""
    started = [task for task in tasks if task is not None]
    if started:
        await asyncio.wait(started, timeout=seconds)
