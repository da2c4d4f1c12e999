"""A run that another worker drives, followed by its log.

The owner's rows in SQL hold what was complete at its last commit; text that still grows is in the log alone. A tail
folds the log as the owner does, so that the same entries give the same rows, a commit later.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace

import structlog
from ag_ui.core import StateDeltaEvent, StateSnapshotEvent
from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import (
    AguiError,
    Appended,
    Applier,
    Removed,
    RowChange,
    Touched,
    TranscriptReducer,
)
from chat_app.data import branches, events, exchanges, messages, runs
from chat_app.data.records import EventRecord, ExchangeRecord, MessageRecord
from chat_app.services import eventlog
from chat_app.services.content import Span, Spans, as_stored, content_of, note_times
from chat_app.services.live import LiveThread
from chat_app.services.projection import message_row
from chat_app.services.rows import Row, View, iso
from chat_app.services.views import read_context, read_view

_log = structlog.get_logger(__name__)


STATES = frozenset({"STATE_SNAPSHOT", "STATE_DELTA"})


@dataclass(slots=True)
class Tail:
    """How far the log of one thread was folded here, and the rows that were shown ahead of SQL."""

    exchange: str
    reducer: TranscriptReducer = field(default_factory=TranscriptReducer)
    state: Applier = field(default_factory=Applier)
    seq: int = 0
    spans: Spans = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Seen:
    """What one look at SQL found: the thread as SQL has it, the tail that goes on from there, and what it changed.

    `view` is None when only the log was looked at. `tail` is None when no other worker drives a run of the thread.
    `changes` are in order; rows that did more than grow come whole, in `rows`. `state` is the one the run spoke of, and
    None when it did not.
    """

    view: View | None
    tail: Tail | None = None
    changes: tuple[RowChange, ...] = ()
    rows: tuple[Row, ...] = ()
    state: tuple[JsonValue] | None = None


Look = Callable[[str, Tail | None, bool], Seen]
"""Looks at a thread in SQL from where a tail is; `False` asks for the log alone. Called in a worker thread."""


def look(session: Session, thread_id: str, tail: Tail | None, *, worker: str, whole: bool) -> Seen:
    """Look at a thread, and fold what its log has grown by when another worker than `worker` drives it.

    Without `whole` the rows of the tables are left out where the log alone tells what is new. A log that this version
    cannot read is left to the worker that drives the run: the rows are shown as SQL has them.
    """
    live = exchanges.live_of(session, thread_id)
    if live is None or live.worker_id == worker:
        return Seen(read_view(session, thread_id))
    try:
        return _follow(session, live, tail, whole=whole)
    except AguiError as error:
        _log.warning("log_unreadable", thread=thread_id, reason=str(error))
        return Seen(read_view(session, thread_id))


def _follow(session: Session, live: ExchangeRecord, tail: Tail | None, *, whole: bool) -> Seen:
    if tail is None or tail.exchange != live.id:
        tail, whole, first = Tail(live.id), True, _begin(session, live)
    else:
        first = tail.seq + 1
    fresh = not tail.seq
    path = branches.path(session, live.thread)
    records = events.of_path(session, live.thread, path, after=tail.seq)
    changes = tuple(_fold(tail, records, first))
    spoke = any(record.type in STATES and record.seq >= first for record in records)
    changed = {change.key for change in changes if fresh or isinstance(change, Touched)}
    view = read_view(session, live.thread) if whole else None
    rows = tuple(_rows(session, tail, live, changed))
    return Seen(view, tail, changes, rows, (tail.state.state,) if spoke else None)


def show(seen: Seen, live: LiveThread, before: Tail | None) -> None:
    """Show followers what was found; rows a tail is ahead with are left to it."""
    if before is not None and before is not seen.tail:
        live.writing -= before.shown
        live.panels.writing = False
    if seen.tail is not None:
        live.writing |= {row.key for row in seen.rows}
        seen.tail.shown |= {row.key for row in seen.rows}
    if seen.view is not None:
        live.show(seen.view)
    for row in seen.rows:
        live.upsert(row)
    if seen.state is not None:
        live.panels.hear(seen.state[0], "")
    whole = {row.key for row in seen.rows}
    for change in seen.changes:
        if isinstance(change, Appended) and change.key not in whole:
            live.append(change.key, change.part, change.delta)
        elif isinstance(change, Removed):
            live.drop(change.key)


def _begin(session: Session, live: ExchangeRecord) -> int:
    """Return the number of the first entry of what runs now; the rows hold whole what came before."""
    entries = (events.of_run(session, run.id) for run in runs.running_of(session, live.id))
    return min((one[0].seq for one in entries if one), default=1)


def _fold(tail: Tail, records: Iterable[EventRecord], first: int) -> Iterable[RowChange]:
    for record in records:
        tail.seq = record.seq
        for entry in eventlog.entries(record):
            if isinstance(entry, StateSnapshotEvent | StateDeltaEvent):
                tail.state.apply(entry)
            changes = tail.reducer.apply(entry)
            for change in changes:
                if isinstance(change, Touched):
                    note_times(tail.spans, tail.reducer.message(change.key), iso(record.at))
            if record.seq >= first:
                yield from changes


def _rows(session: Session, tail: Tail, live: ExchangeRecord, changed: Collection[str]) -> Iterable[Row]:
    if not changed:
        return []
    found = (messages.by_key(session, live.thread, key) for key in changed)
    held = sorted((one for one in found if one is not None), key=lambda one: (one.position, one.key))
    running = runs.running_of(session, live.id)
    context = read_context(session, live.thread, held, live_run=running[-1].id if running else None)
    return [message_row(_grown(message, tail), context) for message in held]


def _grown(message: MessageRecord, tail: Tail) -> MessageRecord:
    """Return a stored message with the text it has by now, and the times SQL holds of its parts."""
    for part in map(as_stored, message.content):
        span = Span(str(part.get("started", "")), str(part.get("ended", "")))
        if span.started:
            tail.spans[message.key, str(part["key"])] = span
    drawn = tail.reducer.message(message.key)
    return replace(message, content=content_of(drawn, tail.spans))
