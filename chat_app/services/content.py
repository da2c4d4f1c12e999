"""How a drawn message is stored: its parts as JSON in `message.content`, with the times each part took.

`content_of` writes what the transcript holds, `projection` reads it for the page. Both the live page and a reload go
through this pair, so they cannot differ.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import assert_never, cast

from pydantic import JsonValue

from chat_app.agui import (
    ActivityPart,
    CustomsPart,
    FilePart,
    LanePart,
    ReasoningPart,
    SubagentStatus,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    UiMessage,
)
from chat_app.agui import Part as TranscriptPart

Content = list[JsonValue]
Stored = Mapping[str, JsonValue]
OVER = frozenset({SubagentStatus.FINISHED, SubagentStatus.FAILED, SubagentStatus.ABORTED})
OURS = "/api/files/"
"""How the addresses of files begin that are kept here."""
PICTURES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
LARGEST_PICTURE = 400_000
"""Characters of base64 up to which a picture is shown; a larger one stays in the log."""
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
SETTLED = frozenset({ToolCallStatus.COMPLETE, ToolCallStatus.FAILED})


@dataclass(frozen=True, slots=True)
class Span:
    """When a part began and when it was complete (ISO 8601 in UTC; empty while it is not)."""

    started: str = ""
    ended: str = ""


Spans = dict[tuple[str, str], Span]


def note_times(spans: Spans, message: UiMessage, at: str) -> None:
    """Note at time `at` which parts of `message` have begun or are complete by now."""
    for part in message.parts:
        span = spans.setdefault((message.key, part.key), Span(at))
        if not span.ended and is_settled(part):
            spans[message.key, part.key] = Span(span.started, at)


def is_settled(part: TranscriptPart) -> bool:
    """Return whether nothing more is expected of `part`."""
    match part:
        case TextPart() | ReasoningPart():
            return not part.streaming
        case ToolCallPart():
            return part.status in SETTLED
        case LanePart():
            return part.status in OVER
        case ActivityPart() | FilePart() | CustomsPart():
            return True
        case _:
            assert_never(part)


def content_of(message: UiMessage, spans: Spans) -> Content:
    """Return the parts of `message` as JSON for the table and the page."""
    lane: dict[str, JsonValue] = {"lane": message.subagent_run_id} if message.subagent_run_id else {}
    return [
        {**_fields(part), **_times(spans.get((message.key, part.key), Span())), **lane}
        for part in message.parts
    ]


def calls_of(content: Iterable[JsonValue]) -> list[Stored]:
    """Return the stored tool calls of a message."""
    return [part for part in map(as_stored, content) if part["kind"] == "tool"]


def as_stored(part: JsonValue) -> Stored:
    """Read one element of `message.content`, which only this module writes."""
    return cast("Stored", part)


def _times(span: Span) -> dict[str, JsonValue]:
    return {"started": span.started, "ended": span.ended}


def _fields(part: TranscriptPart) -> dict[str, JsonValue]:
    match part:
        case TextPart():
            return {"kind": "text", "key": part.key, "text": part.text, "streaming": part.streaming}
        case ReasoningPart():
            return {"kind": "reasoning", "key": part.key, "text": part.text, "streaming": part.streaming}
        case ToolCallPart():
            return _call(part)
        case ActivityPart():
            body = json.dumps(dict(part.content), ensure_ascii=False)
            return {"kind": "activity", "key": part.key, "name": part.activity_type, "text": body}
        case FilePart():
            return _named(part)
        case LanePart() | CustomsPart():
            return _aside(part)
        case _:
            assert_never(part)


def _aside(part: LanePart | CustomsPart) -> dict[str, JsonValue]:
    if isinstance(part, LanePart):
        return {
            "kind": "lane",
            "key": part.key,
            "name": part.name,
            "text": part.description,
            "status": part.status.value,
            "result": part.outcome,
        }
    told: list[JsonValue] = [{"name": name, "value": value} for name, value in part.events]
    names = ", ".join(dict.fromkeys(name for name, _ in part.events))
    return {
        "kind": "customs",
        "key": part.key,
        "name": names,
        "text": json.dumps(told, ensure_ascii=False),
        "result": str(part.count),
    }


def _call(part: ToolCallPart) -> dict[str, JsonValue]:
    files: dict[str, JsonValue] = {"files": [_file(each) for each in part.files]} if part.files else {}
    return files | {
        "kind": "tool",
        "key": part.key,
        "call": part.wire_id,
        "name": part.name,
        "text": part.args,
        "status": part.status.value,
        "result": part.result,
    }


def _named(part: FilePart) -> dict[str, JsonValue]:
    """Return a file by its name, with its kind and, where it is one of ours, where it can be had."""
    named: dict[str, JsonValue] = {
        "kind": "file",
        "key": part.key,
        "name": part.name or part.mime_type or part.kind,
    }
    if part.source == "url" and part.value.startswith(OURS):
        named |= {"status": part.kind, "result": part.value}
    return named


def _file(part: FilePart) -> JsonValue:
    """Return a file of a tool's answer: a small picture with its bytes, what lies elsewhere with its address."""
    mime = (part.mime_type or "").lower()
    drawn = part.source == "data" and mime in PICTURES and len(part.value) <= LARGEST_PICTURE
    source = f"data:{mime};base64,{part.value}" if drawn and _BASE64.fullmatch(part.value) else ""
    link = {"link": part.value} if part.source == "url" and _ADDRESS.match(part.value) else {}
    return {"name": part.name or part.mime_type or part.kind, "mime": mime, "source": source, **link}
