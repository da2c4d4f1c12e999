"""Conversations: the list of them, and the row that holds a conversation's counter, state and mark."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypedDict, Unpack

from pydantic import JsonValue
from sqlalchemy import ColumnElement, exists, func, select, tuple_, update
from sqlalchemy import delete as remove
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.errors import ThreadGone
from chat_app.data.records import ThreadLine, ThreadMark, ThreadRecord
from chat_app.data.tables import Exchange, Thread, table_of

thread = table_of(Thread)
exchange = table_of(Exchange)
_all = select(*sql.columns_of(ThreadRecord, thread))
_lines = select(*sql.columns_of(ThreadLine, thread))
_there: ColumnElement[bool] = thread.c.deleted_at.is_(None)
_quiet: ColumnElement[bool] = ~exists().where(exchange.c.thread == thread.c.id, exchange.c.ended.is_(None))


@dataclass(frozen=True, slots=True)
class ThreadPage:
    """Part of a list of threads, newest first; `more` says whether older ones exist."""

    threads: tuple[ThreadLine, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a list a page ends: the last thread shown, and when it last changed."""

    updated: datetime
    id: str


class ThreadChange(TypedDict, total=False):
    """What may be changed of a thread without a rule of its own."""

    title: str
    mark: ThreadMark
    leaf: str | None
    state: JsonValue
    state_seen: bool
    pinned: bool
    archived: bool
    agent: str
    wire_id: str
    branch: int
    updated: datetime
    tags: tuple[str, ...]
    indexed_seq: int


def create(session: Session, record: ThreadRecord) -> None:
    """Store a new thread."""
    sql.add(session, thread, [record])


def begin(session: Session, record: ThreadRecord) -> bool:
    """Store a new thread unless there is one of this id; False then, and when another worker was faster."""
    return sql.add_unless(session, thread, record)


def get(session: Session, thread_id: str) -> ThreadRecord | None:
    """Return a thread by id, whosoever it is; None when it is unknown or deleted."""
    return sql.one(session, ThreadRecord, _all.where(thread.c.id == thread_id, _there))


def any_of(session: Session, thread_id: str) -> ThreadRecord | None:
    """Return a thread by id, deleted or not, for those who look after the data."""
    return sql.one(session, ThreadRecord, _all.where(thread.c.id == thread_id))


def every_id(session: Session) -> Sequence[str]:
    """Return the ids of all threads, deleted ones too, oldest first."""
    return session.execute(select(thread.c.id).order_by(thread.c.id)).scalars().all()


def deleted(session: Session, thread_id: str) -> ThreadRecord | None:
    """Return a thread that is out of sight and not yet erased, whosoever it is."""
    return sql.one(
        session, ThreadRecord, _all.where(thread.c.id == thread_id, thread.c.deleted_at.is_not(None))
    )


def owned(session: Session, thread_id: str, *, owner: str) -> ThreadRecord | None:
    """Return a thread of this owner; a foreign one, an unknown one and a deleted one are all None."""
    return sql.one(
        session, ThreadRecord, _all.where(thread.c.id == thread_id, thread.c.owner == owner, _there)
    )


def line(session: Session, thread_id: str) -> ThreadLine | None:
    """Return a thread as the list shows it, whosoever it is; None when it is unknown or deleted."""
    return sql.one(session, ThreadLine, _lines.where(thread.c.id == thread_id, _there))


def listed(  # noqa: PLR0913 - which page of which list
    session: Session,
    owner: str,
    *,
    before: ThreadLine | Place | None = None,
    limit: int = 50,
    archived: bool = False,
    pinned: bool = False,
) -> ThreadPage:
    """Return an owner's threads, newest first, at most `limit`; `before` is the last line already shown.

    Pinned ones are a list of their own.
    """
    mine = thread.c.owner == owner, thread.c.archived.is_(archived), thread.c.pinned.is_(pinned), _there
    page = _lines.where(*mine)
    if before is not None:
        page = page.where(tuple_(thread.c.updated, thread.c.id) < (before.updated, before.id))
    newest = page.order_by(thread.c.updated.desc(), thread.c.id.desc()).limit(limit + 1)
    lines = sql.many(session, ThreadLine, newest)
    return ThreadPage(lines[:limit], len(lines) > limit)


def change(session: Session, thread_id: str, **values: Unpack[ThreadChange]) -> bool:
    """Change a thread, deleted or not, so that a deletion can be undone whole; False when it is unknown."""
    return sql.changed(session, update(thread).where(thread.c.id == thread_id).values(**values)) == 1


