"""Runs of exchanges: how each ended, and the one seal on its answers."""

from collections.abc import Collection
from datetime import datetime
from typing import Required, TypedDict, Unpack

from pydantic import JsonValue
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import RunRecord, RunStatus
from chat_app.data.tables import Run, table_of

run = table_of(Run)
_all = select(*sql.columns_of(RunRecord, run))


class RunEnding(TypedDict, total=False):
    """How a run ended. What is not given stays as it is."""

    status: Required[RunStatus]
    ended: Required[datetime]
    error_code: str | None
    error_message: str | None
    usage: JsonValue
    diagnostics: JsonValue
    note_position: int | None


def create(session: Session, record: RunRecord) -> None:
    """Store a new run."""
    sql.add(session, run, [record])


def get(session: Session, run_id: str) -> RunRecord | None:
    """Return a run by id."""
    return sql.one(session, RunRecord, _all.where(run.c.id == run_id))


def lock(session: Session, run_id: str) -> RunRecord | None:
    """Return a run and keep others from answering or sealing it until the transaction ends.

    Two people answering the last two questions of a run would otherwise each see the other's still open.
    """
    return sql.one(session, RunRecord, _all.where(run.c.id == run_id).with_for_update())


def of_thread(session: Session, thread: str) -> tuple[RunRecord, ...]:
    """Return the runs of a thread, oldest first."""
    return sql.many(session, RunRecord, _all.where(run.c.thread == thread).order_by(run.c.started, run.c.id))


def latest(session: Session, thread: str, *, limit: int) -> tuple[RunRecord, ...]:
    """Return the newest runs of a thread, in all its branches, newest first."""
    newest = _all.where(run.c.thread == thread).order_by(run.c.started.desc(), run.c.id.desc())
    return sql.many(session, RunRecord, newest.limit(limit))


def of_exchange(session: Session, exchange: str) -> tuple[RunRecord, ...]:
    """Return the runs of an exchange, oldest first."""
    return sql.many(
        session, RunRecord, _all.where(run.c.exchange == exchange).order_by(run.c.started, run.c.id)
    )


def some(session: Session, run_ids: Collection[str]) -> tuple[RunRecord, ...]:
    """Return these runs, in no particular order; unknown ids are left out."""
    return sql.many(session, RunRecord, _all.where(run.c.id.in_(run_ids)))


def last_of(session: Session, thread: str) -> RunRecord | None:
    """Return the newest run of the branch a thread shows: whatever opens a branch runs in it at once."""
    of_branch = run.c.thread == thread, run.c.branch == branches.shown(thread)
    newest = _all.where(*of_branch).order_by(run.c.started.desc(), run.c.id.desc()).limit(1)
    return sql.one(session, RunRecord, newest)


def running_of(session: Session, exchange: str) -> tuple[RunRecord, ...]:
    """Return the runs of an exchange that have not ended: one, or none between a run and its follow-up."""
    return sql.many(session, RunRecord, _all.where(run.c.exchange == exchange, run.c.status == "running"))


def noted(session: Session, thread: str, *, first: int, before: int | None = None) -> tuple[RunRecord, ...]:
    """Return the runs whose end the transcript tells from position `first` on, up to `before` exclusively."""
    on_path = branches.on(branches.path(session, thread), run.c.branch, run.c.note_position)
    told = _all.where(
        run.c.thread == thread, run.c.note_position.is_not(None), run.c.note_position >= first, on_path
    )
    if before is not None:
        told = told.where(run.c.note_position < before)
    return sql.many(session, RunRecord, told.order_by(run.c.note_position))


def next_number(session: Session, thread: str) -> int:
    """Return one more than the runs of the thread so far (decision C13: run ids count per thread)."""
    count: int = session.execute(select(func.count()).where(run.c.thread == thread)).scalar_one()
    return count + 1


def finish(session: Session, run_id: str, **ending: Unpack[RunEnding]) -> bool:
    """Write how a run ended; False when it had ended before, and then nothing is changed (decision C3)."""
    running = run.c.id == run_id, run.c.status == "running"
    return sql.changed(session, update(run).where(*running).values(**ending)) == 1


def seal(session: Session, run_id: str, *, now: datetime) -> bool:
    """Close the answers of a run that asked; True for exactly one caller, who starts the resume.

    A run may fail after it asked, and its questions stay answerable all the same (decisions C3).
    """
    open_ = run.c.id == run_id, run.c.status.in_(("interrupted", "failed")), run.c.sealed_at.is_(None)
    return sql.changed(session, update(run).where(*open_).values(sealed_at=now)) == 1
