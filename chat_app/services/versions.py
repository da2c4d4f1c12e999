"""Reads the shared state of a thread with its versions: what it is, who made it, and what the agent has not had yet."""

from collections.abc import Sequence

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import branches, state_versions, users
from chat_app.data.records import ThreadRecord
from chat_app.data.state_versions import Mark
from chat_app.services.panels import Held, Shared, changed_paths
from chat_app.services.rows import iso
from chat_app.services.states import document

RECALLED = 8
"""How many earlier versions are looked at for one that fits a panel."""


def read_held(session: Session, thread: ThreadRecord) -> Held:
    """Return the state of a thread with what is known about it."""
    if not thread.state_seen:
        return Held()
    marks = state_versions.marks(session, thread.id, branches.path(session, thread.id))
    newest = marks[-1] if marks else None
    shared = Shared(
        seen=True,
        count=len(marks),
        at=iso(newest.at) if newest else "",
        by=author(session, newest),
        yours=_yours(session, thread, marks),
        mine=numbers_of_people(marks),
    )
    return Held((thread.state,), shared)


def recall(session: Session, thread_id: str) -> list[tuple[JsonValue, str]]:
    """Return the states before the newest, newest first, as many as are worth looking at, each with its time."""
    marks = state_versions.marks(session, thread_id, branches.path(session, thread_id))[:-1]
    return [(state_of(session, thread_id, mark), iso(mark.at)) for mark in marks[: -RECALLED - 1 : -1]]


def state_of(session: Session, thread_id: str, mark: Mark) -> JsonValue:
    """Return the state that a version stands for."""
    version = state_versions.at_number(session, thread_id, mark.seq)
    assert version is not None  # its mark was read in the same transaction
    return document(session, version)


def _yours(session: Session, thread: ThreadRecord, marks: Sequence[Mark]) -> list[str]:
    """Return where the state differs from the last one that the agent had."""
    if not marks or marks[-1].by is None:
        return []
    had = next((mark for mark in reversed(marks) if mark.by is None), None)
    return changed_paths(state_of(session, thread.id, had), thread.state) if had else []


def numbers_of_people(marks: Sequence[Mark]) -> list[int]:
    """Return the numbers, counted from 1, of the versions that people made."""
    return [number for number, mark in enumerate(marks, start=1) if mark.by is not None]


def author(session: Session, mark: Mark | None) -> str:
    """Return the name of the person who made a version, or an empty string for the agent."""
    user = users.get(session, mark.by) if mark is not None and mark.by is not None else None
    return user.display_name if user is not None else ""
