"""What one exchange leaves behind: each verified event becomes a log entry, a changed row, and an op for followers.

The recorder is called synchronously for every event, so it only appends and marks: text deltas of one item are
joined into one log entry, a row is projected when it changed in another way than by growing, and everything waits
for the journal to `take` it. Sequence numbers come from the thread's counter, which this exchange owns by its lease.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import assert_never, cast

from ag_ui.core import RawEvent, ReasoningMessageContentEvent, TextMessageContentEvent, ToolCallArgsEvent
from pydantic import JsonValue

from chat_app.agui import (
    Appended,
    LocalMessage,
    LogEntry,
    Removed,
    RowChange,
    Touched,
    TranscriptReducer,
)
from chat_app.data.records import (
    EventRecord,
    MessageRecord,
    RunRecord,
    ThreadMark,
    ToolCallRecord,
    ToolCallStatus,
)
from chat_app.services.batch import Batch, ClosedRun
from chat_app.services.content import Spans, Stored, calls_of, content_of, note_times
from chat_app.services.eventlog import stored
from chat_app.services.hub import Channel
from chat_app.services.projection import Context, message_row
from chat_app.services.rows import iso

Delta = TextMessageContentEvent | ReasoningMessageContentEvent | ToolCallArgsEvent
"""Events that only make an item grow."""

BOUNDARIES = frozenset(
    {
        "RUN_STARTED",
        "RUN_FINISHED",
        "RUN_ERROR",
        "TEXT_MESSAGE_END",
        "REASONING_MESSAGE_END",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "STATE_SNAPSHOT",
        "MESSAGES_SNAPSHOT",
    }
)
"""Events after which nothing waits for the clock: what they close is committed at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a drawn message stands in the table: what never changes after it was first written."""

    id: str
    position: int
    created: datetime
    parent: str | None
    run: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """What an exchange starts from: its ids, the thread's counter and leaf, and the messages drawn so far by key."""

    exchange: str
    run: RunRecord
    last_seq: int
    leaf: str | None
    places: dict[str, Place]
    spans: Spans
    context: Context


@dataclass(slots=True)
class _Entry:
    """A log entry in the making; the pieces of a growing item are joined when it is taken."""

    seq: int
    run: str
    entry: LogEntry
    at: datetime
    pieces: list[str] = field(default_factory=list)
    raw: bool = False

    def record(self, thread: str) -> EventRecord:
        kind, payload = stored(self.entry, raw=self.raw)
        if self.pieces:
            payload["delta"] = "".join(self.pieces)
        return EventRecord(thread=thread, seq=self.seq, run=self.run, type=kind, payload=payload, at=self.at)


