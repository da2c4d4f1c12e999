"""Exchanges: one alive per thread, held by one worker under a lease that it renews.

Everything a worker writes for an exchange is conditional on `held` in the same transaction. A worker whose
lease ran out may have been replaced: it learns so there, and stops.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.errors import ThreadBusy
from chat_app.data.records import ExchangeRecord
from chat_app.data.tables import Exchange, table_of

exchange = table_of(Exchange)
_all = select(*sql.columns_of(ExchangeRecord, exchange))
_alive: ColumnElement[bool] = exchange.c.ended.is_(None)


def start(session: Session, record: ExchangeRecord) -> None:
    """Begin an exchange.

    Raises:
        ThreadBusy: another exchange of the thread is alive, here or on another worker.
    """
    if not sql.add_unless(session, exchange, record):
        raise ThreadBusy(record.thread)


def get(session: Session, exchange_id: str) -> ExchangeRecord | None:
    """Return an exchange by id, alive or over."""
    return sql.one(session, ExchangeRecord, _all.where(exchange.c.id == exchange_id))


def live_of(session: Session, thread: str) -> ExchangeRecord | None:
    """Return the live exchange of a thread."""
    return sql.one(session, ExchangeRecord, _all.where(exchange.c.thread == thread, _alive))


def live(session: Session) -> tuple[ExchangeRecord, ...]:
    """Return every live exchange of every worker, the one whose lease ends first at the front."""
    return sql.many(session, ExchangeRecord, _all.where(_alive).order_by(exchange.c.lease_until))


def expired(session: Session, *, now: datetime) -> tuple[ExchangeRecord, ...]:
    """Return live exchanges whose worker has not renewed in time."""
    late = _all.where(_alive, exchange.c.lease_until < now).order_by(exchange.c.lease_until)
    return sql.many(session, ExchangeRecord, late)


def alive(session: Session, *, by: str | None = None, worker_id: str | None = None) -> int:
    """Return how many exchanges are alive, of one person or of one worker when those are given."""
    counted = select(func.count()).select_from(exchange).where(_alive)
    if by is not None:
        counted = counted.where(exchange.c.by == by)
    if worker_id is not None:
        counted = counted.where(exchange.c.worker_id == worker_id)
    found: int = session.execute(counted).scalar_one()
    return found


def held(session: Session, exchange_ids: Sequence[str], *, worker_id: str) -> frozenset[str]:
    """Return which of the exchanges are alive and this worker's; they stay so until the transaction ends."""
    mine = exchange.c.id.in_(exchange_ids), exchange.c.worker_id == worker_id, _alive
    # in the order of ids: two workers locking the same rows must not meet crosswise
    statement = select(exchange.c.id).where(*mine).order_by(exchange.c.id).with_for_update()
    return frozenset(session.execute(statement).scalars())


def renew(
    session: Session, exchange_ids: Sequence[str], *, worker_id: str, lease_until: datetime
) -> frozenset[str]:
    """Extend the leases this worker still holds; return which. The others are somebody else's or over."""
    mine = held(session, exchange_ids, worker_id=worker_id)
    session.execute(update(exchange).where(exchange.c.id.in_(mine)).values(lease_until=lease_until))
    return mine


def take_over(session: Session, seen: ExchangeRecord, *, worker_id: str, lease_until: datetime) -> bool:
    """Become the worker of an exchange whose owner is gone; False when it moved since it was seen.

    One of many reapers wins: the row must still hold the worker and the lease that were seen.
    """
    unmoved = (
        exchange.c.id == seen.id,
        exchange.c.worker_id == seen.worker_id,
        exchange.c.lease_until == seen.lease_until,
        _alive,
    )
    taken = update(exchange).where(*unmoved).values(worker_id=worker_id, lease_until=lease_until)
    return sql.changed(session, taken) == 1


def request_stop(session: Session, thread: str, *, by: str, now: datetime) -> ExchangeRecord | None:
    """Ask for the live exchange of a thread to stop and return it; None when nothing is alive.

    Asking again changes nothing: the first who asked is remembered.
    """
    unasked = exchange.c.thread == thread, _alive, exchange.c.stop_requested_at.is_(None)
    session.execute(update(exchange).where(*unasked).values(stop_requested_at=now, stop_requested_by=by))
    return live_of(session, thread)


def end(session: Session, exchange_id: str, *, worker_id: str, now: datetime) -> bool:
    """End an exchange of this worker; False when it is over or somebody else's."""
    mine = exchange.c.id == exchange_id, exchange.c.worker_id == worker_id, _alive
    return sql.changed(session, update(exchange).where(*mine).values(ended=now)) == 1
