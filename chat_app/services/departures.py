"""What admins do when somebody leaves for good: hand out everything of theirs, and erase it."""

import asyncio
import json
from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from chat_app.data import audit, users
from chat_app.data.db import Database
from chat_app.data.records import UserRecord
from chat_app.services.personal import Personal
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import LastAdmin, NoReason
from chat_app.services.viewing import LONGEST_REASON
from chat_app.services.watch import Watch


class Departures:
    """Export and erase people, for those who manage them."""

    def __init__(
        self, database: Database, policy: Policy, *, now: Callable[[], datetime], watch: Watch | None = None
    ) -> None:
        """Read and erase in `database`; open tabs of who is erased hear of it by `watch`."""
        self._database = database
        self._policy = policy
        self._now = now
        self._personal = Personal(database, now=now)
        self._watch = watch

    async def export(self, by: Person, user_id: str) -> str:
        """Return everything of a person as JSON Lines; that it was handed out is written down first.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
        """
        self._policy.require(by, Action.MANAGE_PEOPLE)
        return await asyncio.to_thread(self._export, by, claimed(user_id))

    async def erase(self, by: Person, user_id: str, reason: str) -> int:
        """Erase a person with all their chats, for ever; return how many chats that were.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
            NoReason: the audit needs one.
            LastAdmin: nobody would be left who manages people.
            Busy: an answer of theirs is under way; stop it first.
        """
        self._policy.require(by, Action.MANAGE_PEOPLE)
        why = reason.strip()
        if not why or len(why) > LONGEST_REASON:
            raise NoReason
        chats = await asyncio.to_thread(self._erase, by, claimed(user_id), why)
        if self._watch is not None:
            self._watch.look_now()
        return chats

    def _export(self, by: Person, user_id: str) -> str:
        name = self._known(user_id).name
        act = audit.Act(
            action="person.exported", object=f"user:{user_id}", actor=by.id or None, at=self._now()
        )
        with self._database.transaction() as session:
            audit.append(session, act)
        return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in self._personal.export(name))

    def _erase(self, by: Person, user_id: str, reason: str) -> int:
        name = self._known(user_id).name
        return self._personal.erase(name, by=by.id or None, reason=reason, judge=_spare_the_last_admin)

    def _known(self, user_id: str) -> UserRecord:
        with self._database.reading() as session:
            user = users.get(session, user_id)
        if user is None or user.name.startswith(users.ERASED):
            raise Refused
        return user


def _spare_the_last_admin(session: Session, user: UserRecord) -> None:
    users.lock_admins(session)
    if [one.id for one in users.active_with(session, "admin")] == [user.id]:
        raise LastAdmin
