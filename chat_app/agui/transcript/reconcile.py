"""Reconciles the screen with a list of messages the agent declares.

Agents rename what they streamed, split it otherwise and leave parts out. So the list is compared part
by part: first by id, then by kind and content. What matches stays where it is, under its key; what the
list leaves out goes, but for activities and thoughts the agent does not keep; the rest is drawn below.
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
    MessagesSnapshotEvent,
    ReasoningMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from chat_app.agui.keeping import Keeper
from chat_app.agui.transcript.drawing import (
    Changes,
    draw_activity,
    draw_line,
    draw_result,
    fill_line,
    finished_call,
    text_of,
)
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LivePart, LiveText, Row
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.updates import RowChange

Line: TypeAlias = UserMessage | SystemMessage | DeveloperMessage
Drawn: TypeAlias = Line | AssistantMessage | ReasoningMessage | ActivityMessage


@dataclass(frozen=True, slots=True, eq=False)
class _Incoming:
    """One thing the list declares: a text, a thought, a call, an activity, or a whole line."""

    kind: str
    wire_id: str
    content: Hashable
    message: Drawn
    call: ToolCall | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Held:
    """One thing on screen that the list may declare; ``part`` is None for a whole line."""

    kind: str
    wire_id: str
    row: Row
    part: LivePart | None


def reconcile(screen: Screen, event: MessagesSnapshotEvent) -> Changes:
    """Bring the screen in line with the agent's list of messages."""
    incoming = _once([item for message in event.messages for item in _declared(message)])
    held = [item for row in screen.rows.values() for item in _on_screen(row)]
    pairs = _matched(held, incoming)
    changes = _edit(screen, held, pairs, Keeper(event))
    taken = {id(item) for item in pairs.values()}
    screen.end_turn()
    for item in incoming:
        if id(item) not in taken:
            changes.extend(_draw(screen, item))
    for message in event.messages:
        if isinstance(message, ToolMessage):
            changes.extend(_settle(screen, message))
    return _distinct(changes)


# ------------------------------------------------------------------ what is there


def _declared(message: Message) -> Iterator[_Incoming]:
    match message:
        case UserMessage() | SystemMessage() | DeveloperMessage():
            yield _Incoming(message.role, message.id, text_of(message.content), message)
        case AssistantMessage():
            if message.content is not None:
                yield _Incoming("text", message.id, message.content, message)
            for call in message.tool_calls or ():
                yield _Incoming(
                    "call", call.id, _call_content(call.function.name, call.function.arguments), message, call
                )
        case ReasoningMessage():
            yield _Incoming("reasoning", message.id, message.content, message)
        case ActivityMessage():
            yield _Incoming("activity", message.id, None, message)
        case ToolMessage():
            pass
        case _:
            assert_never(message)


def _once(declared: list[_Incoming]) -> list[_Incoming]:
    """Return the list with each call once: some agents declare them twice."""
    calls: set[str] = set()
    kept: list[_Incoming] = []
    for item in declared:
        if item.call is None or item.call.id not in calls:
            kept.append(item)
        if item.call is not None:
            calls.add(item.call.id)
    return kept


def _on_screen(row: Row) -> Iterator[_Held]:
    if row.role not in {"assistant", "activity"}:
        yield _Held(row.role, row.wire_id, row, None)
        return
    for part in row.parts:
        yield _Held(part.kind, part.wire_id, row, part)


def _content(item: _Held) -> Hashable:
    if item.part is None:
        return _line_text(item.row)
    if isinstance(item.part, LiveCall):
        return _call_content(item.part.name, item.part.args.read() or "")
    return item.part.read() if isinstance(item.part, LiveText) else None


def _line_text(row: Row) -> str:
    return "".join(part.read() or "" for part in row.parts if isinstance(part, LiveText))


def _call_content(name: str, arguments: str) -> Hashable:
    return (name, _canonical(arguments))


def _canonical(arguments: str) -> str:
    """Return the argument text without what JSON leaves to taste; other text as it is."""
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except (ValueError, RecursionError):
        return arguments


# ------------------------------------------------------------------ matching


def _matched(held: list[_Held], incoming: list[_Incoming]) -> dict[int, _Incoming]:
    """Pair what is held with what comes in, each once, in order: by id, then by content."""
    pairs: dict[int, _Incoming] = {}
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
    pairs: dict[int, _Incoming],
    held: list[_Held],
    incoming: list[_Incoming],
    held_key: Callable[[_Held], Hashable],
    incoming_key: Callable[[_Incoming], Hashable],
) -> None:
    taken = {id(item) for item in pairs.values()}
    waiting: defaultdict[Hashable, deque[_Incoming]] = defaultdict(deque)
    for item in incoming:
        if id(item) not in taken:
            waiting[incoming_key(item)].append(item)
    for candidate in held:
        if id(candidate) not in pairs and waiting and (queue := waiting.get(held_key(candidate))):
            pairs[id(candidate)] = queue.popleft()


