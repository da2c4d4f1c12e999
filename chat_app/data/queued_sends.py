"""Lines that wait until the answer under way is over, in the order they are sent; urgent ones first."""

from datetime import datetime

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import QueuedSendRecord
from chat_app.data.tables import Exchange, QueuedSend, Thread, table_of

queued_send = table_of(QueuedSend)
exchange = table_of(Exchange)
thread = table_of(Thread)
_all = select(*sql.columns_of(QueuedSendRecord, queued_send))
_next = (queued_send.c.urgent.desc(), queued_send.c.position)


def add(session: Session, record: QueuedSendRecord) -> None:
    """Store a line; its position is a number of the thread's counter, so it stands behind all others."""
    sql.add(session, queued_send, [record])


def get(session: Session, queued_id: str) -> QueuedSendRecord | None:
    """Return a line by id; None when it was sent or deleted."""
    return sql.one(session, QueuedSendRecord, _all.where(queued_send.c.id == queued_id))


def lock(session: Session, queued_id: str) -> QueuedSendRecord | None:
    """Return a line and keep others from sending, changing or deleting it until the transaction ends."""
    mine = _all.where(queued_send.c.id == queued_id).with_for_update()
    return sql.one(session, QueuedSendRecord, mine)


def of_thread(session: Session, thread_id: str) -> tuple[QueuedSendRecord, ...]:
    """Return the lines of a thread in the order they are sent."""
    return sql.many(session, QueuedSendRecord, _all.where(queued_send.c.thread == thread_id).order_by(*_next))


def count(session: Session, thread_id: str) -> int:
    """Return how many lines of a thread wait."""
    counted = select(func.count()).select_from(queued_send).where(queued_send.c.thread == thread_id)
    found: int = session.execute(counted).scalar_one()
    return found


def change(session: Session, queued_id: str, *, text: str, now: datetime) -> bool:
    """Change what a line says; False when it was sent or deleted."""
    mine = queued_send.c.id == queued_id
    return sql.changed(session, update(queued_send).where(mine).values(text=text, updated=now)) == 1


def hurry(session: Session, queued_id: str, *, now: datetime) -> bool:
    """Put a line first, to be sent however the answer under way ends; False when it was sent or deleted."""
    mine = queued_send.c.id == queued_id
    return sql.changed(session, update(queued_send).where(mine).values(urgent=True, updated=now)) == 1


def take(session: Session, queued_id: str) -> bool:
    """Remove a line; True for exactly one caller, who sends it or forgets it."""
    return sql.changed(session, delete(queued_send).where(queued_send.c.id == queued_id)) == 1


def waiting(session: Session) -> tuple[str, ...]:
    """Return the threads in which lines wait while nothing runs, those of deleted threads left out."""
    busy = exists().where(exchange.c.thread == queued_send.c.thread, exchange.c.ended.is_(None))
    free = (
        select(queued_send.c.thread)
        .join(thread, thread.c.id == queued_send.c.thread)
        .where(thread.c.deleted_at.is_(None), ~busy)
        .distinct()
        .order_by(queued_send.c.thread)
    )
    return tuple(session.execute(free).scalars())
