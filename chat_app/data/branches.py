"""The ways a conversation went. A branch shares what its parent held before the fork, and nothing after it.

Reading a thread means reading along the *path* of a branch: its own stretch to the end, before it the parent's up to
the fork, and so on to branch 0. A thread that was never edited has no rows here and one endless stretch.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, ScalarSelect, and_, func, or_, select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import BranchRecord
from chat_app.data.tables import Branch, Thread, table_of

branch = table_of(Branch)
thread = table_of(Thread)
_all = select(*sql.columns_of(BranchRecord, branch))


@dataclass(frozen=True, slots=True)
class Stretch:
    """The part of a path that is one branch's: what it holds before position `until`, or all of it."""

    branch: int
    until: int | None = None


Path = tuple[Stretch, ...]
"""The stretches of a branch, newest first."""


def of_thread(session: Session, thread_id: str) -> tuple[BranchRecord, ...]:
    """Return the branches of a thread in the order they were made; none when it was never edited."""
    return sql.many(session, BranchRecord, _all.where(branch.c.thread == thread_id).order_by(branch.c.number))


def add(session: Session, record: BranchRecord) -> None:
    """Store a branch."""
    sql.add(session, branch, [record])


def root(thread_id: str, *, wire_id: str, by: str, now: datetime) -> BranchRecord:
    """Return the row of branch 0, which a thread gets together with its first other one."""
    return BranchRecord(thread=thread_id, number=0, wire_id=wire_id, by=by, created=now)


def next_number(session: Session, thread_id: str) -> int:
    """Return the number of the next branch of a thread that has branch 0."""
    last: int = session.execute(
        select(func.max(branch.c.number)).where(branch.c.thread == thread_id)
    ).scalar_one()
    return last + 1


def path(session: Session, thread_id: str, number: int | None = None) -> Path:
    """Return the path of a branch, by default of the one shown."""
    known = of_thread(session, thread_id)
    if not known:
        return (Stretch(0),)
    if number is None:
        number = session.execute(select(thread.c.branch).where(thread.c.id == thread_id)).scalar_one()
    return path_of(known, number)


def path_of(known: Iterable[BranchRecord], number: int) -> Path:
    """Return the path of a branch among the branches of its thread."""
    by_number = {one.number: one for one in known}
    stretches, until = [Stretch(number)], None
    one = by_number[number]
    while one.parent is not None:
        until = one.fork if until is None else min(until, one.fork)
        stretches.append(Stretch(one.parent, until))
        one = by_number[one.parent]
    return tuple(stretches)


def on(stretches: Path, number: ColumnElement[int], position: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a row of branch `number` at `position` lies on a path."""
    return or_(*(_of_stretch(one, number, position) for one in stretches))


def shown(thread_id: str) -> ScalarSelect[int]:
    """Return the number of the branch a thread shows, as a value for a statement."""
    return select(thread.c.branch).where(thread.c.id == thread_id).scalar_subquery()


def _of_stretch(
    one: Stretch, number: ColumnElement[int], position: ColumnElement[int]
) -> ColumnElement[bool]:
    own = number == one.branch
    return own if one.until is None else and_(own, position < one.until)
