"""Folds the beginning and end of runs, and their steps, onto the screen."""

from chat_app.agui.events import (
    DeveloperMessage,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SystemMessage,
)
from chat_app.agui.transcript.asides import show_lanes
from chat_app.agui.transcript.drawing import Changes, draw
from chat_app.agui.transcript.live import LiveCall, LiveText, Row
from chat_app.agui.transcript.model import ToolCallStatus
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.updates import Running, run_end

_PROMPTS = (SystemMessage, DeveloperMessage)


def start_run(screen: Screen, event: RunStartedEvent) -> Changes:
    """Begin a run: ids of messages start anew, calls held for approval are released."""
    settled = _sweep(screen)
    released = [_release(screen, *held) for held in screen.awaiting]
    screen.run, screen.run_id, screen.requested = Running(event.run_id), event.run_id, None
    for call in screen.replaying:
        call.replay = None
    screen.replaying.clear()
    screen.awaiting.clear()
    screen.steps.clear()
    screen.texts.clear()
    screen.gone.clear()
    screen.end_turn()
    return (*settled, *(change for changes in released for change in changes), *_draw_echo(screen, event))


def finish_run(screen: Screen, event: RunFinishedEvent) -> Changes:
    """End a run as the agent says: what is open settles, calls it asks about wait for approval."""
    settled = _sweep(screen)
    screen.run = run_end(event, screen.run_id or event.run_id)
    screen.run_id, screen.requested = None, None
    interrupts = event.outcome.interrupts if event.outcome and event.outcome.type == "interrupt" else []
    held = [change for item in interrupts for change in _hold(screen, item.tool_call_id)]
    return (*settled, *held, *show_lanes(screen, event))


def fail_run(screen: Screen, event: RunErrorEvent) -> Changes:
    """End a run as failed: what is open settles, calls whose arguments never ended have failed."""
    settled = _sweep(screen)
    # Without a new request, a late error is about the run before; one that comes first is about none.
    before: str = getattr(screen.run, "run_id", "")
    screen.run = run_end(event, before if screen.requested is None else screen.requested)
    screen.run_id, screen.requested = None, None
    return (*settled, *show_lanes(screen, event))


def start_step(screen: Screen, event: StepStartedEvent) -> Changes:
    """Note that a step is open; steps are no rows."""
    screen.steps[(event.subagent_run_id, event.step_name)] = None
    return ()


def finish_step(screen: Screen, event: StepFinishedEvent) -> Changes:
    """Note that a step is over."""
    screen.steps.pop((event.subagent_run_id, event.step_name), None)
    return ()


def _sweep(screen: Screen) -> Changes:
    """Settle whatever still streams, in whichever row, and close the steps."""
    rows: dict[str, Row] = {}
    for part, row in screen.streaming.items():
        if isinstance(part, LiveText):
            part.streaming = False
        else:
            part.status = ToolCallStatus.FAILED
        rows[row.key] = row
    screen.streaming.clear()
    screen.steps.clear()
    return tuple(screen.touch(row) for row in rows.values())


def _hold(screen: Screen, call_id: str | None) -> Changes:
    held = screen.calls.get(call_id) if call_id is not None else None
    if held is None or held[1].status is not ToolCallStatus.AWAITING_RESULT:
        return ()
    held[1].status = ToolCallStatus.AWAITING_APPROVAL
    screen.awaiting.append(held)
    return (screen.touch(held[0]),)


def _release(screen: Screen, row: Row, call: LiveCall) -> Changes:
    if call.status is not ToolCallStatus.AWAITING_APPROVAL:
        return ()
    call.status = ToolCallStatus.AWAITING_RESULT
    return (screen.touch(row),)


def _draw_echo(screen: Screen, event: RunStartedEvent) -> Changes:
    """Draw the messages of an echoed input that nobody here knows."""
    messages = event.input.messages if event.input is not None else []
    known = _known_ids(screen) if messages else set()
    unknown = [message for message in messages if message.id not in known]
    drawn = [draw(screen, message) for message in unknown if not isinstance(message, _PROMPTS)]
    screen.end_turn()
    return tuple(change for changes in drawn for change in changes)


def _known_ids(screen: Screen) -> set[str | None]:
    """Return the ids of the messages that are on screen, in whatever part of a row."""
    rows = {row.wire_id for row in screen.rows.values()}
    texts = {part.wire_id for row in screen.rows.values() for part in row.parts if isinstance(part, LiveText)}
    calls = [call for _, call in screen.calls.values()]
    return (
        rows | texts | {call.parent_id or call.wire_id for call in calls} | {call.result_id for call in calls}
    )