def reserve(session: Session, thread_id: str, *, count: int = 1) -> int:
    """Take `count` numbers from the thread's counter and return the first; nobody else gets them.

    Raises:
        ThreadGone: there is no such thread.
    """
    taken = update(thread).where(thread.c.id == thread_id).values(last_seq=thread.c.last_seq + count)
    if sql.changed(session, taken) == 0:
        raise ThreadGone
    last: int = session.execute(select(thread.c.last_seq).where(thread.c.id == thread_id)).scalar_one()
    return last - count + 1


def advance(session: Session, thread_id: str, *, last_seq: int) -> bool:
    """Move the counter to `last_seq`, for those who count in memory; False when it is there or beyond."""
    behind = thread.c.id == thread_id, thread.c.last_seq < last_seq
    return sql.changed(session, update(thread).where(*behind).values(last_seq=last_seq)) == 1


def see(session: Session, thread_id: str, *, seq: int) -> bool:
    """Note that the owner has looked at everything up to `seq`; False when they had before."""
    unseen = thread.c.id == thread_id, thread.c.seen_seq < seq
    return sql.changed(session, update(thread).where(*unseen).values(seen_seq=seq)) == 1


def delete(session: Session, thread_id: str, *, now: datetime) -> bool:
    """Take a thread out of sight; it can be restored until it is erased. False when it was out of sight."""
    return (
        sql.changed(session, update(thread).where(thread.c.id == thread_id, _there).values(deleted_at=now))
        == 1
    )


def restore(session: Session, thread_id: str) -> bool:
    """Bring a deleted thread back; False when it is not deleted, or erased already."""
    gone = thread.c.id == thread_id, thread.c.deleted_at.is_not(None)
    return sql.changed(session, update(thread).where(*gone).values(deleted_at=None)) == 1


def unindexed(session: Session, owner: str | None, *, limit: int) -> tuple[ThreadRecord, ...]:
    """Return threads of an owner (None: of anybody) that changed since they were made searchable, newest first."""
    behind = _all.where(thread.c.indexed_seq != thread.c.last_seq, _there)
    if owner is not None:
        behind = behind.where(thread.c.owner == owner)
    return sql.many(session, ThreadRecord, behind.order_by(thread.c.updated.desc()).limit(limit))


def ids_of(session: Session, owner: str) -> Sequence[str]:
    """Return the ids of an owner's threads, deleted and archived ones too, oldest first."""
    return (
        session.execute(select(thread.c.id).where(thread.c.owner == owner).order_by(thread.c.id))
        .scalars()
        .all()
    )


def due_deleted(session: Session, *, before: datetime, limit: int) -> Sequence[str]:
    """Return threads deleted before a moment that have no live exchange, and keep them from being restored."""
    due = select(thread.c.id).where(thread.c.deleted_at < before, _quiet).order_by(thread.c.deleted_at)
    return session.execute(due.limit(limit).with_for_update()).scalars().all()


def due_unused(session: Session, *, agent: str, before: datetime, limit: int) -> Sequence[str]:
    """Return threads with an agent that nothing happened in since a moment, longest first, and that are not pinned."""
    due = select(thread.c.id).where(*_unused(agent, before)).order_by(thread.c.updated, thread.c.id)
    return session.execute(due.limit(limit).with_for_update()).scalars().all()


def count_deleted(session: Session, *, before: datetime | None = None) -> int:
    """Return how many threads are deleted and not yet erased; with `before`, how many `due_deleted` would return."""
    due = [] if before is None else [thread.c.deleted_at < before, _quiet]
    return _count(session, thread.c.deleted_at.is_not(None), *due)


def count_unused(session: Session, *, agent: str, before: datetime, but_deleted: datetime) -> int:
    """Return how many threads `due_unused` would return without a limit, but for those deleted before a moment."""
    other = thread.c.deleted_at.is_(None) | (thread.c.deleted_at >= but_deleted)
    return _count(session, *_unused(agent, before), other)


def _unused(agent: str, before: datetime) -> tuple[ColumnElement[bool], ...]:
    return thread.c.agent == agent, thread.c.updated < before, thread.c.pinned.is_(False), _quiet


def _count(session: Session, *conditions: ColumnElement[bool]) -> int:
    counted = select(func.count()).select_from(thread).where(*conditions)
    found: int = session.execute(counted).scalar_one()
    return found


def erase(session: Session, ids: Sequence[str]) -> int:
    """Erase threads with everything of theirs; return how many there were."""
    return sql.changed(session, remove(thread).where(thread.c.id.in_(ids)))
