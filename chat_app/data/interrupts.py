"""Questions runs ended with."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, exists, literal_column, or_, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import InterruptRecord, InterruptStatus
from chat_app.data.tables import Decision, Interrupt, table_of

interrupt = table_of(Interrupt)
decision = table_of(Decision)
_all = select(*sql.columns_of(InterruptRecord, interrupt))
_asked = (interrupt.c.position, interrupt.c.id)
# written out, not bound: SQLite uses a partial index only when it can read the condition
_pending: ColumnElement[bool] = interrupt.c.status == literal_column("'pending'")


def add(session: Session, records: Sequence[InterruptRecord]) -> None:
    """Store the questions of a run."""
    sql.add(session, interrupt, records)


def get(session: Session, interrupt_id: str) -> InterruptRecord | None:
    """Return a question by id."""
    return sql.one(session, InterruptRecord, _all.where(interrupt.c.id == interrupt_id))


def of_run(session: Session, run: str) -> tuple[InterruptRecord, ...]:
    """Return the questions of a run in the order they were asked."""
    return sql.many(session, InterruptRecord, _all.where(interrupt.c.run == run).order_by(*_asked))


def pending(session: Session, thread: str) -> tuple[InterruptRecord, ...]:
    """Return the questions of a thread that wait, in the order they were asked."""
    return sql.many(
        session, InterruptRecord, _all.where(interrupt.c.thread == thread, _pending).order_by(*_asked)
    )


def undecided(session: Session, run: str, *, now: datetime) -> tuple[InterruptRecord, ...]:
    """Return the questions of a run that still need an answer before it can be sealed.

    An expired one needs none: it goes out as cancelled. Call `runs.lock` first, so that nobody answers
    meanwhile.
    """
    decided = exists().where(decision.c.interrupt == interrupt.c.id)
    in_time = or_(interrupt.c.expires_at.is_(None), interrupt.c.expires_at > now)
    waiting = _all.where(interrupt.c.run == run, _pending, in_time, ~decided)
    return sql.many(session, InterruptRecord, waiting.order_by(*_asked))


def placed(
    session: Session, thread: str, *, first: int, before: int | None = None
) -> tuple[InterruptRecord, ...]:
    """Return the questions a thread shows from position `first` on, up to `before` exclusively."""
    shown = _all.where(interrupt.c.thread == thread, interrupt.c.position >= first)
    if before is not None:
        shown = shown.where(interrupt.c.position < before)
    return sql.many(session, InterruptRecord, shown.order_by(*_asked))


def overdue(session: Session, *, now: datetime) -> tuple[InterruptRecord, ...]:
    """Return the waiting questions of all threads whose time is over, longest first."""
    late = _all.where(_pending, interrupt.c.expires_at <= now).order_by(interrupt.c.expires_at)
    return sql.many(session, InterruptRecord, late)


def set_status(
    session: Session,
    interrupt_ids: Sequence[str],
    *,
    status: InterruptStatus,
    was: Sequence[InterruptStatus] = ("pending",),
) -> int:
    """Move questions that stand at one of `was` to `status`; return how many moved."""
    movable = interrupt.c.id.in_(interrupt_ids), interrupt.c.status.in_(was)
    return sql.changed(session, update(interrupt).where(*movable).values(status=status))
