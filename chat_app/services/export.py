"""Writers of a thread that leaves Parley: as Markdown for people, as JSON for programs, as AG-UI events for agents.

Pure: what is written follows from what is given. The events are the thread's log, one JSON object a line; what people
did (a line, an answer, a decision) is in it as CUSTOM events, which any AG-UI client may pass over. `read_events` and
`replayed` turn such a file back into the rows it came from.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Final, cast

from pydantic import JsonValue

from chat_app.agui import AguiError
from chat_app.data.records import EventRecord, MessageRecord
from chat_app.services import eventlog
from chat_app.services.materialise import fold
from chat_app.services.projection import Context, message_row
from chat_app.services.rows import Part, Row, iso

OWN: Final = frozenset({eventlog.USER_MESSAGE, eventlog.ANSWER, eventlog.DECISION, eventlog.EDIT})
PREFIX: Final = "parley."
"""Before the names of CUSTOM events that hold what people did."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A thread as it is taken out. Times are ISO 8601 in UTC."""

    id: str
    title: str
    agent: str
    person: str
    created: str
    exported: str
    rows: list[Row] = field(default_factory=list)


class NotExported(ValueError):  # noqa: N818 - it reads as what happened
    """The file is none that was exported here; the message says which line and why."""


# ---------------------------------------------------------------- events


def as_events(log: Iterable[EventRecord]) -> Iterator[str]:
    """Yield each entry of a log as one line of JSON: an AG-UI event with the time it came."""
    for entry in log:
        payload = cast("Mapping[str, JsonValue]", entry.payload)
        event = _custom(entry.type, payload) if entry.type in OWN else payload
        yield _dumps({"timestamp": round(entry.at.timestamp() * 1000), **event}) + "\n"


