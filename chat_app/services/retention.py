"""What is erased by itself: chats nobody touched for long, deleted chats after their undo time, sign-ins that are over.

The age is set for all agents, and for one agent by `{"retention_days": n}` in its policy; without either, chats stay
for ever. Erasing goes a few chats at a time, so that nobody waits for it, and each leaves one line in the audit. A chat
with a live run is left to the next look.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog

from chat_app.data import agents, audit, auth_sessions, threads
from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.data.records import AgentRecord
from chat_app.services.tasks import spawn

_log = structlog.get_logger(__name__)

PIECE = 50
"""How many chats one transaction erases."""
EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Terms:
    """How long chats stay: unused ones in days (None: for ever), deleted ones until they cannot be restored."""

    days: int | None
    undo: timedelta


@dataclass(frozen=True, slots=True)
class Looked:
    """When it was looked last for what is over, and how many chats were erased."""

    at: datetime
    erased: int


class Retention:
    """Erases what is over, now and then."""

    def __init__(
        self,
        database: Database,
        terms: Terms,
        *,
        now: Callable[[], datetime],
        every: timedelta = EVERY,
        also: Sequence[Callable[[], int]] = (),
    ) -> None:
        """Look after `database`, each time after `every`; `also` are looked after first."""
        self._also = also
        self._database = database
        self.terms = terms
        self.last: Looked | None = None
        self._now = now
        self._every = every
        self._task: asyncio.Task[None] | None = None

    @property
    def next(self) -> datetime | None:
        """When this process looks again; None before it looked at all."""
        return None if self.last is None else self.last.at + self._every

    async def start(self) -> None:
        """Begin to look, now and then again."""
        self._task = spawn(self._run(), name="retention")

    async def stop(self) -> None:
        """Look no more; what is being erased is erased."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    def sweep(self) -> int:
        """Erase what is over; return how many chats that were.

        Raises:
            DataError: the database is away or busy; what was erased so far stays erased.
        """
        for look_after in self._also:
            look_after()
        now = self._now()
        with self._database.transaction() as session:
            auth_sessions.purge(session, before=now)
            known = agents.every(session)
        erased = self._erase_all(None, now - self.terms.undo, "undo time over", deleted=True)
        for agent in known:
            days = days_of(agent, self.terms.days)
            if days is not None:
                before = now - timedelta(days=days)
                erased += self._erase_all(agent.id, before, f"unused for {days} days", deleted=False)
        self.last = Looked(now, erased)
        return erased

    async def _run(self) -> None:
        while True:
            await asyncio.wait([spawn(self._look(), name="retention-look")])
            await asyncio.sleep(self._every.total_seconds())

    async def _look(self) -> None:
        try:
            erased = await asyncio.to_thread(self.sweep)
        except DataError as error:
            _log.warning("retention_waits", reason=str(error))
            return
        if erased:
            _log.info("retention_erased", threads=erased)

    def _erase_all(self, agent: str | None, before: datetime, reason: str, *, deleted: bool) -> int:
        erased = 0
        while piece := self._erase(agent, before, reason, deleted=deleted):
            erased += piece
        return erased

    def _erase(self, agent: str | None, before: datetime, reason: str, *, deleted: bool) -> int:
        with self._database.transaction() as session:
            due = (
                threads.due_deleted(session, before=before, limit=PIECE)
                if deleted
                else threads.due_unused(session, agent=agent or "", before=before, limit=PIECE)
            )
            threads.erase(session, due)
            for thread in due:
                act = audit.Act(
                    action="thread.erased",
                    object=f"thread:{thread}",
                    actor=None,
                    at=self._now(),
                    reason=reason,
                )
                audit.append(session, act)
        return len(due)


def days_of(agent: AgentRecord, default: int | None) -> int | None:
    """Return after how many days unused chats with an agent are erased; None: never."""
    policy = agent.policy if isinstance(agent.policy, dict) else {}
    own = policy.get("retention_days", default)
    return own if isinstance(own, int) and not isinstance(own, bool) and own > 0 else None
