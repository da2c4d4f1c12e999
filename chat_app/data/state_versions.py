"""The shared state after each run or person that changed it: whole, or as a patch of an earlier version."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import StateVersionRecord
from chat_app.data.tables import StateVersion, table_of

state_version = table_of(StateVersion)
_all = select(*sql.columns_of(StateVersionRecord, state_version))


@dataclass(frozen=True, slots=True)
class Mark:
    """A version without its content: its number in the thread, when it was made, and by which person if any."""

    seq: int
    at: datetime
    by: str | None


def add(session: Session, record: StateVersionRecord) -> None:
    """Store a version."""
    sql.add(session, state_version, [record])


def newest(session: Session, thread: str, path: branches.Path) -> StateVersionRecord | None:
    """Return the newest version along the path of a branch."""
    for stretch in path:
        if found := _newest_of(session, thread, stretch):
            return found
    return None


def chain(session: Session, version: StateVersionRecord) -> Sequence[StateVersionRecord]:
    """Return what a version is made of: a snapshot, and the patches that lead to the version, in order."""
    links = [version]
    while links[-1].base is not None:
        place = (state_version.c.thread == version.thread, state_version.c.seq == links[-1].base)
        base = sql.one(session, StateVersionRecord, _all.where(*place))
        assert base is not None  # a foreign key says so
        links.append(base)
    return links[::-1]


def marks(session: Session, thread: str, path: branches.Path) -> tuple[Mark, ...]:
    """Return the versions along the path of a branch, oldest first, without their content."""
    found = select(*sql.columns_of(Mark, state_version)).where(
        state_version.c.thread == thread,
        branches.on(path, state_version.c.branch, state_version.c.seq),
    )
    return sql.many(session, Mark, found.order_by(state_version.c.seq))


def at_number(session: Session, thread: str, seq: int) -> StateVersionRecord | None:
    """Return the version of a thread with this number."""
    return sql.one(
        session, StateVersionRecord, _all.where(state_version.c.thread == thread, state_version.c.seq == seq)
    )


def of_thread(session: Session, thread: str) -> tuple[StateVersionRecord, ...]:
    """Return every version of a thread, oldest first."""
    rows = _all.where(state_version.c.thread == thread).order_by(state_version.c.seq)
    return sql.many(session, StateVersionRecord, rows)


def _newest_of(session: Session, thread: str, stretch: branches.Stretch) -> StateVersionRecord | None:
    own = _all.where(state_version.c.thread == thread, state_version.c.branch == stretch.branch)
    if stretch.until is not None:
        own = own.where(state_version.c.seq < stretch.until)
    return sql.one(session, StateVersionRecord, own.order_by(state_version.c.seq.desc()).limit(1))
