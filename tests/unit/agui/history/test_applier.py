from typing import Any, get_args

import pytest
from ag_ui.core import AssistantMessage, ToolMessage, UserMessage

from chat_app.agui.errors import PatchFailed
from chat_app.agui.events import (
    Event,
    LocalMessage,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
)
from chat_app.agui.history import HANDLERS, IGNORED, Applier
from chat_app.agui.updates import InterruptRaised, ResultArrived, StateChanged, SubagentChanged, Trouble
from tests.support.wire import Reports, call, ev, failed, finished, result, started, text, thought

OWN = {
    RunStartedEvent,
    RunFinishedEvent,
    RunErrorEvent,
    StateSnapshotEvent,
    StateDeltaEvent,
    SubagentStartedEvent,
    SubagentFinishedEvent,
    SubagentErrorEvent,
}


def folded(*entries: Any, **keywords: Any) -> Applier:
    applier = Applier(**keywords)
    for entry in entries:
        applier.apply(entry)
    return applier


def asked(*interrupts: dict[str, Any]) -> Any:
    return finished(outcome={"type": "interrupt", "interrupts": list(interrupts)})


def test_every_event_has_exactly_one_place() -> None:
    places = [set(HANDLERS), set(IGNORED), OWN]
    assert set.union(*places) == set(get_args(Event))
    assert sum(map(len, places)) == len(get_args(Event))


@pytest.mark.parametrize(
    "event", [ev("CUSTOM", name="x", value=1), ev("RAW", event={}), ev("STEP_STARTED", stepName="s")]
)
def test_what_is_nobodys_business_changes_nothing(event: Any) -> None:
    applier = folded(started())
    assert applier.apply(event) == ()
    assert applier.messages == ()


def test_state_is_an_empty_document_until_something_says_otherwise() -> None:
    applier = folded(started())
    assert (applier.state, applier.state_seen) == ({}, False)
    assert applier.apply(ev("STATE_DELTA", delta=[{"op": "add", "path": "/a", "value": 1}])) == (
        StateChanged({"a": 1}),
    )
    assert applier.state_seen


@pytest.mark.parametrize("value", [None, 0, "", [], {"a": 1}])
def test_a_snapshot_replaces_the_state_whatever_it_is(value: Any) -> None:
    applier = folded(ev("STATE_SNAPSHOT", snapshot=value), state={"old": 1})
    assert applier.state == value


def test_a_patch_that_fails_is_trouble_and_changes_nothing() -> None:
    reports = Reports()
    applier = folded(state={"a": 1}, report=reports)
    (trouble,) = applier.apply(ev("STATE_DELTA", delta=[{"op": "remove", "path": "/b"}]))
    assert isinstance(trouble, Trouble)
    assert isinstance(trouble.error, PatchFailed)
    assert (applier.state, applier.state_seen) == ({"a": 1}, False)
    assert reports.codes == ["patch-failed"]


def test_a_value_once_told_is_never_edited() -> None:
    applier = folded()
    (told,) = applier.apply(ev("STATE_SNAPSHOT", snapshot={"n": [1]}))
    applier.apply(ev("STATE_DELTA", delta=[{"op": "add", "path": "/n/-", "value": 2}]))
    assert told == StateChanged({"n": [1]})


def test_a_line_of_this_side_is_appended_and_an_answer_placed_by_its_call() -> None:
    line = LocalMessage(UserMessage(id="u", content="hi"))
    answer = LocalMessage(ToolMessage(id="t", tool_call_id="c", content="42"))
    applier = folded(line, started(), *call("c"), *text("m", "x"))
    assert applier.apply(line) == ()
    assert applier.apply(answer) == (ResultArrived("t", "c"),)
    assert [message.id for message in applier.messages] == ["u", "c", "t", "m", "u"]


def test_questions_are_told_one_by_one_and_kept_until_the_next_run() -> None:
    applier = folded(started())
    updates = applier.apply(asked({"id": "i1", "reason": "x"}, {"id": "i2", "reason": "y"}))
    assert [update.interrupt.id for update in updates if isinstance(update, InterruptRaised)] == ["i1", "i2"]
    applier.apply(failed("late"))
    assert [interrupt.id for interrupt in applier.interrupts] == ["i1", "i2"]
    applier.apply(started("r2"))
    assert applier.interrupts == ()


def test_the_end_of_a_run_tells_of_the_subagents_it_leaves_behind() -> None:
    announced = ev("SUBAGENT_STARTED", subagentRunId="s", name="n")
    applier = folded(started())
    assert [type(update) for update in applier.apply(announced)] == [SubagentChanged]
    assert [type(update) for update in applier.apply(failed())] == [SubagentChanged]
    assert [row.status.value for row in applier.subagents] == ["aborted"]


def test_the_agents_own_list_of_pending_calls_wins() -> None:
    named = finished(outcome={"type": "success", "pendingToolCallIds": ["c2"]})
    assert folded(started(), *call("c1"), *call("c2"), named).pending_calls == ("c2",)


@pytest.mark.parametrize(
    "outcome", [{}, {"outcome": {"type": "success"}}, {"outcome": {"type": "cancelled"}}]
)
def test_pending_calls_are_derived_where_the_agent_names_none(outcome: dict[str, Any]) -> None:
    applier = folded(started(), *call("c1"), *call("c2"), result("c1"), finished(**outcome))
    assert applier.pending_calls == ("c2",)
    applier.apply(started("r2"))
    assert applier.pending_calls == ()


def test_a_call_a_question_is_about_is_not_pending() -> None:
    question = asked({"id": "i", "reason": "tool_call", "toolCallId": "c1"})
    assert folded(started(), *call("c1"), *call("c2"), question).pending_calls == ("c2",)


def test_unanswered_calls_are_those_that_ended() -> None:
    applier = folded(started(), *call("c1", "x", "{}"), *call("c2"), result("c2"), call("c3")[0])
    assert [(each.call_id, each.arguments) for each in applier.unanswered] == [("c1", "{}")]


def test_messages_and_calls_are_found_by_id() -> None:
    applier = folded(started(), *text("m", "x"), *call("c"))
    message = applier.message("m")
    assert message is not None
    assert message.content == "x"
    assert applier.message("ghost") is None
    assert applier.call("ghost") is None
    assert applier.ids == {"m", "c"}


def test_seeded_messages_are_history() -> None:
    calls = [{"id": "c", "type": "function", "function": {"name": "n", "arguments": ""}}]
    seeded = [AssistantMessage.model_validate({"id": "a", "role": "assistant", "toolCalls": calls})]
    answered = ToolMessage(id="t", tool_call_id="c", content="")
    assert folded(messages=seeded).unanswered[0].call_id == "c"
    assert folded(messages=[*seeded, answered]).unanswered == ()


def test_usage_is_counted() -> None:
    applier = folded(started(), finished(usage=[{"inputTokens": 3}]), failed(usage=[{"outputTokens": 1}]))
    assert (applier.usage.total.input_tokens, applier.usage.total.output_tokens) == (3, 1)


def test_thoughts_can_be_read_apart_and_the_rest_as_it_is_sent() -> None:
    applier = folded(started(), *thought("q", "hm"), *text("m", "x"))
    assert [message.id for message in applier.reasoning] == ["q"]
    assert [message.id for message in applier.outgoing()] == ["m"]
