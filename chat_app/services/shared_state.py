"""What people do with the state they share with an agent: change a value, and look at what it was.

A change is written at once: into the log, so that the next run carries it, and as a version with its author. Until the
agent has had it, it is the person's; while a run is live, the state is the agent's.
"""

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import cast

import jsonpatch
import jsonpointer
from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import branches, events, exchanges, runs, state_versions, threads
from chat_app.data.db import Database
from chat_app.data.records import EventRecord, ThreadRecord
from chat_app.services.panels import PanelSpec, views_of
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import Busy, NotInState
from chat_app.services.rows import iso
from chat_app.services.states import Moment, keep
from chat_app.services.threads import Threads
from chat_app.services.versions import author, numbers_of_people, state_of

LONGEST = 64 * 1024
"""Characters of JSON in one value a person may write."""


Patch = list[dict[str, JsonValue]]


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier version of the state: its number, when and by whom it was made, and what the panels show of it.

    `was` is the state before it, `now` the state it is.
    """

    number: int
    count: int
    at: str
    by: str
    mine: list[int]
    views: dict[str, dict[str, JsonValue]]
    was: JsonValue
    now: JsonValue


class SharedState:
    """Change the state of a thread, and read what it was."""

    def __init__(
        self,
        database: Database,
        policy: Policy,
        threads: Threads,
        *,
        panels: Sequence[PanelSpec],
        now: Callable[[], datetime],
    ) -> None:
        """Write to `database`, tell by `threads`; `panels` say what may be changed."""
        self._database = database
        self._policy = policy
        self._threads = threads
        self._panels = panels
        self._now = now

    async def edit(self, person: Person, thread_id: str, pointer: str, value: JsonValue) -> str:
        """Put `value` at `pointer` of the state; returns the id of the thread.

        Raises:
            Refused: there is no such thread for this person, or no panel allows the change.
            Busy: a run is live; the state is the agent's until it ends.
            NotInState: the state has no such place, or the value is too long.
        """
        owner = await asyncio.to_thread(self._edit, person, thread_id, pointer, value)
        await self._threads.changed(owner, thread_id)
        return thread_id

    async def past(self, person: Person, thread_id: str, number: int) -> str:
        """Return the frame with version `number` of a thread's state, counted from 1; the nearest there is.

        Raises:
            Refused: there is no such thread for this person, or it has no versions.
        """
        past = await asyncio.to_thread(self._past, person, thread_id, number)
        return json.dumps({"t": thread_id, "past": asdict(past)}, ensure_ascii=False, separators=(",", ":"))

    def _edit(self, person: Person, thread_id: str, pointer: str, value: JsonValue) -> str:
        if not any(spec.allows(pointer) for spec in self._panels):
            raise Refused
        with self._database.transaction() as session:
            thread = self._threads.writable(session, person, thread_id)
            seq = threads.reserve(session, thread_id)  # whoever opens a run waits here, or was first
            if exchanges.live_of(session, thread_id) is not None:
                raise Busy
            self._write(session, person, thread, seq, _changed(thread, pointer, value))
        return thread.owner

    def _write(self, session: Session, person: Person, thread: ThreadRecord, seq: int, patch: Patch) -> None:
        state = cast("JsonValue", jsonpatch.apply_patch(thread.state, patch))
        at = self._now()
        last = runs.last_of(session, thread.id)
        payload: dict[str, JsonValue] = {"type": "STATE_DELTA", "delta": cast("JsonValue", patch)}
        # an entry belongs to the branch of its run
        run = last.id if last is not None else None
        events.append(
            session,
            [EventRecord(thread=thread.id, seq=seq, run=run, type="STATE_DELTA", payload=payload, at=at)],
        )
        keep(
            session,
            state,
            Moment(thread=thread.id, seq=seq, branch=thread.branch, run=None, at=at, by=person.id),
        )
        threads.change(session, thread.id, state=state)

    def _past(self, person: Person, thread_id: str, number: int) -> Past:
        with self._database.reading() as session:
            thread = threads.get(session, claimed(thread_id))
            self._policy.require(person, Action.READ_THREAD, owner=thread.owner if thread else None)
            marks = state_versions.marks(session, thread_id, branches.path(session, thread_id))
            if not marks:
                raise Refused
            at = min(max(number, 1), len(marks))
            mark = marks[at - 1]
            now = state_of(session, thread_id, mark)
            return Past(
                number=at,
                count=len(marks),
                at=iso(mark.at),
                by=author(session, mark),
                mine=numbers_of_people(marks),
                views=views_of(self._panels, now),
                was=state_of(session, thread_id, marks[at - 2]) if at > 1 else {},
                now=now,
            )


def _changed(thread: ThreadRecord, pointer: str, value: JsonValue) -> Patch:
    if len(json.dumps(value)) > LONGEST:
        raise NotInState
    try:
        jsonpointer.resolve_pointer(thread.state, pointer)
    except jsonpointer.JsonPointerException as error:
        raise NotInState from error
    return [{"op": "replace", "path": pointer, "value": value}]
