"""Draws whole messages: lines of this side, messages a snapshot or an echo brings, seeded history."""

from collections.abc import Iterable
from typing import TypeAlias, assert_never

from ag_ui.core import ContentPart, TextPart, ToolCall

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
from chat_app.agui.growing import GrowingText
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LiveFile, Row
from chat_app.agui.transcript.model import FilePart, ToolCallStatus
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.updates import RowChange

Changes: TypeAlias = tuple[RowChange, ...]
Content: TypeAlias = str | list[ContentPart]


def draw(screen: Screen, message: Message) -> Changes:
    """Draw a complete message; consecutive messages of the agent share a row."""
    match message:
        case UserMessage() | SystemMessage() | DeveloperMessage():
            return draw_line(screen, message)
        case AssistantMessage():
            return draw_answer(screen, message)
        case ReasoningMessage():
            row = screen.turn(message.id, message.subagent_run_id)
            screen.add_text(row, message.id, message.content, reasoning=True)
            return (screen.touch(row),)
        case ToolMessage():
            return draw_tool_message(screen, message)
        case ActivityMessage():
            return draw_activity(screen, message)
        case _:
            assert_never(message)


def draw_line(screen: Screen, message: UserMessage | SystemMessage | DeveloperMessage) -> Changes:
    """Draw a message that is nobody's turn but its own, as a row of its own."""
    row = screen.open_row(message.role, message.id, message.subagent_run_id)
    fill_line(screen, row, message.id, message.content)
    return (screen.touch(row),)


def fill_line(screen: Screen, row: Row, wire_id: str, content: Content) -> None:
    """Give a line its parts: one text, or a text or file per content part."""
    if isinstance(content, str):
        screen.add_text(row, wire_id, content)
    else:
        for index, part in enumerate(content):
            key = f"{wire_id}:{index}"
            if isinstance(part, TextPart):
                screen.add_text(row, key, part.text)
            else:
                row.parts.append(LiveFile(file_part(key, part)))
    # A line's text is not for streamed text of the same id to join.
    screen.texts.pop(wire_id, None)


def draw_answer(screen: Screen, message: AssistantMessage) -> Changes:
    """Draw an assistant's message: its text, if it says anything, and its calls."""
    row: Row | None = None
    if message.content:
        row = screen.turn(message.id, message.subagent_run_id)
        screen.add_text(row, message.id, message.content)
    for call in message.tool_calls or ():
        if call.id not in screen.calls:
            row = screen.turn(message.id, message.subagent_run_id)
            screen.add_call(row, finished_call(screen, call, message.id))
    return () if row is None else (screen.touch(row),)


def finished_call(screen: Screen, call: ToolCall, parent_id: str) -> LiveCall:
    """Return a call whose arguments are complete and that waits for its result."""
    name, arguments = call.function.name, call.function.arguments
    live = LiveCall(call.id, call.id, name, screen.run_id, parent_id, GrowingText(text=arguments))
    live.status = ToolCallStatus.AWAITING_RESULT
    return live


def draw_tool_message(screen: Screen, message: ToolMessage) -> Changes:
    """Draw a tool message on its call; one that names an error says that the call failed."""
    changes = draw_result(screen, message.tool_call_id, message.id, message.content)
    if changes and message.error is not None:
        _, call = screen.calls[message.tool_call_id]
        call.status = ToolCallStatus.FAILED
        call.result = call.result or message.error
    return changes


def draw_result(screen: Screen, call_id: str, result_id: str, content: Content) -> Changes:
    """Draw an answer on its call. The last one wins: some agents answer twice."""
    held = screen.calls.get(call_id)
    if held is None:
        return ()
    row, call = held
    call.result, call.result_id = text_of(content), result_id
    call.files = tuple(files_of(result_id, content))
    call.status = ToolCallStatus.COMPLETE
    return (screen.touch(row),)


def draw_activity(screen: Screen, message: ActivityMessage) -> Changes:
    """Draw an activity as a row of its own."""
    row = screen.open_row("activity", message.id, message.subagent_run_id)
    part = LiveActivity(message.id, message.id, message.activity_type, message.content)
    row.parts.append(part)
    screen.activities[message.id] = (row, part)
    return (screen.touch(row),)


def text_of(content: Content) -> str:
    """Return a content as text: of a list the texts in it, one after the other."""
    if isinstance(content, str):
        return content
    return "".join(part.text for part in content if isinstance(part, TextPart))


def files_of(wire_id: str, content: Content) -> Iterable[FilePart]:
    """Yield what a content holds besides text."""
    for index, part in enumerate(content if isinstance(content, list) else ()):
        if not isinstance(part, TextPart):
            yield file_part(f"{wire_id}:{index}", part)


def file_part(key: str, part: ContentPart) -> FilePart:
    """Return a media part as it is drawn; its name is what its metadata says."""
    assert not isinstance(part, TextPart)
    metadata = part.metadata if isinstance(part.metadata, dict) else {}
    name = metadata.get("filename") or metadata.get("title")
    mime = part.source.mime_type
    return FilePart(key, part.type, part.source.type, part.source.value, mime, name and str(name))
