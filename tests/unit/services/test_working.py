import pytest
from ag_ui.core import (
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageStartEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from chat_app.services.working import Working


def begun(*events) -> Working:
    working = Working()
    for event in events:
        working.hear(event)
    return working


STEP = StepStartedEvent(step_name="Check the stand")
CALL = ToolCallStartEvent(tool_call_id="c", tool_call_name="book")


def test_nothing_is_at_work_at_first():
    assert begun().now == ("", "")


def test_the_step_and_the_tool_named_last_are_at_work():
    second = ToolCallStartEvent(tool_call_id="d", tool_call_name="pay")
    assert begun(StepStartedEvent(step_name="Read"), STEP, CALL, second).now == ("Check the stand", "pay")


def test_what_is_over_makes_room_for_what_goes_on():
    over = ToolCallResultEvent(tool_call_id="c", message_id="m", content="ok")
    assert begun(STEP, CALL, over).now == ("Check the stand", "")
    assert begun(STEP, CALL, StepFinishedEvent(step_name="Check the stand")).now == ("", "book")


@pytest.mark.parametrize(
    "end",
    [
        RunFinishedEvent(thread_id="t", run_id="r"),
        RunErrorEvent(message="no"),
        RunStartedEvent(thread_id="t", run_id="s"),
    ],
)
def test_nothing_outlives_its_run(end):
    assert begun(STEP, CALL, end).now == ("", "")


def test_only_a_change_is_told():
    working = begun(STEP)
    assert not working.hear(TextMessageStartEvent(message_id="m", role="assistant"))
    assert not working.hear(ToolCallResultEvent(tool_call_id="?", message_id="m", content=""))
    assert working.hear(CALL)
