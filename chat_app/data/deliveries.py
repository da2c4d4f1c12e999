"""Notices on their way: one row for each target, taken by one worker at a time, kept until they are old."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, func, literal_column, or_, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import DeliveryRecord, DeliveryState
from chat_app.data.tables import Delivery, table_of

delivery = table_of(Delivery)
_all = select(*sql.columns_of(DeliveryRecord, delivery))
# written out, not bound: SQLite uses a partial index only when it can read the condition
_waiting: ColumnElement[bool] = delivery.c.state == literal_column("'waiting'")


def add(session: Session, records: Sequence[DeliveryRecord]) -> int:
    """Store deliveries, but for those whose notice is on its way to that target already; return how many are new."""
    return sum(sql.add_unless(session, delivery, record) for record in records)


def get(session: Session, delivery_id: str) -> DeliveryRecord | None:
    """Return a delivery by id."""
    return sql.one(session, DeliveryRecord, _all.where(delivery.c.id == delivery_id))


def due(
    session: Session, *, now: datetime, limit: int, without: Collection[str] = ()
) -> tuple[DeliveryRecord, ...]:
    """Return deliveries that it is time for and nobody holds, the longest due first; none to targets in `without`."""
    free = or_(delivery.c.lease_until.is_(None), delivery.c.lease_until <= now)
    ready = _waiting, delivery.c.due <= now, free, delivery.c.target.not_in(list(without))
    in_order = _all.where(*ready).order_by(delivery.c.due, delivery.c.id)
    return sql.many(session, DeliveryRecord, in_order.limit(limit))


def take(session: Session, delivery_id: str, *, by: str, now: datetime, until: datetime) -> bool:
    """Hold a delivery for one try; True for exactly one of those who would."""
    free = or_(delivery.c.lease_until.is_(None), delivery.c.lease_until <= now)
    ready = delivery.c.id == delivery_id, _waiting, delivery.c.due <= now, free
    held = {"held_by": by, "lease_until": until, "attempts": delivery.c.attempts + 1}
    return sql.changed(session, update(delivery).where(*ready).values(held)) == 1


def settle(  # noqa: PLR0913 - what became of one row
    session: Session, delivery_id: str, *, by: str, state: DeliveryState, outcome: str, at: datetime
) -> bool:
    """End a delivery that `by` holds; False when somebody else holds it by now."""
    mine = delivery.c.id == delivery_id, delivery.c.held_by == by
    ended = {"state": state, "outcome": outcome, "settled_at": at, **_NOBODYS}
    return sql.changed(session, update(delivery).where(*mine).values(ended)) == 1


def postpone(session: Session, delivery_id: str, *, by: str, outcome: str, due: datetime) -> bool:
    """Try a delivery that `by` holds again at `due`; False when somebody else holds it by now."""
    mine = delivery.c.id == delivery_id, delivery.c.held_by == by
    later = {"outcome": outcome, "due": due, **_NOBODYS}
    return sql.changed(session, update(delivery).where(*mine).values(later)) == 1


def release(session: Session) -> int:
    """Let go of everything that an earlier process held, for one that is alone; return how much that was."""
    return sql.changed(session, update(delivery).where(delivery.c.held_by.is_not(None)).values(_NOBODYS))


def again(session: Session, delivery_id: str, *, now: datetime) -> bool:
    """Try a delivery anew that was given up; False when there is none, it is under way, or it was a test."""
    given_up = delivery.c.state.in_(("failed", "dropped"))
    over = delivery.c.id == delivery_id, given_up, delivery.c.kind != "test"
    anew = {"state": "waiting", "attempts": 0, "due": now, "settled_at": None}
    return sql.changed(session, update(delivery).where(*over).values(anew)) == 1


def newest(session: Session, *, limit: int, state: DeliveryState | None = None) -> tuple[DeliveryRecord, ...]:
    """Return deliveries, the newest first, in one state where that is given."""
    these = _all if state is None else _all.where(delivery.c.state == state)
    return sql.many(
        session, DeliveryRecord, these.order_by(delivery.c.created.desc(), delivery.c.id.desc()).limit(limit)
    )


def counts(session: Session) -> dict[str, int]:
    """Return how many deliveries there are in each state."""
    rows = session.execute(select(delivery.c.state, func.count().label("number")).group_by(delivery.c.state))
    return {row.state: row.number for row in rows}


def purge(session: Session, *, before: datetime) -> int:
    """Forget deliveries that ended before a moment; return how many."""
    return sql.changed(session, delete(delivery).where(delivery.c.settled_at < before))


_NOBODYS = {"held_by": None, "lease_until": None}
