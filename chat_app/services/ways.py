"""Which rows have alternatives in other branches, so that a page can offer them beside the row."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from chat_app.data import branches, messages
from chat_app.data.branches import Path
from chat_app.data.records import BranchRecord
from chat_app.services.rows import Row


def with_ways(session: Session, thread_id: str, rows: Sequence[Row]) -> list[Row]:
    """Return the rows of the branch a thread shows, those with alternatives naming them."""
    known = branches.of_thread(session, thread_id)
    if not known:
        return list(rows)
    path = branches.path(session, thread_id)
    found: dict[str, tuple[list[int], int]] = {}
    for (parent, fork), numbers in forks(known).items():
        way = shown_at(path, parent, fork, numbers)
        first = _first_from(session, thread_id, fork, rows) if way is not None else ""
        if way is not None and first:
            found[first] = numbers, numbers.index(way)
    return [
        replace(row, ways=found[row.key][0], way=found[row.key][1]) if row.key in found else row
        for row in rows
    ]


def _first_from(session: Session, thread_id: str, fork: int, rows: Sequence[Row]) -> str:
    """Return the key of the first row at a fork or after it, empty when there is none.

    A run that failed before it said anything left a note, and a way back from it all the same.
    """
    first = messages.first_from(session, thread_id, fork)
    if first is not None:
        return first.key
    return next((row.key for row in rows if row.position >= fork), "")


def forks(known: Sequence[BranchRecord]) -> dict[tuple[int, int], list[int]]:
    """Return the alternatives at each place where branches left their parent: the parent first, then they."""
    places: dict[tuple[int, int], list[int]] = {}
    for one in known:
        if one.parent is not None:
            places.setdefault((one.parent, one.fork), [one.parent]).append(one.number)
    return places


def shown_at(path: Path, parent: int, fork: int, numbers: Sequence[int]) -> int | None:
    """Return which of the alternatives at a fork a path takes; None when it does not come by there.

    A path takes a branch that is on it, and the parent when the parent goes on beyond the fork.
    """
    for stretch in path:
        if stretch.branch in numbers and stretch.branch != parent:
            return stretch.branch
        if stretch.branch == parent and (stretch.until is None or stretch.until > fork):
            return parent
    return None
