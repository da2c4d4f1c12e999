"""Reading a thread of somebody else: by right, for a reason that is written down, and only reading.

An opening is an entry of the audit. So it holds on every worker and over a reload, and its owner can be told who looked
and why. It lasts a working day; then the reason is asked for again.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from chat_app.data import audit, threads, users
from chat_app.data.db import Database
from chat_app.data.records import ThreadRecord
from chat_app.services.policy import Action, Person, Policy, claimed
from chat_app.services.problems import NoReason
from chat_app.services.rows import Viewed, iso

VIEW = "thread.view"
"""The action under which the audit holds an opening."""
LASTS = timedelta(hours=12)
LONGEST_REASON = 500
SHOWN = 5
"""How many openings a thread tells of; the audit has them all."""


class Viewing:
    """Opens threads of others to those who may read them, and says which are open."""

    def __init__(
        self, database: Database, policy: Policy, *, now: Callable[[], datetime], allowed: bool = True
    ) -> None:
        """Keep openings in the audit of `database`; unless `allowed`, nobody opens anything."""
        self.allowed = allowed
        self._database = database
        self._policy = policy
        self._now = now

    async def open(self, person: Person, thread_id: str, reason: str) -> str:
        """Write down that `person` reads a thread, and why; returns the thread's id, which can be followed then.

        Raises:
            NoReason: none was given, or one that is too long to be read.
            Refused: there is no such thread for this person, or nothing may be opened here.
        """
        return await asyncio.to_thread(self._open, person, thread_id, reason.strip())

    def may_read(self, session: Session, person: Person, thread: ThreadRecord | None) -> bool:
        """Return whether `person` may read a thread and has said why, not longer ago than an opening lasts."""
        owner = thread.owner if thread is not None and self.allowed else None
        if thread is None or not self._policy.may(person, Action.READ_ANY_THREAD, owner=owner):
            return False
        since = self._now() - LASTS
        seen = audit.of_object(session, f"thread:{thread.id}")
        return any(act.action == VIEW and act.actor == person.id and act.at > since for act in seen)

    def _open(self, person: Person, thread_id: str, reason: str) -> str:
        if not reason or len(reason) > LONGEST_REASON:
            raise NoReason
        with self._database.transaction() as session:
            thread = threads.get(session, claimed(thread_id))
            owner = thread.owner if thread is not None and self.allowed else None
            self._policy.require(person, Action.READ_ANY_THREAD, owner=owner)
            act = audit.Act(
                action=VIEW, object=f"thread:{thread_id}", actor=person.id, reason=reason, at=self._now()
            )
            audit.append(session, act)
        return thread_id


def openings(session: Session, thread_id: str) -> list[Viewed]:
    """Return who opened a thread and why, the newest `SHOWN`, oldest first."""
    seen = [act for act in audit.of_object(session, f"thread:{thread_id}") if act.action == VIEW][-SHOWN:]
    return [Viewed(_called(session, act.actor), iso(act.at), act.reason) for act in seen]


def _called(session: Session, user_id: str | None) -> str:
    found = users.get(session, user_id) if user_id else None
    return found.display_name if found is not None else ""
