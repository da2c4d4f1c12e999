"""Rows of the drawn transcript, as they stood at the last flush.

What is asked of a thread is asked of the branch it shows, unless another one is named.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, and_, delete, exists, func, select
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import MessageRecord
from chat_app.data.tables import Message, table_of

message = table_of(Message)
_all = select(*sql.columns_of(MessageRecord, message))
_drawn = (message.c.position, message.c.key)


@dataclass(frozen=True, slots=True)
class MessagePage:
    """Consecutive rows in the order they are drawn; `older` says whether others come before them."""

    messages: tuple[MessageRecord, ...]
    older: bool


def upsert(session: Session, records: Sequence[MessageRecord]) -> None:
    """Add rows or bring them up to date, of any number of threads; a row is known by its thread, branch and key.

    A row that exists keeps its id and its time of creation, whatever the record says.
    """
    sql.add_or_change(session, message, records, by=("thread", "branch", "key"), keep=("id", "created"))


def drop(session: Session, thread: str, keys: Sequence[str]) -> int:
    """Remove rows that the transcript no longer has; return how many there were."""
    return sql.changed(session, delete(message).where(_shown(thread), message.c.key.in_(keys)))


def by_key(session: Session, thread: str, key: str) -> MessageRecord | None:
    """Return one row of a thread."""
    return sql.one(session, MessageRecord, _all.where(_shown(thread), message.c.key == key))


def ids(session: Session, thread: str, keys: Sequence[str]) -> dict[str, str]:
    """Return the ids of rows by their keys; keys nobody holds are left out."""
    statement = select(message.c.key, message.c.id).where(_shown(thread), message.c.key.in_(keys))
    return {row.key: row.id for row in session.execute(statement)}


def get(session: Session, message_id: str) -> MessageRecord | None:
    """Return a row by id, whatever branch it is of."""
    return sql.one(session, MessageRecord, _all.where(message.c.id == message_id))


def of_thread(session: Session, thread: str, *, branch: int | None = None) -> tuple[MessageRecord, ...]:
    """Return every row of a thread in the order it is drawn."""
    rows = _shown(thread) if branch is None else _of_branch(thread, branch)
    return sql.many(session, MessageRecord, _all.where(rows).order_by(*_drawn))


def last(
    session: Session, thread: str, *, branch: int, role: str | None = None, before: int | None = None
) -> MessageRecord | None:
    """Return the last row of a branch, of a role and before a position where these are given."""
    rows = _all.where(_of_branch(thread, branch))
    if role is not None:
        rows = rows.where(message.c.role == role)
    if before is not None:
        rows = rows.where(message.c.position < before)
    newest = rows.order_by(message.c.position.desc(), message.c.key.desc()).limit(1)
    return sql.one(session, MessageRecord, newest)


def first_from(session: Session, thread: str, position: int) -> MessageRecord | None:
    """Return the first row of a thread at a position or after it."""
    rows = _all.where(_shown(thread), message.c.position >= position).order_by(*_drawn)
    return sql.one(session, MessageRecord, rows.limit(1))


def newest(session: Session, thread: str, *, before: int | None = None, limit: int = 50) -> MessagePage:
    """Return the last `limit` rows of a thread, or the last ones before a position.

    Rows that share the position of the page's first row come with it, so that no page cuts between them and
    `before=page.messages[0].position` is the next page, without gap or overlap.
    """
    rows = _shown(thread)
    if before is not None:
        rows = and_(rows, message.c.position < before)
    first = _first_position(session, rows, limit)
    page = sql.many(session, MessageRecord, _all.where(rows, message.c.position >= first).order_by(*_drawn))
    older = session.execute(select(exists().where(rows, message.c.position < first))).scalar_one()
    return MessagePage(page, older)


def between(session: Session, thread: str, first: int, before: int) -> int:
    """Return how many rows a thread shows from a position on and before another."""
    rows = _shown(thread), message.c.position >= first, message.c.position < before
    found: int = session.execute(select(func.count()).select_from(message).where(*rows)).scalar_one()
    return found


def _first_position(session: Session, rows: ColumnElement[bool], limit: int) -> int:
    """Return the position of the last of `limit` rows counted from the end, 0 when there are fewer."""
    positions = select(message.c.position).where(rows).order_by(message.c.position.desc())
    found: int | None = session.execute(positions.offset(limit - 1).limit(1)).scalar_one_or_none()
    return 0 if found is None else found


def _shown(thread: str) -> ColumnElement[bool]:
    return and_(message.c.thread == thread, message.c.branch == branches.shown(thread))


def _of_branch(thread: str, number: int) -> ColumnElement[bool]:
    return and_(message.c.thread == thread, message.c.branch == number)
