"""How long chats are kept, for those who look after it: what is set where, what is over, and erasing that now.

The age for all agents and the undo time are settings of the server and changed there. The age for one agent is part of
its policy and changed here.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import agents, audit, threads
from chat_app.data.db import Database
from chat_app.data.records import AgentRecord
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.retention import Looked, Retention, days_of

MOST_DAYS: Final = 36_500
SWEPT: Final = "retention.run"


class BadDays(ValueError):  # noqa: N818 - it reads as what happened
    """What was typed is no number of days."""


class Moved(Exception):  # noqa: N818 - it reads as what happened
    """Something else would be erased than was agreed to: time went on, or somebody changed how long chats are kept."""


@dataclass(frozen=True, slots=True)
class Kept:
    """How long unused chats with an agent are kept, and how many of them are over now.

    `days` is what holds (None: for ever), `own` what is set for this agent alone (None: what holds for all).
    """

    agent: AgentRecord
    days: int | None
    own: int | None
    due: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What is kept how long and what is over: `days` for all agents, `undo` days for deleted chats.

    `deleted` chats can still be restored or are over, `due_deleted` of them are over. `due` is how many chats would be
    erased now, all together. `last` and `next` are this process's looks.
    """

    days: int | None
    undo: int
    kept: tuple[Kept, ...]
    deleted: int
    due_deleted: int
    due: int
    last: Looked | None
    next: datetime | None


class Keeping:
    """See and change how long chats are kept."""

    def __init__(
        self, database: Database, policy: Policy, retention: Retention, *, now: Callable[[], datetime]
    ) -> None:
        """Look after what `retention` erases."""
        self._database = database
        self._policy = policy
        self._retention = retention
        self._now = now

    async def outlook(self, person: Person) -> Outlook:
        """Return what is kept how long, and what would be erased now; nothing is.

        Raises:
            Refused: the person does not look after it.
        """
        self._policy.require(person, Action.MANAGE_RETENTION)
        return await asyncio.to_thread(self._outlook)

    async def keep(self, person: Person, agent_id: str, days: str) -> None:
        """Set after how many days unused chats with an agent are erased; empty: after those that hold for all.

        Raises:
            Refused: the person does not look after it, or there is no such agent.
            BadDays: that is no number of days.
        """
        self._policy.require(person, Action.MANAGE_RETENTION)
        wanted = _read(days.strip())
        await asyncio.to_thread(self._keep, person, claimed(agent_id), wanted)

    async def erase(self, person: Person, agreed: str) -> int:
        """Erase what is over now, if it is as many chats as were agreed to; return how many went.

        Raises:
            Refused: the person does not look after it.
            Moved: it is another number by now; nothing was erased.
        """
        self._policy.require(person, Action.MANAGE_RETENTION)
        return await asyncio.to_thread(self._erase, person, agreed)

    def _outlook(self) -> Outlook:
        terms, now = self._retention.terms, self._now()
        with self._database.reading() as session:
            over = now - terms.undo
            kept = tuple(self._kept(session, agent, now, over) for agent in agents.every(session))
            deleted, due_deleted = threads.count_deleted(session), threads.count_deleted(session, before=over)
        return Outlook(
            days=terms.days,
            undo=terms.undo.days,
            kept=kept,
            deleted=deleted,
            due_deleted=due_deleted,
            due=due_deleted + sum(one.due for one in kept),
            last=self._retention.last,
            next=self._retention.next,
        )

    def _kept(self, session: Session, agent: AgentRecord, now: datetime, over: datetime) -> Kept:
        days, own = days_of(agent, self._retention.terms.days), days_of(agent, None)
        if days is None:
            return Kept(agent, days, own, 0)
        before = now - timedelta(days=days)
        due = threads.count_unused(session, agent=agent.id, before=before, but_deleted=over)
        return Kept(agent, days, own, due)

    def _keep(self, person: Person, agent_id: str, days: int | None) -> None:
        with self._database.transaction() as session:
            agent = agents.get(session, agent_id)
            if agent is None:
                raise Refused
            policy: dict[str, JsonValue] = dict(agent.policy) if isinstance(agent.policy, dict) else {}
            was = policy.pop("retention_days", None)
            changed = policy if days is None else {**policy, "retention_days": days}
            agents.change(session, agent_id, policy=changed or None, updated=self._now())
            detail: JsonValue = {"retention_days": days, "was": was}
            self._note(session, person, "agent.changed", f"agent:{agent_id}", detail)

    def _erase(self, person: Person, agreed: str) -> int:
        if agreed != str(self._outlook().due):
            raise Moved
        erased = self._retention.sweep()
        with self._database.transaction() as session:
            self._note(session, person, SWEPT, "retention", {"erased": erased})
        return erased

    def _note(self, session: Session, person: Person, action: str, thing: str, detail: JsonValue) -> None:
        act = audit.Act(action=action, object=thing, actor=person.id, at=self._now(), detail=detail)
        audit.append(session, act)


def _read(days: str) -> int | None:
    if not days:
        return None
    if not (days.isascii() and days.isdecimal()) or len(days) > len(str(MOST_DAYS)):
        raise BadDays(days)
    if not 1 <= int(days) <= MOST_DAYS:
        raise BadDays(days)
    return int(days)
