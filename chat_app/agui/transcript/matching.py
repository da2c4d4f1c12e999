"""Compares what is on screen with what an agent declares, part by part.

An agent's list is taken apart into the things it declares: lines, texts, thoughts, calls, activities. So
is the screen. They are paired by id first, then by kind and content, each once and in order; a call is
also known by what it says when its arguments are written anew.
"""

import json
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from ag_ui.core import ToolCall

from chat_app.agui.events import (
    ActivityMessage,
    AssistantMessage,
    DeveloperMessage,
    Message,
    ReasoningMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from chat_app.agui.transcript.drawing import text_of
from chat_app.agui.transcript.live import LiveCall, LivePart, LiveText, Row

Line: TypeAlias = UserMessage | SystemMessage | DeveloperMessage
Drawn: TypeAlias = Line | AssistantMessage | ReasoningMessage | ActivityMessage

ASIDES = frozenset({"subagent", "custom"})
"""The roles of rows that are no messages."""


@dataclass(frozen=True, slots=True, eq=False)
class Incoming:
    """One thing the list declares: a text, a thought, a call, an activity, or a whole line."""

    kind: str
    wire_id: str
    content: Hashable
    message: Drawn
    call: ToolCall | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """One thing on screen that the list may declare; ``part`` is None for a whole line."""

    kind: str
    wire_id: str
    row: Row
    part: LivePart | None


def declared(messages: Iterable[Message]) -> list[Incoming]:
    """Return what a list of messages declares, in order, each call once: some agents declare them twice."""
    calls: set[str] = set()
    kept: list[Incoming] = []
    for item in (item for message in messages for item in _declared_by(message)):
        if item.call is None or item.call.id not in calls:
            kept.append(item)
        if item.call is not None:
            calls.add(item.call.id)
    return kept


def on_screen(rows: Iterable[Row]) -> list[Held]:
    """Return what is drawn, in order."""
    return [item for row in rows for item in _drawn_in(row)]


def _declared_by(message: Message) -> Iterator[Incoming]:
    match message:
        case UserMessage() | SystemMessage() | DeveloperMessage():
            yield Incoming(message.role, message.id, text_of(message.content), message)
        case AssistantMessage():
            if message.content is not None:
                yield Incoming("text", message.id, message.content, message)
            for call in message.tool_calls or ():
                yield Incoming(
                    "call", call.id, _call_content(call.function.name, call.function.arguments), message, call
                )
        case ReasoningMessage():
            yield Incoming("reasoning", message.id, message.content, message)
        case ActivityMessage():
            yield Incoming("activity", message.id, None, message)
        case ToolMessage():
            pass
        case _:
            assert_never(message)


def _drawn_in(row: Row) -> Iterator[Held]:
    if row.role in ASIDES:
        return  # no message stands for it, so none can leave it out
    if row.role not in {"assistant", "activity"}:
        yield Held(row.role, row.wire_id, row, None)
        return
    for part in row.parts:
        yield Held(part.kind, part.wire_id, row, part)


def _content(item: Held) -> Hashable:
    if item.part is None:
        return _line_text(item.row)
    if isinstance(item.part, LiveCall):
        return _call_content(item.part.name, item.part.args.read() or "")
    return item.part.read() if isinstance(item.part, LiveText) else None


def _line_text(row: Row) -> str:
    return "".join(part.read() or "" for part in row.parts if isinstance(part, LiveText))


def _call_content(name: str, arguments: str) -> Hashable:
    return (name, canonical(arguments))


def canonical(arguments: str) -> str:
    """Return the argument text without what JSON leaves to taste; other text as it is."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments


def matched(held: list[Held], incoming: list[Incoming]) -> dict[int, Incoming]:
    """Pair what is held with what comes in, each once, in order: by id, then by content."""
    pairs: dict[int, Incoming] = {}
    _pair(
        pairs, held, incoming, lambda item: (item.kind, item.wire_id), lambda item: (item.kind, item.wire_id)
    )
    # An activity has no content to know it by: its id is all there is.
    _pair(
        pairs,
        [item for item in held if item.kind != "activity"],
        [item for item in incoming if item.kind != "activity"],
        lambda item: (item.kind, _content(item)),
        lambda item: (item.kind, item.content),
    )
    return pairs


def _pair(
    pairs: dict[int, Incoming],
    held: list[Held],
    incoming: list[Incoming],
    held_key: Callable[[Held], Hashable],
    incoming_key: Callable[[Incoming], Hashable],
) -> None:
    taken = {id(item) for item in pairs.values()}
    waiting: defaultdict[Hashable, deque[Incoming]] = defaultdict(deque)
    for item in incoming:
        if id(item) not in taken:
            waiting[incoming_key(item)].append(item)
    for candidate in held:
        if id(candidate) not in pairs and waiting and (queue := waiting.get(held_key(candidate))):
            pairs[id(candidate)] = queue.popleft()
