"""The post: takes what is due, sends each notice by its channel, and tries again what did not arrive.

A delivery is held by a lease while it is sent, so that of several workers one sends it. A worker that dies in between
leaves a delivery that another sends after the lease: with the same id, by which a receiver knows a repetition.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Protocol

import structlog
from sqlalchemy.orm import Session

from chat_app.data import deliveries
from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.data.records import Channel, DeliveryRecord
from chat_app.services.notices.composer import Composer
from chat_app.services.notices.kinds import Notice, NotSent
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

TICK_S = 2.0
LEASE = timedelta(minutes=3)
"""Longer than any channel takes for one try."""
AT_ONCE = 20
AT_ONE_TARGET = 4
"""Most tries at once: a target that hangs must not hold up the others."""
PAUSES = (10, 60, 300, 1800, 7200, 21_600, 43_200)
"""Seconds before the second try, the third and so on; after the last one a notice is given up, within a day."""
LONGEST_S = 24 * 3600
"""The longest pause that a receiver gets by asking for it."""
KEPT = timedelta(days=30)
"""How long it can be looked up what became of a notice."""
GRACE_S = 5.0


class Sender(Protocol):
    """A channel."""

    async def send(self, target: str, notice: Notice) -> str:
        """Send a notice to a target; return how it was taken, as a short code.

        Raises:
            NotSent: it was not taken.
        """

    async def aclose(self) -> None:
        """Let go of what is held open."""


class Post:
    """Sends what is due, as long as the process lives."""

    def __init__(  # noqa: PLR0913 - what it is built from, and its two times
        self,
        database: Database,
        composer: Composer,
        channels: Mapping[Channel, Sender],
        *,
        worker: str,
        now: Callable[[], datetime],
        tick: float = TICK_S,
        grace: float = GRACE_S,
    ) -> None:
        """Send from `database` by `channels`; look every `tick` seconds, and give what is sent `grace` to end."""
        self._database = database
        self._composer = composer
        self._channels = channels
        self._worker = worker
        self._now = now
        self._pause = tick
        self._grace = grace
        self._loop: asyncio.Task[None] | None = None
        self._sending: dict[asyncio.Task[None], str] = {}

    async def start(self, *, alone: bool = True) -> None:
        """Begin to look. A process that is `alone` takes back at once what an earlier one was sending."""
        if alone:
            await asyncio.to_thread(self._release)
        self._loop = spawn(self._run(), name="post")

    async def stop(self) -> None:
        """Look no more, and let what is being sent arrive; what takes too long is sent again by who comes next."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.wait([self._loop])
        if self._sending:
            _, late = await asyncio.wait(self._sending, timeout=self._grace)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for channel in self._channels.values():
            await channel.aclose()

    async def look(self) -> int:
        """Start to send what is due; return how much that was.

        Raises:
            DataError: the database is away or busy.
        """
        for taken in (found := await asyncio.to_thread(self._take)):
            task = spawn(self._send(taken), name="post-one")
            self._sending[task] = taken.target
            task.add_done_callback(self._sending.pop)
        return len(found)

    def purge(self) -> int:
        """Forget what became of old notices; return how many."""
        with self._database.transaction() as session:
            return deliveries.purge(session, before=self._now() - KEPT)

    async def _run(self) -> None:
        while True:
            # a task of its own: whatever breaks in it is logged, and the next look comes all the same
            await asyncio.wait([spawn(self._look(), name="post-look")])
            await asyncio.sleep(self._pause)

    async def _look(self) -> None:
        try:
            await self.look()
        except DataError as error:
            _log.warning("post_waits", reason=str(error))

    # ------------------------------------------------------------ one delivery

    async def _send(self, delivery: DeliveryRecord) -> None:
        try:
            note = await self._tried(delivery)
            await asyncio.to_thread(note)
        except DataError as error:
            # the lease runs out, and somebody tries again
            _log.warning("delivery_waits", delivery=delivery.id, reason=str(error))

    async def _tried(self, delivery: DeliveryRecord) -> Callable[[], None]:
        """Try once; returns what notes how it went."""
        try:
            notice = await asyncio.to_thread(self._composed, delivery)
            outcome = await self._channels[delivery.channel].send(delivery.target, notice)
        except NotSent as trouble:
            return partial(self._failed, delivery, trouble)
        return partial(self._sent, delivery, outcome)

    # ------------------------------------------------------------ in a worker thread

    def _release(self) -> None:
        with self._database.transaction() as session:
            deliveries.release(session)

    def _take(self) -> list[DeliveryRecord]:
        busy = Counter(self._sending.values())
        room = AT_ONCE - busy.total()
        full = [target for target, number in busy.items() if number >= AT_ONE_TARGET]
        now = self._now()
        with self._database.reading() as session:
            found = deliveries.due(session, now=now, limit=AT_ONCE, without=full) if room > 0 else ()
        chosen: list[DeliveryRecord] = []
        for one in found:
            if busy[one.target] < AT_ONE_TARGET and len(chosen) < room:
                busy[one.target] += 1
                chosen.append(one)
        if not chosen:
            return []
        with self._database.transaction() as session:
            return [one for one in chosen if self._mine(session, one, now)]

    def _mine(self, session: Session, one: DeliveryRecord, now: datetime) -> bool:
        return deliveries.take(session, one.id, by=self._worker, now=now, until=now + LEASE)

    def _composed(self, delivery: DeliveryRecord) -> Notice:
        with self._database.reading() as session:
            return self._composer.compose(session, delivery)

    def _sent(self, delivery: DeliveryRecord, outcome: str) -> None:
        with self._database.transaction() as session:
            deliveries.settle(
                session, delivery.id, by=self._worker, state="sent", outcome=outcome, at=self._now()
            )

    def _failed(self, delivery: DeliveryRecord, trouble: NotSent) -> None:
        tries, now, by = delivery.attempts + 1, self._now(), self._worker
        _log.info("delivery_failed", delivery=delivery.id, outcome=trouble.outcome, tries=tries)
        with self._database.transaction() as session:
            if trouble.fate == "again" and tries <= len(PAUSES):
                pause = max(PAUSES[tries - 1], min(trouble.after, LONGEST_S))
                due = now + timedelta(seconds=pause)
                deliveries.postpone(session, delivery.id, by=by, outcome=trouble.outcome, due=due)
            else:
                state = "failed" if trouble.fate == "again" else trouble.fate
                deliveries.settle(session, delivery.id, by=by, state=state, outcome=trouble.outcome, at=now)
