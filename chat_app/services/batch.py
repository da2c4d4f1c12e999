"""What waits to be written about one exchange, and the one function that writes it."""

from dataclasses import dataclass, field
from datetime import datetime

from pydantic import JsonValue

from chat_app.data.records import (
    EventRecord,
    InterruptRecord,
    MessageRecord,
    RunRecord,
    RunStatus,
    ThreadMark,
    ToolCallRecord,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosedRun:
    """How one run ended, with the questions it ended with."""

    run: str
    status: RunStatus
    at: datetime
    error_code: str | None = None
    error_message: str | None = None
    usage: JsonValue = None
    diagnostics: JsonValue = None
    note_position: int | None = None
    interrupts: tuple[InterruptRecord, ...] = ()


@dataclass(slots=True, kw_only=True)
class Batch:
    """Everything an exchange has to say since its last batch, in the order it must be written.

    `mark` is set with the last batch: the exchange is over and the thread is marked so.
    """

    exchange: str
    thread: str
    at: datetime
    last_seq: int
    leaf: str | None
    opened: list[RunRecord] = field(default_factory=list)
    events: list[EventRecord] = field(default_factory=list)
    messages: list[MessageRecord] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    calls: list[ToolCallRecord] = field(default_factory=list)
    closed: list[ClosedRun] = field(default_factory=list)
    state: tuple[JsonValue] | None = None
    mark: ThreadMark | None = None
