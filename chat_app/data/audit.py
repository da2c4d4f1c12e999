"""Who did what, for ever. Each entry holds the hash of the one before, so that none can be changed or taken out unseen.

Entries name people, threads and questions by id, tools by name and arguments by digest. They hold no text and no
argument, and outlive what they speak of (decisions, *audit and deletion*).
"""

import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Text, and_, cast, func, or_, select, text
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.engines import to_json
from chat_app.data.records import AuditRecord
from chat_app.data.tables import Audit, Interrupt, Thread, table_of

audit = table_of(Audit)
thread = table_of(Thread)
interrupt = table_of(Interrupt)
_all = select(*sql.columns_of(AuditRecord, audit)).order_by(audit.c.seq)

LOCK = 0x617564697400
"""Key of the PostgreSQL advisory lock under which the chain grows; SQLite has one writer anyway."""
FIRST = "0" * 64
"""What the first entry holds as the hash before it."""
PAGE = 1000
END = 2**31 - 1
"""A number after every entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that was done: by whom (None: the system), to what ("thread:<id>"), why, with which ids and digests."""

    action: str
    object: str
    actor: str | None
    at: datetime
    reason: str = ""
    detail: JsonValue = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """Which entries: by whom (an id), of which kind ("question"), in a list of actions, about what, and when.

    `thing` is an object as it is kept ("thread:<id>").
    `agent` finds what was done to an agent and in its chats that are still there; `tool` and `thread` find what was
    done with calls of a tool and in a chat, erased ones too. What is empty narrows nothing.
    """

    thing: str = ""
    actor: str = ""
    kind: str = ""
    actions: Collection[str] = ()
    agent: str = ""
    tool: str = ""
    thread: str = ""
    since: datetime | None = None
    until: datetime | None = None