def _custom(kind: str, payload: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {"type": "CUSTOM", "name": PREFIX + kind, "value": dict(payload)}


def read_events(lines: Iterable[str]) -> Iterator[EventRecord]:
    """Yield the log that a file of `as_events` holds; entries are numbered anew.

    Raises:
        NotExported: a line is no AG-UI event.
    """
    seq = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        entry = _entry(_object(number, line), seq + 1)
        # a person's line takes two numbers, as it does where it is written
        seq += 2 if entry.type == eventlog.USER_MESSAGE else 1
        yield entry


def _object(number: int, line: str) -> dict[str, JsonValue]:
    try:
        event = json.loads(line)
    except ValueError as error:
        raise NotExported(f"Line {number} is no JSON.") from error
    if not isinstance(event, dict) or not isinstance(event.get("type"), str):
        raise NotExported(f"Line {number} is no AG-UI event: it has no type.")
    return event


def _entry(event: dict[str, JsonValue], seq: int) -> EventRecord:
    at = event.get("timestamp")
    moment = datetime.fromtimestamp(at / 1000 if isinstance(at, int | float) else 0, UTC)
    name, value = event.get("name"), event.get("value")
    own = name.removeprefix(PREFIX) if event["type"] == "CUSTOM" and isinstance(name, str) else ""
    if own in OWN and name != own:
        return EventRecord(thread="", seq=seq, type=own, payload=value, at=moment)
    return EventRecord(thread="", seq=seq, type=str(event["type"]), payload=event, at=moment)


def replayed(log: Iterable[EventRecord]) -> list[Row]:
    """Return the rows a log folds to, without what only the tables know: questions, and how runs ended.

    Raises:
        NotExported: the log has an event that no version of the protocol knows.
    """
    try:
        drawn = fold(log).rows
    except AguiError as error:
        raise NotExported(f"The file cannot be folded: {error}") from error
    messages = (
        MessageRecord(
            id="",
            thread="",
            position=row.position,
            key=row.key,
            wire_id=row.wire_id,
            role=row.role,
            content=row.content,
            created=row.created,
            updated=row.created,
        )
        for row in drawn
    )
    return [message_row(message, Context()) for message in messages]


# ---------------------------------------------------------------- JSON


def as_json(taken: Taken) -> Iterator[str]:
    """Yield the thread as one JSON object, a row a line."""
    head = {name: value for name, value in asdict(taken).items() if name != "rows"}
    yield f'{{"thread": {_dumps(head)}, "rows": [\n'
    for number, row in enumerate(taken.rows):
        yield (",\n" if number else "") + _dumps(asdict(row))
    yield "\n]}\n"


# ---------------------------------------------------------------- Markdown

ENDINGS: Final[Mapping[str, str]] = {
    "CANCELLED": "Stopped",
    "SERVER_RESTART": "Interrupted by a server restart",
}
VERDICTS: Final[Mapping[str, str]] = {
    "approve": "Approved",
    "edit": "Approved with changes",
    "reject": "Rejected",
    "respond": "Answered",
    "cancel": "Cancelled",
}


def as_markdown(taken: Taken) -> Iterator[str]:
    """Yield the thread as Markdown: who said what when, the calls, and the decisions with every value."""
    yield f"# {taken.title or 'Untitled'}\n\n"
    yield f"With {taken.agent}. Begun {taken.created}, exported {taken.exported}.\n"
    for row in taken.rows:
        yield from _markdown(row, taken)


def _markdown(row: Row, taken: Taken) -> Iterator[str]:
    match row.kind:
        case "approval":
            yield from _decision(row, taken)
        case "note":
            yield f"\n*{ENDINGS.get(row.code) or f'Error {row.code}'.strip()}. {row.detail}*\n"
        case _:
            yield from _spoken(row, taken)


def _spoken(row: Row, taken: Taken) -> Iterator[str]:
    if row.kind == "user" or row.head:
        yield f"\n## {taken.person if row.kind == 'user' else taken.agent}, {row.at}\n"
    for part in row.parts:
        yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    match part.kind:
        case "text":
            yield f"\n{part.text}\n"
        case "reasoning":
            yield "\n" + _quoted(f"Reasoning:\n{part.text}")
        case "tool":
            yield f"\n**Tool `{part.name}`**: {part.status}\n"
            yield from _fenced(part.text, "json")
            yield from _fenced(part.result, "")
        case _:
            yield f"\n**{part.name}**\n"
            yield from _fenced(part.text, "json" if part.kind == "activity" else "")


def _decision(row: Row, taken: Taken) -> Iterator[str]:
    yield f"\n### {row.message or row.tool or 'Question'}\n\n"
    yield f"Asked by {taken.agent}, {row.at}. {_verdict(row)}\n"
    yield from (f"\n- {fact.name}: `{fact.value}`" for fact in row.arguments)
    yield from (f"\n- changed {edit.name}: `{edit.before}` to `{edit.after}`" for edit in row.changes)
    yield from (f"\n- answered {fact.name}: `{fact.value}`" for fact in row.answer)
    if row.note:
        yield "\n\n" + _quoted(row.note).rstrip("\n")
    yield "\n"


def _verdict(row: Row) -> str:
    if not row.decision:
        return f"{row.status.capitalize()}."
    return f"{VERDICTS[row.decision]} by {row.decided_by}, {row.decided_at}."


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def _fenced(text: str, language: str) -> Iterator[str]:
    """Yield text in a fence longer than any inside it, so that nothing in it ends the fence."""
    if not text:
        return
    longest = max((len(run) for run in _backticks(text)), default=0)
    fence = "`" * max(3, longest + 1)
    yield f"\n{fence}{language}\n{text}\n{fence}\n"


def _backticks(text: str) -> Iterator[str]:
    run = ""
    for character in f"{text} ":
        if character == "`":
            run += character
        elif run:
            yield run
            run = ""


def stamp(moment: datetime) -> str:
    """Return a time as an export writes it: ISO 8601, whole seconds."""
    return iso(moment.replace(microsecond=0))


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