# ------------------------------------------------------------------ editing


def _edit(screen: Screen, held: list[_Held], pairs: dict[int, _Incoming], keeper: Keeper) -> list[RowChange]:
    changes: list[RowChange] = []
    for item in held:
        incoming = pairs.get(id(item))
        if incoming is not None:
            changes.extend(_update(screen, item, incoming))
        elif not keeper.keeps(item.kind, _activity_type(item)):
            changes.extend(_drop(screen, item))
    return changes


def _activity_type(item: _Held) -> str:
    return item.part.activity_type if isinstance(item.part, LiveActivity) else ""


def _drop(screen: Screen, item: _Held) -> Changes:
    parts = item.row.parts if item.part is None else [item.part]
    screen.gone |= {part.wire_id for part in parts if isinstance(part, LiveText)}
    if item.part is None:
        return (screen.drop_row(item.row),)
    return (screen.drop_part(item.row, item.part),)


def _update(screen: Screen, item: _Held, incoming: _Incoming) -> Changes:
    part, message = item.part, incoming.message
    if incoming.call is not None:
        assert isinstance(part, LiveCall)
        changed = _update_call(screen, item.row, part, incoming)
    elif isinstance(message, Line):
        changed = _update_line(screen, item.row, message)
    elif isinstance(message, ActivityMessage):
        assert isinstance(part, LiveActivity)
        changed = (part.activity_type, part.content) != (message.activity_type, message.content)
        part.activity_type, part.content = message.activity_type, message.content
    else:
        assert isinstance(part, LiveText)
        changed = _update_text(screen, item.row, part, message.id, message.content or "")
    return (screen.touch(item.row),) if changed else ()


def _update_line(screen: Screen, row: Row, message: Line) -> bool:
    renamed = row.wire_id != message.id
    row.wire_id = message.id
    if isinstance(message.content, str) and len(row.parts) == 1 and isinstance(row.parts[0], LiveText):
        return _update_text(screen, row, row.parts[0], message.id, message.content) or renamed
    # Files are drawn anew: their source may be another.
    for part in row.parts:
        screen.forget(part)
    row.parts = []
    fill_line(screen, row, message.id, message.content)
    return True


def _update_text(screen: Screen, row: Row, part: LiveText, wire_id: str, text: str) -> bool:
    changed = (part.wire_id, part.read()) != (wire_id, text)
    if screen.texts.get(part.wire_id) == (row, part):
        del screen.texts[part.wire_id]
        screen.texts[wire_id] = (row, part)
    part.wire_id = wire_id
    part.become(text)
    return changed


def _update_call(screen: Screen, row: Row, part: LiveCall, incoming: _Incoming) -> bool:
    call = incoming.call
    assert call is not None
    before = (part.wire_id, part.name, part.parent_id)
    del screen.calls[part.wire_id]
    screen.calls[call.id] = (row, part)
    part.wire_id, part.name, part.parent_id = call.id, call.function.name, incoming.message.id
    changed = before != (part.wire_id, part.name, part.parent_id)
    new, old = call.function.arguments, part.args.read() or ""
    # Agents write the JSON anew or lose it; what was streamed stays unless it says something else.
    if not new.strip() or _canonical(new) == _canonical(old):
        return changed
    part.args.become(new)
    return True


# ------------------------------------------------------------------ drawing


def _draw(screen: Screen, item: _Incoming) -> Changes:
    message = item.message
    match message:
        case SystemMessage() | DeveloperMessage():
            return ()  # the agent's own prompt: nobody on this side wrote it
        case UserMessage():
            return draw_line(screen, message)
        case ActivityMessage():
            return draw_activity(screen, message)
        case AssistantMessage() | ReasoningMessage():
            return _draw_part(screen, item, message)
        case _:
            assert_never(message)


def _draw_part(screen: Screen, item: _Incoming, message: AssistantMessage | ReasoningMessage) -> Changes:
    if item.call is None and not message.content:
        return ()
    row = screen.turn(message.id, message.subagent_run_id)
    if item.call is not None:
        screen.add_call(row, finished_call(screen, item.call, message.id))
    else:
        screen.add_text(row, message.id, message.content or "", reasoning=item.kind == "reasoning")
    return (screen.touch(row),)


def _settle(screen: Screen, message: ToolMessage) -> Changes:
    held = screen.calls.get(message.tool_call_id)
    if held is None or (held[1].result, held[1].result_id) == (text_of(message.content), message.id):
        return ()
    return draw_result(screen, message.tool_call_id, message.id, message.content)


def _distinct(changes: Iterable[RowChange]) -> Changes:
    """Return each row's last change, so that a reader redraws it once."""
    last: dict[str, RowChange] = {}
    for change in changes:
        last.pop(change.key, None)
        last[change.key] = change
    return tuple(last.values())
