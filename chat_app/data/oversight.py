"""Threads and runs of everybody, as those who look after them list and count them.

No text of a chat leaves this module; `texts` are looked for in what people search in.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select, tuple_
from sqlalchemy.orm import Session

from chat_app.data.records import ThreadMark
from chat_app.data.tables import (
    Agent,
    Decision,
    Interrupt,
    Message,
    Run,
    SearchEntry,
    Thread,
    ToolCall,
    User,
    table_of,
)
from chat_app.data.threads import Place

thread = table_of(Thread)
user = table_of(User)
agent = table_of(Agent)
message = table_of(Message)
tool_call = table_of(ToolCall)
run = table_of(Run)
interrupt = table_of(Interrupt)
decision = table_of(Decision)
entry = table_of(SearchEntry)
_there: ColumnElement[bool] = thread.c.deleted_at.is_(None)

COMMON = 5_000
"""So many calls make a tool a common one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which threads: whose (an id), with which agent (an id), in which state, with calls of a tool, changed when.

    `words` are looked for in titles, whatever their case, and `texts` (folded) in titles and messages, all of them in
    the same one. None and empty: any.
    """

    owner: str = ""
    agent: str = ""
    mark: ThreadMark | None = None
    tool: str = ""
    words: str = ""
    texts: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Overseen:
    """A thread in the list of all: whose it is and with whom, how it stands, and how many entries its log has."""

    id: str
    title: str
    owner: str
    owner_name: str
    agent_name: str
    mark: ThreadMark
    archived: bool
    entries: int
    updated: datetime


@dataclass(frozen=True, slots=True)
class Holds:
    """What is in a thread, in all its branches: how many messages, which tools were called, what each run used."""

    messages: int
    tools: tuple[str, ...]
    usage: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Took:
    """What one run took, for counting: whose it was, with which agent, when, how it ended and its tokens as told."""

    owner: str
    agent: str
    started: datetime
    ended: datetime | None
    status: str
    usage: Any


@dataclass(frozen=True, slots=True)
class Waited:
    """How long one question waited, for counting: whose it was, with which agent, when it was asked and settled.

    `decided` is when a person answered; None when nobody did.
    """

    owner: str
    agent: str
    asked: datetime
    settled: datetime
    decided: datetime | None


def page(
    session: Session, wanted: Wanted, *, before: Place | None = None, limit: int = 50
) -> tuple[Overseen, ...]:
    """Return threads of everybody that are not deleted, newest first, from behind the place `before`."""
    found = _page(session, wanted, before).limit(limit)
    return tuple(Overseen(*row) for row in session.execute(found))


def one(session: Session, thread_id: str) -> Overseen | None:
    """Return a thread as the list of all shows it; None when it is unknown or deleted."""
    row = session.execute(_all().where(thread.c.id == thread_id, _there)).one_or_none()
    return None if row is None else Overseen(*row)


def holds(session: Session, thread_ids: Sequence[str]) -> dict[str, Holds]:
    """Return what is in these threads, by their ids."""
    counts = select(message.c.thread, func.count()).where(message.c.thread.in_(thread_ids))
    counted: dict[str, int] = dict(session.execute(counts.group_by(message.c.thread)).all())
    called = (
        select(message.c.thread, tool_call.c.name)
        .select_from(message.join(tool_call, tool_call.c.message == message.c.id))
        .where(message.c.thread.in_(thread_ids))
        .distinct()
    )
    tools: dict[str, list[str]] = {}
    for one, name in session.execute(called):
        tools.setdefault(one, []).append(name)
    used = select(run.c.thread, run.c.usage).where(run.c.thread.in_(thread_ids), run.c.usage.is_not(None))
    usage: dict[str, list[Any]] = {}
    for one, reported in session.execute(used):
        usage.setdefault(one, []).append(reported)
    return {
        one: Holds(counted.get(one, 0), tuple(sorted(tools.get(one, ()))), tuple(usage.get(one, ())))
        for one in thread_ids
    }


def took(session: Session, *, since: datetime, until: datetime) -> tuple[Took, ...]:
    """Return what the runs that began in a stretch of time took, oldest first."""
    told = (thread.c.owner, thread.c.agent, run.c.started, run.c.ended, run.c.status, run.c.usage)
    found = select(*told).select_from(run.join(thread, thread.c.id == run.c.thread))
    during = found.where(run.c.started >= since, run.c.started < until).order_by(run.c.started)
    return tuple(Took(*row) for row in session.execute(during))


def waited(session: Session, *, since: datetime, until: datetime) -> tuple[Waited, ...]:
    """Return the questions that stopped waiting in a stretch of time, in the order they did."""
    by_person = decision.c.by.is_not(None) & (decision.c.interrupt == interrupt.c.id)
    told = (thread.c.owner, thread.c.agent, interrupt.c.created, interrupt.c.settled_at, decision.c.at)
    found = (
        select(*told)
        .select_from(interrupt.join(thread, thread.c.id == interrupt.c.thread).outerjoin(decision, by_person))
        .where(interrupt.c.settled_at >= since, interrupt.c.settled_at < until)
        .order_by(interrupt.c.settled_at, interrupt.c.id)
    )
    return tuple(Waited(*row) for row in session.execute(found))


def _all() -> Select[Any]:
    named = (user.c.display_name, agent.c.name)
    own = (thread.c.id, thread.c.title, thread.c.owner)
    states = (thread.c.mark, thread.c.archived, thread.c.last_seq, thread.c.updated)
    both = thread.join(user, user.c.id == thread.c.owner).join(agent, agent.c.id == thread.c.agent)
    return select(*own, *named, *states).select_from(both)


def _page(session: Session, wanted: Wanted, before: Place | None) -> Select[Any]:
    found = _all().where(_there, *_conditions(session, wanted))
    if before is not None:
        found = found.where(tuple_(thread.c.updated, thread.c.id) < (before.updated, before.id))
    return found.order_by(thread.c.updated.desc(), thread.c.id.desc())


def _conditions(session: Session, wanted: Wanted) -> list[ColumnElement[bool]]:
    title = func.lower(thread.c.title)
    conditions: tuple[tuple[object, Callable[[], ColumnElement[bool]]], ...] = (
        (wanted.owner, lambda: thread.c.owner == wanted.owner),
        (wanted.agent, lambda: thread.c.agent == wanted.agent),
        (wanted.mark is not None, lambda: thread.c.mark == wanted.mark),
        (wanted.tool, lambda: _with_calls(session, wanted.tool)),
        (wanted.words, lambda: title.contains(wanted.words.lower(), autoescape=True)),
        (wanted.texts, lambda: thread.c.id.in_(_with_texts(session, wanted))),
        (wanted.since, lambda: thread.c.updated >= wanted.since),
        (wanted.until, lambda: thread.c.updated < wanted.until),
    )
    return [condition() for given, condition in conditions if given]


def _with_calls(session: Session, tool: str) -> ColumnElement[bool]:
    """Say that a tool was called in a thread.

    Few calls are looked for first, and their threads then. Where there are many, the newest threads hold some, and each
    is asked in its turn until a page is full.
    """
    called = select(tool_call.c.id).where(tool_call.c.name == tool).limit(COMMON).subquery()
    many = session.execute(select(func.count()).select_from(called)).scalar_one() == COMMON
    if many:
        call = select(tool_call.c.id).where(tool_call.c.message == message.c.id, tool_call.c.name == tool)
        return select(message.c.id).where(message.c.thread == thread.c.id, call.exists()).exists()
    both = message.join(tool_call, tool_call.c.message == message.c.id)
    return thread.c.id.in_(select(message.c.thread).select_from(both).where(tool_call.c.name == tool))


def _with_texts(session: Session, wanted: Wanted) -> Select[Any]:
    # both databases find bytes faster than they match patterns
    place = func.instr if session.get_bind().dialect.name == "sqlite" else func.strpos
    found = select(entry.c.thread).where(*(place(entry.c.folded, text) > 0 for text in wanted.texts))
    return found.where(entry.c.owner == wanted.owner) if wanted.owner else found
