"""Folds streamed text, thoughts, calls and activities onto the screen."""

from typing import TypeAlias

from chat_app.agui.errors import PatchFailed
from chat_app.agui.events import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from chat_app.agui.growing import GrowingText
from chat_app.agui.patch import patch_object
from chat_app.agui.transcript.drawing import Changes, draw_result
from chat_app.agui.transcript.live import LiveActivity, LiveCall, Row
from chat_app.agui.transcript.model import ToolCallStatus
from chat_app.agui.transcript.screen import Screen

_UNFINISHED = frozenset({ToolCallStatus.STREAMING_ARGUMENTS, ToolCallStatus.FAILED})

_Start: TypeAlias = TextMessageStartEvent | ReasoningMessageStartEvent
_Content: TypeAlias = TextMessageContentEvent | ReasoningMessageContentEvent
_End: TypeAlias = TextMessageEndEvent | ReasoningMessageEndEvent


# ------------------------------------------------------------------ text and thoughts


def start_text(screen: Screen, event: TextMessageStartEvent) -> Changes:
    """Open a text: a part of the turn, or a row of its own when it is not the assistant's."""
    return _start(screen, event, event.role or "assistant")


def start_reasoning(screen: Screen, event: ReasoningMessageStartEvent) -> Changes:
    """Open a thought in the turn."""
    return _start(screen, event, "reasoning")


def _start(screen: Screen, event: _Start, role: str) -> Changes:
    held = screen.texts.get(event.message_id)
    if held is None and event.message_id in screen.activities:
        return ()
    if held is None:
        row = _row_for(screen, role, event.message_id, event.subagent_run_id)
        screen.add_text(row, event.message_id, reasoning=role == "reasoning", streaming=True)
    else:
        row, part = held
        part.streaming = True
        screen.streaming[part] = row
    return (screen.touch(row),)


def _row_for(screen: Screen, role: str, wire_id: str, owner: str | None) -> Row:
    if role in {"assistant", "reasoning"}:
        return screen.turn(wire_id, owner)
    return screen.open_row(role, wire_id, owner)


def add_text(screen: Screen, event: _Content) -> Changes:
    """Let a text or a thought grow."""
    held = screen.texts.get(event.message_id)
    if held is None:
        return _add_orphan(screen, event)
    return screen.append(*held, event.delta)


def _add_orphan(screen: Screen, event: _Content) -> Changes:
    """Draw text for an id nobody opened, unless a snapshot took it or it is a thought's."""
    lost = event.message_id in screen.gone or event.message_id in screen.activities
    if lost or isinstance(event, ReasoningMessageContentEvent):
        return ()
    row = screen.turn(event.message_id, event.subagent_run_id)
    screen.add_text(row, event.message_id, event.delta, streaming=True)
    return (screen.touch(row),)


def end_text(screen: Screen, event: _End) -> Changes:
    """Settle a text or a thought."""
    held = screen.texts.get(event.message_id)
    if held is None:
        return ()
    row, part = held
    part.streaming = False
    part.read()
    screen.streaming.pop(part, None)
    return (screen.touch(row),)


# ------------------------------------------------------------------ calls


def start_call(screen: Screen, event: ToolCallStartEvent) -> Changes:
    """Open a call in the turn, or go on with the call of this id where it stands."""
    held = screen.calls.get(event.tool_call_id)
    if held is not None:
        return _reopen(screen, *held, event)
    row = screen.turn(event.tool_call_id, event.subagent_run_id)
    call = LiveCall("", event.tool_call_id, event.tool_call_name, screen.run_id, None, GrowingText(text=""))
    call.parent_id = event.parent_message_id
    screen.add_call(row, call)
    return (screen.touch(row),)


def _reopen(screen: Screen, row: Row, call: LiveCall, event: ToolCallStartEvent) -> Changes:
    call.name = event.tool_call_name
    if call.run_id != screen.run_id:
        # A later run repeats the call: its arguments replace the old ones when they are complete.
        call.replay = []
        screen.replaying.append(call)
    elif call.result is None:
        call.status = ToolCallStatus.STREAMING_ARGUMENTS
        screen.streaming[call] = row
    return (screen.touch(row),)


def add_arguments(screen: Screen, event: ToolCallArgsEvent) -> Changes:
    """Let a call's argument text grow."""
    held = screen.calls.get(event.tool_call_id)
    if held is None:
        return ()
    row, call = held
    if call.replay is None:
        return screen.append(row, call, event.delta)
    call.replay.append(event.delta)
    return ()


def end_call(screen: Screen, event: ToolCallEndEvent) -> Changes:
    """Note that a call's arguments are complete: it waits for its result, or for a person's answer."""
    held = screen.calls.get(event.tool_call_id)
    if held is None:
        return ()
    row, call = held
    if call.replay:
        call.args.become("".join(call.replay))
    call.replay, call.run_id = None, screen.run_id
    call.args.read()
    screen.streaming.pop(call, None)
    if call.status in _UNFINISHED and call.result is None:
        asks = call.name in screen.ask_tools
        call.status = ToolCallStatus.AWAITING_ANSWER if asks else ToolCallStatus.AWAITING_RESULT
    return (screen.touch(row),)


def add_result(screen: Screen, event: ToolCallResultEvent) -> Changes:
    """Draw a result on its call, whichever run made it."""
    if event.tool_call_id not in screen.calls:
        words = f"TOOL_CALL_RESULT for {event.tool_call_id!r} is not drawn: nobody made this call"
        screen.warn("no-target", words, "TOOL_CALL_RESULT")
    return draw_result(screen, event.tool_call_id, event.message_id, event.content)


# ------------------------------------------------------------------ activities


def set_activity(screen: Screen, event: ActivitySnapshotEvent) -> Changes:
    """Draw an activity, or redraw it unless the event says to leave it."""
    held = screen.activities.get(event.message_id)
    if held is None:
        return _new_activity(screen, event)
    if event.replace is False:
        return ()
    row, part = held
    row.owner = event.subagent_run_id
    part.activity_type, part.content = event.activity_type, event.content
    return (screen.touch(row),)


def _new_activity(screen: Screen, event: ActivitySnapshotEvent) -> Changes:
    before: Changes = ()
    if text := screen.texts.get(event.message_id):
        if event.replace is False:
            return ()
        before = (screen.drop_part(*text),)
    row = screen.open_row("activity", event.message_id, event.subagent_run_id)
    part = LiveActivity(event.message_id, event.message_id, event.activity_type, event.content)
    row.parts.append(part)
    screen.activities[event.message_id] = (row, part)
    return (*before, screen.touch(row))


def patch_activity(screen: Screen, event: ActivityDeltaEvent) -> Changes:
    """Patch an activity, which also sets its type; a patch that fails changes neither."""
    held = screen.activities.get(event.message_id)
    if held is None:
        words = f"ACTIVITY_DELTA for {event.message_id!r} is not drawn: no activity has this id"
        screen.warn("no-target", words, "ACTIVITY_DELTA")
        return ()
    row, part = held
    try:
        part.content = patch_object(part.content, event.patch)
    except PatchFailed as error:
        screen.warn("patch-failed", f"Activity {event.message_id!r}: {error.message}", "ACTIVITY_DELTA")
        return ()
    part.activity_type = event.activity_type
    return (screen.touch(row),)
