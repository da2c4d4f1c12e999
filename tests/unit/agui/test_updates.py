import pytest

from chat_app.agui.errors import StreamCut
from chat_app.agui.updates import (
    CLIENT_ERROR,
    Cancelled,
    Failed,
    Interrupted,
    RunEnd,
    SubagentStatus,
    Success,
    run_end,
)
from tests.support.wire import failed, finished


@pytest.mark.parametrize(
    ("fields", "end"),
    [
        ({}, Success("r")),
        ({"result": {"n": 1}}, Success("r", {"n": 1})),
        ({"outcome": {"type": "success"}}, Success("r")),
        ({"outcome": {"type": "success", "pendingToolCallIds": ["c"]}}, Success("r", pending=("c",))),
        ({"outcome": {"type": "cancelled"}}, Cancelled("r")),
    ],
)
def test_a_run_ends_as_its_outcome_says(fields: dict[str, object], end: RunEnd) -> None:
    assert run_end(finished("other-id", **fields), "r") == end


def test_an_interrupted_run_carries_its_questions_whole() -> None:
    asked = {"id": "i", "reason": "tool_call", "toolCallId": "c", "metadata": {"k": None}}
    end = run_end(finished(outcome={"type": "interrupt", "interrupts": [asked]}), "r")
    assert isinstance(end, Interrupted)
    assert [item.model_dump(by_alias=True) for item in end.interrupts] == [asked]


def test_a_run_error_is_a_failure_in_the_agents_words() -> None:
    assert run_end(failed("down", code="E"), "r") == Failed("r", "down", "E")


def test_the_exception_behind_a_failure_is_no_part_of_its_value() -> None:
    assert Failed("r", "cut", CLIENT_ERROR, StreamCut()) == Failed("r", "cut", CLIENT_ERROR)


def test_a_subagent_has_one_of_five_statuses() -> None:
    assert len(SubagentStatus) == 5
