"""From the log of a branch to the rows it stands for. Pure: what a run wrote live is what this gives afterwards.

`parley db verify` compares it with the tables, and a new branch begins with what its part of the log gives. Positions
follow from the log too: a row takes the number after the entry that placed it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from chat_app.agui import Applier, LogEntry, Removed, Touched, TranscriptReducer
from chat_app.data.records import EventRecord
from chat_app.services import eventlog
from chat_app.services.content import Content, Spans, content_of, note_times
from chat_app.services.rows import iso


@dataclass(frozen=True, slots=True)
class Drawn:
    """A row as the log has it: where it stands, what it holds, and which run placed it when."""

    key: str
    wire_id: str
    role: str
    position: int
    run: str | None
    created: datetime
    content: Content


@dataclass(frozen=True, slots=True)
class Folded:
    """What a log folds to: its rows in order, the agent's state if it ever spoke of one, and its last number."""

    rows: tuple[Drawn, ...]
    state: tuple[JsonValue] | None
    last_seq: int


@dataclass(frozen=True, slots=True)
class _Place:
    position: int
    run: str | None
    created: datetime


@dataclass(slots=True)
class _Fold:
    reducer: TranscriptReducer = field(default_factory=TranscriptReducer)
    applier: Applier = field(default_factory=Applier)
    places: dict[str, _Place] = field(default_factory=dict)
    spans: Spans = field(default_factory=dict)
    last_seq: int = 0

    def take(self, record: EventRecord) -> None:
        for entry in eventlog.entries(record):
            self._take(entry, record)

    def _take(self, entry: LogEntry, record: EventRecord) -> None:
        self.applier.apply(entry)
        # a person's line takes one number for its entry and its row
        self.last_seq = record.seq - (record.type == eventlog.USER_MESSAGE)
        for change in self.reducer.apply(entry):
            if isinstance(change, Touched):
                self._touch(change.key, record)
            elif isinstance(change, Removed):
                self.places.pop(change.key, None)

    def _touch(self, key: str, record: EventRecord) -> None:
        if key not in self.places:
            self.last_seq += 1
            self.places[key] = _Place(self.last_seq, record.run, record.at)
        if record.type != eventlog.USER_MESSAGE:
            note_times(self.spans, self.reducer.message(key), iso(record.at))

    def drawn(self, key: str) -> Drawn:
        place, message = self.places[key], self.reducer.message(key)
        content = content_of(message, self.spans)
        return Drawn(key, message.wire_id, message.role, place.position, place.run, place.created, content)


def fold(log: Iterable[EventRecord], *, ask_tools: frozenset[str] = frozenset()) -> Folded:
    """Return what a log folds to; the calls of `ask_tools` wait for a person.

    Raises:
        BadEvent: the log holds an entry that no version of this client has written.
    """
    work = _Fold(TranscriptReducer(ask_tools=ask_tools))
    for record in log:
        work.take(record)
    rows = sorted(map(work.drawn, work.places), key=lambda row: (row.position, row.key))
    state = (work.applier.state,) if work.applier.state_seen else None
    return Folded(tuple(rows), state, work.last_seq)
