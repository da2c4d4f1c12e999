from typing import Any

import pytest
from ag_ui.core import UserMessage

from chat_app.agui.events import LocalMessage
from chat_app.agui.transcript import ToolCallPart, TranscriptReducer
from chat_app.agui.updates import Failed, Idle, Interrupted, Running, Success, Touched
from tests.support.wire import call, ev, failed, finished, result, started, text

STEP = ev("STEP_STARTED", stepName="a")


def folded(*events: Any) -> TranscriptReducer:
    reducer = TranscriptReducer()
    for event in events:
        reducer.apply(event)
    return reducer


def asked(*call_ids: str | None) -> Any:
    interrupts = [
        {"id": f"i{n}", "reason": "x"} | ({} if call_id is None else {"toolCallId": call_id})
        for n, call_id in enumerate(call_ids)
    ]
    return finished(outcome={"type": "interrupt", "interrupts": interrupts})


def statuses(reducer: TranscriptReducer) -> dict[str, str]:
    parts = [part for row in reducer.snapshot().messages for part in row.parts]
    return {part.wire_id: part.status.value for part in parts if isinstance(part, ToolCallPart)}


def test_a_run_is_idle_then_running_then_ended() -> None:
    reducer = folded()
    assert reducer.run == Idle()
    reducer.apply(started())
    assert reducer.run == Running("r")
    reducer.apply(finished("another id", result=1))
    assert reducer.run == Success("r", 1)


def test_a_late_error_is_about_the_run_before_it() -> None:
    assert folded(started(), finished(), failed("late", code="E")).run == Failed("r", "late", "E")
    assert folded(failed("closed")).run == Failed("", "closed")


def test_a_failure_before_the_start_is_about_the_run_that_was_requested() -> None:
    reducer = folded(started(), finished())
    reducer.expect("r2")
    reducer.apply(failed("down"))
    assert reducer.run == Failed("r2", "down")
    reducer.apply(failed("later"))
    assert reducer.run == Failed("r2", "later")


@pytest.mark.parametrize("begun", [started("r2"), finished("r2")])
def test_once_the_agent_spoke_of_a_run_its_word_counts(begun: Any) -> None:
    reducer = folded()
    reducer.expect("r1")
    reducer.apply(begun)
    reducer.apply(failed("late"))
    assert reducer.run == Failed("r2", "late")


def test_behind_a_line_of_this_side_a_failure_is_not_about_the_run_before() -> None:
    reducer = folded(started(), finished())
    reducer.apply(LocalMessage(UserMessage(id="u", role="user", content="hi")))
    reducer.apply(failed("down"))
    assert reducer.run == Failed("", "down")


def test_a_finish_without_a_start_carries_its_own_id() -> None:
    assert folded(finished("lost")).run == Success("lost")


def test_the_end_of_a_run_settles_everything_in_every_row() -> None:
    reducer = folded(started(), text("m", "x")[0], *text("u", "y", role="user")[:2], *call("c", "n", "{")[:2])
    assert set(reducer.apply(failed())) == {Touched("m"), Touched("u"), Touched("c")}
    assert statuses(reducer) == {"c": "failed"}
    texts = [
        part
        for row in reducer.snapshot().messages
        for part in row.parts
        if not isinstance(part, ToolCallPart)
    ]
    assert not any(part.streaming for part in texts)  # type: ignore[union-attr]
    assert reducer.apply(failed()) == ()


def test_a_run_that_starts_over_another_settles_it() -> None:
    reducer = folded(started(), *text("m", "x")[:2])
    assert reducer.apply(started("r2")) == (Touched("m"),)


def test_a_call_the_agent_asks_about_waits_for_approval_until_the_next_run() -> None:
    reducer = folded(started(), *call("c1"), *call("c2"), *call("done"), result("done"))
    assert reducer.apply(asked("c1", "done", "ghost", None)) == (Touched("c1"),)
    assert isinstance(reducer.run, Interrupted)
    assert statuses(reducer) == {"c1": "awaiting_approval", "c2": "awaiting_result", "done": "complete"}
    reducer.apply(failed("late"))
    assert reducer.apply(started("r2")) == (Touched("c1"),)
    assert statuses(reducer)["c1"] == "awaiting_result"


def test_a_held_call_that_was_answered_is_not_released() -> None:
    reducer = folded(started(), *call("c1"), asked("c1"), result("c1"))
    assert reducer.apply(started("r2")) == ()
    assert statuses(reducer) == {"c1": "complete"}


@pytest.mark.parametrize("end", [finished(), failed(), started("r2")])
def test_steps_are_open_until_they_or_their_run_end(end: Any) -> None:
    other = ev("STEP_STARTED", stepName="a", subagentRunId="s")
    reducer = folded(
        started(), STEP, other, ev("STEP_STARTED", stepName="b"), ev("STEP_FINISHED", stepName="a")
    )
    assert reducer.steps == ("a", "b")
    reducer.apply(ev("STEP_FINISHED", stepName="ghost"))
    reducer.apply(end)
    assert reducer.steps == ()


def test_an_echoed_input_draws_only_what_is_not_on_screen() -> None:
    calls = [{"id": "c", "type": "function", "function": {"name": "n", "arguments": ""}}]
    messages = [
        {"id": "u", "role": "user", "content": "hi"},
        {"id": "c", "role": "assistant", "toolCalls": calls},
        {"id": "c-result", "role": "tool", "toolCallId": "c", "content": "ok"},
        {"id": "m", "role": "assistant", "content": "x"},
        {"id": "s", "role": "system", "content": "be brief"},
        {"id": "d", "role": "developer", "content": "be kind"},
        {"id": "new", "role": "user", "content": "from elsewhere"},
    ]
    before = [
        LocalMessage(UserMessage(id="u", content="hi")),
        started(),
        *call("c"),
        result("c"),
        *text("m", "x"),
    ]
    reducer = folded(*before, finished())
    echo = started("r2", input={"threadId": "t", "runId": "r2", "messages": messages})
    assert reducer.apply(echo) == (Touched("new"),)
    assert [row.key for row in reducer.snapshot().messages] == ["u", "c", "new"]


def test_a_run_forgets_what_the_one_before_began_to_repeat() -> None:
    reducer = folded(started(), *call("c", "n", "{}"), finished(), started("r2"), *call("c", "n", "x")[:2])
    reducer.apply(started("r3"))
    reducer.apply(call("c")[-1])
    assert [part.args for part in reducer.message("c").parts] == ["{}"]  # type: ignore[union-attr]