class Recorder:
    """The record of one exchange, from its first event to its end."""

    def __init__(  # noqa: PLR0913 - all of it is handed in
        self,
        ground: Ground,
        reducer: TranscriptReducer,
        channel: Channel,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        raw: bool = False,
    ) -> None:
        """Record what `reducer` has folded, for `channel` and for the journal; `raw` keeps RAW events too."""
        self._raw = raw
        self.run = ground.run
        self._ground = ground
        self._reducer = reducer
        self._channel = channel
        self._now = now
        self._new_id = new_id
        self._seq = ground.last_seq
        self._leaf = ground.leaf
        self._places = dict(ground.places)
        self._spans = ground.spans
        self._entries: list[_Entry] = []
        self._touched: dict[str, None] = {}
        self._grown: dict[str, None] = {}
        self._removed: list[str] = []
        self._opened: list[RunRecord] = []
        self._closed: list[ClosedRun] = []
        self._mark: ThreadMark | None = None
        self._state: tuple[JsonValue] | None = None

    # ------------------------------------------------------------ recording

    def record(self, entry: LogEntry, changes: Iterable[RowChange]) -> bool:
        """Take in one entry with the row changes it made; returns whether it closes something worth a commit now."""
        at = self._now()
        self._log(entry, at)
        for change in changes:
            self._show(change, at)
        self._channel.changed()
        return isinstance(entry, LocalMessage) or entry.type.value in BOUNDARIES

    def hear_state(self, state: JsonValue) -> None:
        """Show followers what the agent says the state is."""
        self._channel.live.panels.hear(state, iso(self._now()))
        self._channel.changed()

    def show_work(self, step: str, tool: str) -> None:
        """Show followers which step and which tool are under way."""
        self._channel.live.set_run(replace(self._channel.live.run, step=step, tool=tool))
        self._channel.changed()

    def next_position(self) -> int:
        """Return the next number of the thread's counter."""
        self._seq += 1
        return self._seq

    def open_run(self, run: RunRecord) -> None:
        """Go on with a further run of the same exchange."""
        self._opened.append(run)
        self.run = run

    def close_run(self, closed: ClosedRun) -> None:
        """Note how the current run ended; what only grew is written with it, closed by the agent or not."""
        self._closed.append(closed)
        self._touched.update(self._grown)
        self._grown = {}

    def end(self, mark: ThreadMark, state: tuple[JsonValue] | None) -> None:
        """Note that the exchange is over; the next batch is the last."""
        self._mark = mark
        self._state = state

    # ------------------------------------------------------------ writing

    def __len__(self) -> int:
        """Return how many log entries wait."""
        return len(self._entries)

    @property
    def pending(self) -> bool:
        """Whether anything waits to be written."""
        waiting = (self._entries, self._touched, self._removed, self._opened, self._closed, self._mark)
        return any(part not in (None, [], {}) for part in waiting)

    def take(self) -> Batch:
        """Return everything that waits to be written, and forget it."""
        batch = Batch(
            exchange=self._ground.exchange,
            thread=self.run.thread,
            at=self._now(),
            last_seq=self._seq,
            leaf=self._leaf,
            opened=self._opened,
            events=[entry.record(self.run.thread) for entry in self._entries],
            removed=self._removed,
            closed=self._closed,
            state=self._state,
            mark=self._mark,
        )
        for key in self._touched:
            message = self._message(key, batch.at)
            batch.messages.append(message)
            batch.calls.extend(calls_in(message, self._new_id))
        self._entries, self._touched, self._removed, self._opened, self._closed = [], {}, [], [], []
        self._state = self._mark = None
        return batch

    # ------------------------------------------------------------ inside

    def _log(self, entry: LogEntry, at: datetime) -> None:
        if isinstance(entry, RawEvent) and not self._raw:
            return  # a framework's own events are a flood, and nothing is folded from them
        last = self._entries[-1] if self._entries else None
        if isinstance(entry, Delta) and last is not None and _grows(last, entry):
            last.pieces.append(entry.delta)
            return
        pieces = [entry.delta] if isinstance(entry, Delta) else []
        self._entries.append(_Entry(self.next_position(), self.run.id, entry, at, pieces, self._raw))

    def _show(self, change: RowChange, at: datetime) -> None:
        match change:
            case Appended():
                self._grown[change.key] = None
                self._channel.live.append(change.key, change.part, change.delta)
            case Touched():
                self._touch(change.key, at)
            case Removed():
                self._remove(change.key)
            case _:
                assert_never(change)

    def _touch(self, key: str, at: datetime) -> None:
        if key not in self._places:
            self._place(key, at)
        self._touched[key] = None
        self._grown.pop(key, None)
        note_times(self._spans, self._reducer.message(key), iso(at))
        self._channel.live.writing.add(key)
        self._channel.live.upsert(message_row(self._message(key, at), self._ground.context))

    def _place(self, key: str, at: datetime) -> None:
        place = Place(
            id=self._new_id(), position=self.next_position(), created=at, parent=self._leaf, run=self.run.id
        )
        self._places[key] = place
        self._leaf = place.id

    def _remove(self, key: str) -> None:
        self._touched.pop(key, None)
        self._grown.pop(key, None)
        self._channel.live.drop(key)
        gone = self._places.pop(key, None)
        if gone is not None:
            self._removed.append(key)
            self._close_gap(gone)

    def _close_gap(self, gone: Place) -> None:
        """Let what came after a row that is gone follow the one before it: no row may point at it any more."""
        if self._leaf == gone.id:
            self._leaf = gone.parent
        for key, place in self._places.items():
            if place.parent == gone.id:
                self._places[key] = replace(place, parent=gone.parent)

    def _message(self, key: str, at: datetime) -> MessageRecord:
        place, drawn = self._places[key], self._reducer.message(key)
        return MessageRecord(
            id=place.id,
            thread=self.run.thread,
            parent=place.parent,
            position=place.position,
            key=key,
            wire_id=drawn.wire_id,
            role=drawn.role,
            content=content_of(drawn, self._spans),
            run=place.run,
            created=place.created,
            updated=at,
            branch=self.run.branch,
        )


def calls_in(message: MessageRecord, new_id: Callable[[], str]) -> list[ToolCallRecord]:
    """Return the tool calls of a message as rows of their own."""
    return [_as_call(part, message, new_id) for part in calls_of(message.content)]


def _as_call(part: Stored, message: MessageRecord, new_id: Callable[[], str]) -> ToolCallRecord:
    started, ended, result = str(part["started"]), str(part["ended"]), part["result"]
    return ToolCallRecord(
        id=new_id(),
        message=message.id,
        wire_id=str(part["call"]),
        name=str(part["name"]),
        arguments=str(part["text"]),
        status=cast("ToolCallStatus", part["status"]),
        result=result if isinstance(result, str) else None,
        started=datetime.fromisoformat(started),
        ended=datetime.fromisoformat(ended) if ended else None,
    )


def _grows(last: _Entry, event: Delta) -> bool:
    """Whether `event` adds to the item of the last entry and carries nothing else."""
    if last.raw and event.raw_event is not None:  # each copy is kept with its own event
        return False
    if not isinstance(last.entry, Delta) or last.entry.metadata or event.metadata:
        return False
    return last.entry.type is event.type and _item(last.entry) == _item(event)


def _item(event: Delta) -> tuple[str, str | None]:
    item = event.tool_call_id if isinstance(event, ToolCallArgsEvent) else event.message_id
    return item, event.subagent_run_id
