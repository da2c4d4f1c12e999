"""The threads of everybody, for those who look after them: found by what they are, opened for a reason."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import get_args

from sqlalchemy.orm import Session

from chat_app.data import agents, oversight, runs, threads, users
from chat_app.data.db import Database
from chat_app.data.oversight import Overseen, Wanted
from chat_app.data.records import AgentRecord, ThreadMark
from chat_app.data.threads import Place
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.rows import Viewed, iso
from chat_app.services.run_details import Details, details_of
from chat_app.services.threads import Threads
from chat_app.services.viewing import Viewing, openings

__all__ = [
    "IDLE",
    "MARKS",
    "PAGE",
    "About",
    "AgentRecord",
    "Asked",
    "Listed",
    "Overseen",
    "Oversight",
    "day",
    "day_after",
]

PAGE = 50
RUNS = 100
"""How many runs of a thread are listed; they are the newest."""
LONGEST_WORDS = 200
IDLE = "idle"
"""How the state of a thread without a mark is named in a filter."""
MARKS: tuple[ThreadMark, ...] = get_args(ThreadMark)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody looks for, as they typed it; what is empty narrows nothing.

    `user` is the name a person signs in with, `agent` an id, `status` idle, running, waiting or failed; `since` and
    `until` are days (ISO 8601, UTC), both included. `after` is the end of the page before.
    """

    user: str = ""
    agent: str = ""
    status: str = ""
    tool: str = ""
    words: str = ""
    since: str = ""
    until: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of threads, newest first; `after` asks for the next one and is empty on the last."""

    threads: tuple[Overseen, ...]
    after: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a thread without reading it: its newest runs, who opened it lately, and whether `opened` now."""

    thread: Overseen
    runs: tuple[Details, ...]
    viewed: tuple[Viewed, ...]
    opened: bool


class Oversight:
    """List and open the threads of everybody."""

    def __init__(self, database: Database, policy: Policy, viewing: Viewing, threads: Threads) -> None:
        """Read from `database`; an opening is written down by `viewing` and told by `threads`."""
        self._database = database
        self._policy = policy
        self._viewing = viewing
        self._threads = threads

    @property
    def opens(self) -> bool:
        """Whether threads of others can be opened here at all."""
        return self._viewing.allowed

    def may(self, person: Person) -> bool:
        """Return whether a person looks after threads."""
        return self._policy.may(person, Action.READ_ANY_THREAD)

    async def listed(self, person: Person, asked: Asked) -> Listed:
        """Return a page of the threads that were asked for; what cannot be, like a day that is none, finds nothing.

        Raises:
            Refused: the person does not look after threads.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._listed, asked)

    async def agents(self, person: Person) -> Sequence[AgentRecord]:
        """Return the agents that threads may be with, by name.

        Raises:
            Refused: the person does not look after threads.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._agents)

    async def about(self, person: Person, thread_id: str) -> About:
        """Return what may be known of a thread before it is opened.

        Raises:
            Refused: there is no such thread for this person.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._about, person, claimed(thread_id))

    async def open(self, person: Person, thread_id: str, reason: str) -> str:
        """Open a thread for a reason, which its owner sees at once; returns its id.

        Raises:
            NoReason: none was given, or one that is too long to be read.
            Refused: there is no such thread for this person, or none can be opened here.
        """
        opened = await self._viewing.open(person, thread_id, reason)
        await self._threads.changed((await self.about(person, opened)).thread.owner, opened)
        return opened

    def _listed(self, asked: Asked) -> Listed:
        with self._database.reading() as session:
            try:
                wanted = self._wanted(session, asked)
                before = _place(asked.after)
            except (ValueError, Refused):
                return Listed(())
            found = oversight.page(session, wanted, before=before, limit=PAGE + 1)
        shown = tuple(map(self._shown, found[:PAGE]))
        return Listed(shown, _after(shown[-1]) if len(found) > PAGE else "")

    def _shown(self, thread: Overseen) -> Overseen:
        """Return a thread without its title where nobody reads threads of others: it is the first line of a person."""
        return thread if self._viewing.allowed else replace(thread, title="")

    def _wanted(self, session: Session, asked: Asked) -> Wanted:
        if asked.words.strip() and not self._viewing.allowed:
            raise Refused
        return _wanted(session, asked)

    def _agents(self) -> Sequence[AgentRecord]:
        with self._database.reading() as session:
            return agents.every(session)

    def _about(self, person: Person, thread_id: str) -> About:
        with self._database.reading() as session:
            found = oversight.one(session, thread_id)
            if found is None:
                raise Refused
            opened = self._viewing.may_read(session, person, threads.get(session, thread_id))
            latest = tuple(details_of(run) for run in runs.latest(session, thread_id, limit=RUNS))
            without_words = tuple(replace(one, message="") for one in latest)
            return About(self._shown(found), without_words, tuple(openings(session, thread_id)), opened)


def _wanted(session: Session, asked: Asked) -> Wanted:
    """Return what is asked of the database.

    Raises:
        Refused: there is no such person, agent or state.
        ValueError: a day is none.
    """
    return Wanted(
        owner=_owner(session, asked.user.strip()),
        agent=claimed(asked.agent) if asked.agent else "",
        mark=_mark(asked.status),
        tool=asked.tool.strip()[:LONGEST_WORDS],
        words=asked.words.strip()[:LONGEST_WORDS],
        since=day(asked.since) if asked.since else None,
        until=day_after(asked.until) if asked.until else None,
    )


def _owner(session: Session, name: str) -> str:
    if not name:
        return ""
    found = users.named(session, name.casefold()) or users.named(session, name)
    if found is None:
        raise Refused
    return found.id


def _mark(status: str) -> ThreadMark | None:
    if not status:
        return None
    for mark in MARKS:
        if status == (mark or IDLE):
            return mark
    raise Refused


def day(text: str) -> datetime:
    """Return the beginning of a day (YYYY-MM-DD), in UTC.

    Raises:
        ValueError: it is no day.
    """
    return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)


def day_after(text: str) -> datetime:
    """Return the end of a day (YYYY-MM-DD), in UTC.

    Raises:
        ValueError: it is no day, or none comes after it.
    """
    try:
        return day(text) + timedelta(days=1)
    except OverflowError as error:
        raise ValueError(text) from error


def _after(last: Overseen) -> str:
    return f"{iso(last.updated)}~{last.id}"


def _place(after: str) -> Place | None:
    """Return where a page begins.

    Raises:
        ValueError, Refused: no page ends there.
    """
    if not after:
        return None
    moment, _, thread_id = after.partition("~")
    updated = datetime.fromisoformat(moment)
    if updated.tzinfo is None:
        raise ValueError(moment)
    return Place(updated, claimed(thread_id))
