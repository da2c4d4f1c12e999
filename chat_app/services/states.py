"""Versions of the shared state: kept after each run or person that changed it.

A branch begins where its parent was, and a reader can go back through what was. The first version of an agent after a
person's says that the agent has it, changed or not.

A version is a JSON Patch of the one before when that is at most half as long, and whole again after a few patches, so
that reading one is always short.
"""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import cast

import jsonpatch
from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import branches, state_versions
from chat_app.data.records import StateVersionRecord

DEEPEST = 15
"""How many patches may lie above a snapshot."""
LARGEST = 256 * 1024
"""Characters of JSON above which no patch is looked for: comparing would take longer than writing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """Where in a thread a state was: after which run or by whom, in which branch, at which number."""

    thread: str
    seq: int
    branch: int
    run: str | None
    at: datetime
    by: str | None = None


def keep(session: Session, state: JsonValue, moment: Moment) -> bool:
    """Keep a state as the newest version of its branch; False when it is what the branch had already."""
    path = branches.path(session, moment.thread, moment.branch)
    before = state_versions.newest(session, moment.thread, path)
    known = document(session, before) if before is not None else None
    if before is not None and before.by == moment.by and _dumped(known) == _dumped(state):
        return False
    patch = _patch(known, state) if before is not None and before.depth < DEEPEST else None
    whole = before is None or patch is None
    record = StateVersionRecord(
        thread=moment.thread,
        seq=moment.seq,
        branch=moment.branch,
        run=moment.run,
        kind="snapshot" if whole else "patch",
        base=None if whole or before is None else before.seq,
        depth=0 if whole or before is None else before.depth + 1,
        document=state if whole else patch,
        at=moment.at,
        by=moment.by,
    )
    state_versions.add(session, record)
    return True


def state_at(session: Session, thread: str, path: branches.Path) -> tuple[JsonValue] | None:
    """Return the state at the end of a path; None when the agent never spoke of one."""
    found = state_versions.newest(session, thread, path)
    return None if found is None else (document(session, found),)


def document(session: Session, version: StateVersionRecord) -> JsonValue:
    """Return the state a version stands for."""
    snapshot, *patches = state_versions.chain(session, version)
    state = snapshot.document
    for patch in patches:
        state = jsonpatch.apply_patch(state, cast("list[dict[str, JsonValue]]", patch.document))
    return state


def _patch(before: JsonValue, after: JsonValue) -> JsonValue:
    """Return the operations from one state to the next; None when the next one whole is about as short."""
    size = _length(after)
    if size > LARGEST or not isinstance(before, dict | list) or type(before) is not type(after):
        return None
    patch = jsonpatch.make_patch(before, after).patch
    # a number may change its kind without changing its value, which a comparison does not see
    same = _dumped(jsonpatch.apply_patch(before, patch)) == _dumped(after)
    operations = cast("JsonValue", patch)
    return operations if same and _length(operations) * 2 <= size else None


def _length(value: JsonValue) -> int:
    return len(_dumped(value))


def _dumped(value: JsonValue) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
