"""When an agent, its tools and the people it asked were at work in a run, as lanes beside one another. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from chat_app.data.records import InterruptRecord, RunRecord, ToolCallRecord

LaneKind = Literal["agent", "tool", "failed", "wait"]


@dataclass(frozen=True, slots=True)
class Lane:
    """Somebody at work: `start` and `length` are shares of the whole time (0 to 1), `seconds` is how long it took.

    `name` is the tool's; an agent and a wait have none.
    """

    kind: LaneKind
    name: str
    start: float
    length: float
    seconds: float


def lanes(
    run: RunRecord, calls: Sequence[ToolCallRecord], asked: Sequence[InterruptRecord]
) -> tuple[Lane, ...]:
    """Return the agent's lane first, then each call and each question; what has not ended lasts as long as is known."""
    began = run.started
    spans = list(_spans(run, calls, asked))
    last = max(end for _, _, _, end in spans)
    whole = max((last - began).total_seconds(), 0.001)

    def lane(kind: LaneKind, name: str, start: datetime, end: datetime) -> Lane:
        offset = min(max((start - began).total_seconds(), 0.0), whole)
        seconds = max((end - start).total_seconds(), 0.0)
        return Lane(kind, name, offset / whole, min(seconds, whole - offset) / whole, seconds)

    return tuple(lane(*span) for span in spans)


def _spans(
    run: RunRecord, calls: Sequence[ToolCallRecord], asked: Sequence[InterruptRecord]
) -> Iterator[tuple[LaneKind, str, datetime, datetime]]:
    known = [run.started, *(call.ended or call.started for call in calls), *(one.created for one in asked)]
    over = run.ended or max(known)
    yield "agent", "", run.started, over
    for call in calls:
        yield "failed" if call.status == "failed" else "tool", call.name, call.started, call.ended or over
    for one in asked:
        yield "wait", one.tool_name or "", one.created, one.settled_at or max(over, one.created)
