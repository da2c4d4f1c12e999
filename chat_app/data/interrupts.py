"""Questions runs ended with."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, exists, literal_column, or_, select, update
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import InterruptRecord, InterruptStatus
from chat_app.data.tables import Decision, Interrupt, Run, table_of

interrupt = table_of(Interrupt)
decision = table_of(Decision)
run = table_of(Run)
_all = select(*sql.columns_of(InterruptRecord, interrupt))
_asked = (interrupt.c.position, interrupt.c.id)
# written out, not bound: SQLite uses a partial index only when it can read the condition
_pending: ColumnElement[bool] = interrupt.c.status == literal_column("'pending'")

WAITING: tuple[InterruptStatus, ...] = ("pending",)


def add(session: Session, records: Sequence[InterruptRecord]) -> None:
    """Store the questions of a run."""
    sql.add(session, interrupt, records)


def get(session: Session, interrupt_id: str) -> InterruptRecord | None:
    """Return a question by id."""
    return sql.one(session, InterruptRecord, _all.where(interrupt.c.id == interrupt_id))


def of_run(session: Session, run: str) -> tuple[InterruptRecord, ...]:
    """Return the questions of a run in the order they were asked."""
    return sql.many(session, InterruptRecord, _all.where(interrupt.c.run == run).order_by(*_asked))


def unsealed(session: Session, thread: str) -> tuple[InterruptRecord, ...]:
    """Return the questions that stand between the branch shown and its next line, in the order they were asked.

    They wait for an answer, or expired and wait for somebody to see it; the answers of their run are not sealed.
    """
    unanswered = interrupt.c.status.in_(("pending", "expired")), run.c.sealed_at.is_(None)
    return sql.many(session, InterruptRecord, _of_shown(session, thread).where(*unanswered).order_by(*_asked))


def of_thread(
    session: Session, thread: str, *, status: InterruptStatus | None = None
) -> tuple[InterruptRecord, ...]:
    """Return the questions of every branch of a thread, those that stand at `status` when one is given."""
    standing = _all.where(interrupt.c.thread == thread)
    if status is not None:
        standing = standing.where(interrupt.c.status == status)
    return sql.many(session, InterruptRecord, standing.order_by(*_asked))


def asking_tools(session: Session, thread: str) -> frozenset[str]:
    """Return the names of the tools whose calls waited for a person in a thread."""
    asked = select(interrupt.c.tool_name).where(interrupt.c.thread == thread, interrupt.c.kind == "ask")
    return frozenset(session.execute(asked).scalars())


def pending(session: Session, thread: str) -> tuple[InterruptRecord, ...]:
    """Return the questions that wait in the branch a thread shows, in the order they were asked."""
    waiting = _of_shown(session, thread).where(_pending)
    return sql.many(session, InterruptRecord, waiting.order_by(*_asked))


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
    shown = _of_shown(session, thread).where(interrupt.c.position >= first)
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
    was: Collection[InterruptStatus] = WAITING,
    at: datetime | None = None,
) -> int:
    """Move questions that stand at one of `was` to `status`; `at` is when they stopped waiting. Return how many."""
    movable = interrupt.c.id.in_(interrupt_ids), interrupt.c.status.in_(was)
    return sql.changed(session, update(interrupt).where(*movable).values(status=status, settled_at=at))


def _of_shown(session: Session, thread: str) -> Select[Any]:
    """Return the questions of the branch a thread shows."""
    on_path = branches.on(branches.path(session, thread), run.c.branch, interrupt.c.position)
    asking = _all.join(run, run.c.id == interrupt.c.run)
    return asking.where(interrupt.c.thread == thread, on_path)