def append(session: Session, act: Act) -> AuditRecord:
    """Write an act down and return its entry.

    On PostgreSQL others who append wait until this transaction ends, so do it last.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    newest = select(audit.c.seq, audit.c.hash).order_by(audit.c.seq.desc()).limit(1)
    before = session.execute(newest).one_or_none()
    seq, previous = (before.seq + 1, before.hash) if before is not None else (1, FIRST)
    entry = AuditRecord(
        seq=seq,
        at=act.at,
        actor=act.actor,
        action=act.action,
        object=act.object,
        reason=act.reason,
        detail=act.detail,
        previous=previous,
        hash=hash_of(seq, act, previous),
    )
    sql.add(session, audit, [entry])
    return entry


def of_object(session: Session, name: str) -> tuple[AuditRecord, ...]:
    """Return what was done to a thing ("thread:<id>"), oldest first."""
    return sql.many(session, AuditRecord, _all.where(audit.c.object == name))


def of_actor(session: Session, actor: str) -> tuple[AuditRecord, ...]:
    """Return what a person did, oldest first."""
    return sql.many(session, AuditRecord, _all.where(audit.c.actor == actor))


def entries(session: Session, *, page: int = PAGE) -> Iterator[AuditRecord]:
    """Yield every entry, oldest first, read in pages."""
    last = 0
    while found := sql.many(session, AuditRecord, _all.where(audit.c.seq > last).limit(page)):
        yield from found
        last = found[-1].seq


def get(session: Session, seq: int) -> AuditRecord | None:
    """Return the entry of a number."""
    return sql.one(session, AuditRecord, _all.where(audit.c.seq == seq))


def last(session: Session) -> int:
    """Return the number of the newest entry, 0 when there is none."""
    newest: int | None = session.execute(select(func.max(audit.c.seq))).scalar_one()
    return newest or 0


def newest(session: Session, sought: Sought, *, before: int = END, limit: int) -> tuple[AuditRecord, ...]:
    """Return entries that are sought, newest first, those numbered below `before`."""
    found = _all.where(audit.c.seq < before, *_conditions(session, sought))
    return sql.many(session, AuditRecord, found.order_by(None).order_by(audit.c.seq.desc()).limit(limit))


def oldest(
    session: Session, sought: Sought, *, after: int, upto: int, limit: int = PAGE
) -> tuple[AuditRecord, ...]:
    """Return entries that are sought, oldest first, those numbered above `after` and not above `upto`."""
    within = audit.c.seq > after, audit.c.seq <= upto
    return sql.many(session, AuditRecord, _all.where(*within, *_conditions(session, sought)).limit(limit))


def fits(entry: AuditRecord, before: AuditRecord | None) -> bool:
    """Return whether an entry is as it was written and stands behind the one `before` (None: it is the first)."""
    previous = before.hash if before is not None else FIRST
    return entry.previous == previous and entry.hash == hash_of(entry.seq, _act(entry), previous)


def broken_at(session: Session, *, page: int = PAGE) -> int | None:
    """Return the number of the first entry that is not as it was written or not where it belongs; None: all are."""
    seq, previous = 1, FIRST
    for entry in entries(session, page=page):
        if (entry.seq, entry.previous) != (seq, previous) or entry.hash != hash_of(
            seq, _act(entry), previous
        ):
            return seq
        seq, previous = seq + 1, entry.hash
    return None


def hash_of(seq: int, act: Act, previous: str) -> str:
    """Return the SHA-256 (64 hex digits) of an entry and of the hash before it."""
    fields = [
        seq,
        act.at.astimezone(UTC).isoformat(),
        act.actor,
        act.action,
        act.object,
        act.reason,
        act.detail,
        previous,
    ]
    return sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _act(entry: AuditRecord) -> Act:
    return Act(
        action=entry.action,
        object=entry.object,
        actor=entry.actor,
        at=entry.at,
        reason=entry.reason,
        detail=entry.detail,
    )


def _conditions(session: Session, sought: Sought) -> list[ColumnElement[bool]]:
    conditions: tuple[tuple[object, Callable[[], ColumnElement[bool]]], ...] = (
        (sought.thing, lambda: audit.c.object == sought.thing),
        (sought.actor, lambda: audit.c.actor == sought.actor),
        (sought.kind, lambda: audit.c.action.startswith(f"{sought.kind}.", autoescape=True)),
        (sought.actions, lambda: audit.c.action.in_(sought.actions)),
        (sought.agent, lambda: _of_agent(sought.agent)),
        (sought.tool, lambda: _tells(session, "tool", sought.tool)),
        (sought.thread, lambda: _of_thread(session, sought.thread)),
        (sought.since, lambda: audit.c.at >= sought.since),
        (sought.until, lambda: audit.c.at < sought.until),
    )
    return [condition() for given, condition in conditions if given]


def _of_thread(session: Session, thread_id: str) -> ColumnElement[bool]:
    return or_(audit.c.object == f"thread:{thread_id}", _tells(session, "thread", thread_id))


def _of_agent(agent_id: str) -> ColumnElement[bool]:
    """Say that an entry is about an agent, a thread with it or a question in one, found by the id it is kept under."""
    its = select(thread.c.id).where(thread.c.id == _row("thread"), thread.c.agent == agent_id)
    both = interrupt.join(thread, thread.c.id == interrupt.c.thread)
    asked = select(interrupt.c.id).select_from(both)
    asked = asked.where(interrupt.c.id == _row("interrupt"), thread.c.agent == agent_id)
    named = audit.c.object == f"agent:{agent_id}"
    return or_(
        named,
        and_(audit.c.object.startswith("thread:"), its.exists()),
        and_(audit.c.object.startswith("interrupt:"), asked.exists()),
    )


def _row(kind: str) -> ColumnElement[str]:
    return func.substr(audit.c.object, len(f"{kind}:") + 1)


def _tells(session: Session, name: str, value: str) -> ColumnElement[bool]:
    """Say that the detail has a value under a name.

    It is looked for in the text as we write it: inside of a string its quotes would be escaped, so nothing else can
    be taken for it. PostgreSQL's own operators fail on a document with an escaped NUL, which an agent may send.
    """
    place = func.instr if session.get_bind().dialect.name == "sqlite" else func.strpos
    return place(cast(audit.c.detail, Text), f"{to_json(name)}:{to_json(value)}") > 0
