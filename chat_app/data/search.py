"""What people search in: a line per title and per message, with its text folded for comparing.

The table is derived: dropping it loses nothing but time. It holds what a thread shows; other ways it went are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import MessageRecord, SearchEntryRecord
from chat_app.data.tables import Message, SearchEntry, Thread, table_of

entry = table_of(SearchEntry)
message = table_of(Message)
thread = table_of(Thread)
_told = (
    thread.c.id,
    thread.c.title,
    thread.c.mark,
    entry.c.at,
    entry.c.message,
    message.c.key,
    message.c.position,
    message.c.content,
)


@dataclass(frozen=True, slots=True)
class Found:
    """One hit: the thread and its title, and of a message its key, place, parts and time."""

    thread: str
    title: str
    mark: str
    at: datetime
    message: str | None
    key: str | None
    position: int | None
    content: Any


def put(session: Session, records: Sequence[SearchEntryRecord]) -> None:
    """Add entries or bring them up to date."""
    sql.add_or_change(session, entry, records, by=("id",), keep=())


def stale(session: Session, thread_id: str, *, limit: int) -> tuple[MessageRecord, ...]:
    """Return the messages of a thread, in any branch, whose entries are missing or older than they are."""
    behind = entry.c.id.is_(None) | (entry.c.at < message.c.updated)
    found = (
        select(*sql.columns_of(MessageRecord, message))
        .outerjoin(entry, entry.c.id == message.c.id)
        .where(message.c.thread == thread_id, behind)
    )
    return sql.many(session, MessageRecord, found.order_by(message.c.position).limit(limit))


def find(session: Session, owner: str, words: Sequence[str], *, limit: int) -> tuple[Found, ...]:
    """Return what holds all of the folded words, newest first: titles, and messages of the branches shown."""
    # both databases find bytes faster than they match patterns
    place = func.instr if session.get_bind().dialect.name == "sqlite" else func.strpos
    held = [place(entry.c.folded, word) > 0 for word in words]
    shown = message.c.id.is_(None) | (message.c.branch == thread.c.branch)
    found = (
        select(*_told)
        .select_from(entry)
        .join(thread, thread.c.id == entry.c.thread)
        .outerjoin(message, message.c.id == entry.c.message)
        .where(entry.c.owner == owner, *held, thread.c.deleted_at.is_(None), shown)
        .order_by(entry.c.at.desc(), entry.c.id.desc())
        .limit(limit)
    )
    return tuple(Found(*row) for row in session.execute(found))
