"""Reconciles the screen with a list of messages the agent declares.

Agents rename what they streamed, split it otherwise and leave parts out. What matches stays where it is,
under its key; what the list leaves out goes, but for activities and thoughts the agent does not keep; the
rest is drawn below.
"""

from collections.abc import Iterable
from typing import assert_never

from chat_app.agui.events import (
    ActivityMessage,
    AssistantMessage,
    DeveloperMessage,
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
    draw_tool_message,
    fill_line,
    finished_call,
    text_of,
)
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LiveText, Row
from chat_app.agui.transcript.matching import Held, Incoming, Line, canonical, declared, matched, on_screen
from chat_app.agui.transcript.model import ToolCallStatus
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.updates import RowChange


def reconcile(screen: Screen, event: MessagesSnapshotEvent) -> Changes:
    """Bring the screen in line with the agent's list of messages."""
    incoming = declared(event.messages)
    held = on_screen(screen.rows.values())
    pairs = matched(held, incoming)
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


# ------------------------------------------------------------------ editing


def _edit(screen: Screen, held: list[Held], pairs: dict[int, Incoming], keeper: Keeper) -> list[RowChange]:
    changes: list[RowChange] = []
    for item in held:
        incoming = pairs.get(id(item))
        if incoming is not None:
            changes.extend(_update(screen, item, incoming))
        elif not keeper.keeps(item.kind, _activity_type(item)):
            changes.extend(_drop(screen, item))
    return changes


def _activity_type(item: Held) -> str:
    return item.part.activity_type if isinstance(item.part, LiveActivity) else ""


def _drop(screen: Screen, item: Held) -> Changes:
    parts = item.row.parts if item.part is None else [item.part]
    screen.gone |= {part.wire_id for part in parts if isinstance(part, LiveText)}
    if item.part is None:
        return (screen.drop_row(item.row),)
    return (screen.drop_part(item.row, item.part),)


def _update(screen: Screen, item: Held, incoming: Incoming) -> Changes:
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


def _update_call(screen: Screen, row: Row, part: LiveCall, incoming: Incoming) -> bool:
    call = incoming.call
    assert call is not None
    before = (part.wire_id, part.name, part.parent_id)
    del screen.calls[part.wire_id]
    screen.calls[call.id] = (row, part)
    part.wire_id, part.name, part.parent_id = call.id, call.function.name, incoming.message.id
    changed = before != (part.wire_id, part.name, part.parent_id)
    new, old = call.function.arguments, part.args.read() or ""
    # Agents write the JSON anew or lose it; what was streamed stays unless it says something else.
    if not new.strip() or canonical(new) == canonical(old):
        return changed
    part.args.become(new)
    return True


# ------------------------------------------------------------------ drawing


def _draw(screen: Screen, item: Incoming) -> Changes:
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


def _draw_part(screen: Screen, item: Incoming, message: AssistantMessage | ReasoningMessage) -> Changes:
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
    if held is None or _says_the_same(held[1], message):
        return ()
    return draw_tool_message(screen, message)


def _says_the_same(call: LiveCall, message: ToolMessage) -> bool:
    shown = text_of(message.content) or message.error or ""
    failed = message.error is not None
    return (call.result, call.result_id, call.status is ToolCallStatus.FAILED) == (shown, message.id, failed)


def _distinct(changes: Iterable[RowChange]) -> Changes:
    """Return each row's last change in the place of its first, so that new rows come in their order."""
    last: dict[str, RowChange] = {}
    for change in changes:
        last[change.key] = change
    return tuple(last.values())
