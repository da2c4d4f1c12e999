"""The log of a thread: append-only. Folding it gives the rows of the other tables again."""

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import EventRecord
from chat_app.data.tables import Run, RunEvent, table_of

run_event = table_of(RunEvent)
run_of = table_of(Run)
_all = select(*sql.columns_of(EventRecord, run_event))


def append(session: Session, records: Sequence[EventRecord]) -> None:
    """Add entries, of any number of threads.

    Raises:
        ConstraintBroken: at the edge of the transaction; a number is taken, so somebody else is writing.
    """
    sql.add(session, run_event, records)


def of_thread(
    session: Session, thread: str, *, after: int = 0, limit: int | None = None
) -> tuple[EventRecord, ...]:
    """Return a thread's entries in order, those numbered above `after`, at most `limit`."""
    later = _all.where(run_event.c.thread == thread, run_event.c.seq > after)
    return sql.many(session, EventRecord, later.order_by(run_event.c.seq).limit(limit))


def of_path(session: Session, thread: str, path: branches.Path, *, after: int = 0) -> tuple[EventRecord, ...]:
    """Return the entries along the path of a branch in order, those numbered above `after`: what it folds from.

    What happened between runs is branch 0's.
    """
    number = func.coalesce(run_of.c.branch, 0)
    own = _all.outerjoin(run_of, run_of.c.id == run_event.c.run).where(
        run_event.c.thread == thread,
        run_event.c.seq > after,
        branches.on(path, number, run_event.c.seq),
    )
    return sql.many(session, EventRecord, own.order_by(run_event.c.seq))


def of_run(
    session: Session, run: str, *, after: int = 0, limit: int | None = None
) -> tuple[EventRecord, ...]:
    """Return the entries of one run in order, those numbered above `after`, at most `limit`."""
    own = _all.where(run_event.c.run == run, run_event.c.seq > after)
    return sql.many(session, EventRecord, own.order_by(run_event.c.seq).limit(limit))


def count_of_run(session: Session, run: str) -> int:
    """Return how many entries one run has."""
    counted = select(func.count()).select_from(run_event).where(run_event.c.run == run)
    found: int = session.execute(counted).scalar_one()
    return found
