from typing import get_args

import pytest
from ag_ui.core import AssistantMessage

from chat_app.agent.lane import TurnViolation
from chat_app.agent.projection import Projection
from chat_app.agent.renderer import Dialect, Renderer, RunScope
from chat_app.agent.turn_events import (
    AppStateChanged,
    CompactionCompleted,
    MessageCompleted,
    ModeChanged,
    PermissionRequest,
    Question,
    Signal,
    StageFinished,
    StageStarted,
    StreamReset,
    SubagentStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnEvent,
    TurnPaused,
    TurnStarted,
    UiResolved,
    Usage,
    UsageUpdated,
)
from tests.support.agent_harness import NOON, Clock, check_order, counting_ids

START, DONE = TurnStarted("turn-1"), TurnCompleted()


def renderer(run_id="run-1", *, scope=None, **dialect):
    scope = scope or RunScope("thread-1", run_id)
    return Renderer(scope, new_id=counting_ids(), now=Clock(), dialect=Dialect(**dialect))


def render(*events, **keywords):
    subject = renderer(**keywords)
    rendered = [out.model_dump(mode="json", by_alias=True) for event in events for out in subject.feed(event)]
    assert subject.ended
    check_order(rendered)
    return rendered


def story(*events, **keywords):
    return [short(event) for event in render(*events, **keywords)]


def short(event):
    payload = event.get("delta") or event.get("content") or event.get("toolCallName") or event.get("stepName")
    return (event["type"], payload) if payload else event["type"]


def test_every_turn_event_has_a_handler():
    assert set(Renderer._HANDLERS) == set(get_args(TurnEvent))


def test_bare_text_deltas_get_a_start_and_an_end():
    assert story(START, TextDelta("Hel"), TextDelta("lo"), DONE) == [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        ("TEXT_MESSAGE_CONTENT", "Hel"),
        ("TEXT_MESSAGE_CONTENT", "lo"),
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]


def test_text_after_a_completed_message_opens_a_new_one():
    events = render(
        START,
        TextDelta("a"),
        MessageCompleted(),
        TextDelta("b"),
        MessageCompleted(),
        MessageCompleted(),
        DONE,
    )
    starts = [event["messageId"] for event in events if event["type"] == "TEXT_MESSAGE_START"]
    assert len(set(starts)) == 2


def test_thoughts_open_span_and_message_once_and_end_before_the_text():
    assert story(
        START, ThinkingDelta("h"), ThinkingDelta("m"), TextDelta("ok"), MessageCompleted(), DONE
    ) == [
        "RUN_STARTED",
        "REASONING_START",
        "REASONING_MESSAGE_START",
        ("REASONING_MESSAGE_CONTENT", "h"),
        ("REASONING_MESSAGE_CONTENT", "m"),
        "TEXT_MESSAGE_START",
        ("TEXT_MESSAGE_CONTENT", "ok"),
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]


def test_empty_deltas_are_dropped():
    assert story(START, TextDelta(""), ThinkingDelta(""), DONE) == ["RUN_STARTED", "RUN_FINISHED"]


def test_a_streamed_call_ends_when_its_tool_starts_and_is_answered_when_it_completes():
    assert story(
        START,
        ToolcallDelta("c1", '{"p":', "read"),
        ToolcallDelta("c1", '"x"}'),
        ToolStarted("c1", "read", {"p": "x"}),
        ToolCompleted("c1", "hi"),
        DONE,
    ) == [
        "RUN_STARTED",
        ("TOOL_CALL_START", "read"),
        ("TOOL_CALL_ARGS", '{"p":'),
        ("TOOL_CALL_ARGS", '"x"}'),
        "TOOL_CALL_END",
        ("TOOL_CALL_RESULT", "hi"),
        "RUN_FINISHED",
    ]


def test_a_call_nobody_streamed_is_told_whole_and_a_block_answers_it():
    assert story(START, ToolStarted("c1", "read", {"p": "ü"}), ToolBlocked("c1", "denied"), DONE) == [
        "RUN_STARTED",
        ("TOOL_CALL_START", "read"),
        ("TOOL_CALL_ARGS", '{"p":"ü"}'),
        "TOOL_CALL_END",
        ("TOOL_CALL_RESULT", "denied"),
        "RUN_FINISHED",
    ]


def test_a_completed_call_is_not_ended_again_when_its_tool_starts():
    events = story(
        START, ToolcallDelta("c1", name="read"), ToolcallCompleted("c1"), ToolStarted("c1", "read", {}), DONE
    )
    assert events == ["RUN_STARTED", ("TOOL_CALL_START", "read"), "TOOL_CALL_END", "RUN_FINISHED"]


def test_an_answer_ends_a_call_that_is_still_open():
    assert story(START, ToolcallDelta("c1", name="read"), ToolCompleted("c1", "hi"), DONE)[2:4] == [
        "TOOL_CALL_END",
        ("TOOL_CALL_RESULT", "hi"),
    ]


def test_a_call_of_an_earlier_turn_is_answered_without_being_made_again():
    assert story(START, ToolCompleted("earlier", "hi"), DONE) == [
        "RUN_STARTED",
        ("TOOL_CALL_RESULT", "hi"),
        "RUN_FINISHED",
    ]


def test_calls_hang_on_the_text_before_them_and_parallel_calls_on_one_message():
    with_text = render(START, TextDelta("let me see"), ToolStarted("c1", "a", {}), DONE)
    assert _parents(with_text) == [with_text[1]["messageId"]]
    bare = _parents(render(START, ToolStarted("c1", "a", {}), ToolStarted("c2", "b", {}), DONE))
    assert bare[0] == bare[1]
    after_result = _parents(
        render(START, ToolStarted("c1", "a", {}), ToolCompleted("c1", "x"), ToolStarted("c2", "b", {}), DONE)
    )
    assert after_result[0] != after_result[1]


def _parents(events):
    return [event["parentMessageId"] for event in events if event["type"] == "TOOL_CALL_START"]


EVERYTHING_OPEN = (
    START,
    StageStarted("outer"),
    StageStarted("inner"),
    ThinkingDelta("hm"),
    TextDelta("so"),
    ToolcallDelta("c1", "{", "read"),
)
CLOSED = [
    "REASONING_MESSAGE_END",
    "REASONING_END",
    "TEXT_MESSAGE_END",
    "TOOL_CALL_END",
    ("STEP_FINISHED", "inner"),
    ("STEP_FINISHED", "outer"),
]


@pytest.mark.parametrize(
    ("end", "terminal"),
    [
        (DONE, "RUN_FINISHED"),
        (TurnPaused((Question(id="q1", reason="confirmation", message="Go on?"),)), "RUN_FINISHED"),
        (TurnCancelled(), "RUN_FINISHED"),
        (TurnError("bad", "E1"), "RUN_ERROR"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_whatever_is_open_is_closed_before_any_end(end, terminal):
    assert story(*EVERYTHING_OPEN, end, cancel_as="outcome")[-7:] == [*CLOSED, terminal]


def test_an_error_carries_its_message_and_code():
    error = render(START, TurnError("bad", "E1"))[-1]
    assert (error["message"], error["code"]) == ("bad", "E1")


def test_a_cancelled_turn_is_an_error_for_old_clients_and_an_outcome_for_new_ones():
    assert render(START, TurnCancelled())[-1]["code"] == "cancelled"
    assert render(START, TurnCancelled(), cancel_as="outcome")[-1]["outcome"] == {"type": "cancelled"}


def test_what_ends_before_it_starts_is_an_error_alone():
    assert story(TurnError("bad", "E1")) == ["RUN_ERROR"]
    assert story(TurnCancelled(), cancel_as="outcome") == ["RUN_ERROR"]


def test_the_run_is_named_by_the_client_or_else_by_the_turn():
    assert render(START, DONE)[0]["runId"] == "run-1"
    assert render(START, DONE, run_id="")[0]["runId"] == ""
    assert render(START, DONE, run_id=None)[-1]["runId"] == "turn-1"


def test_boundaries_carry_version_and_time():
    started, finished = render(START, DONE)
    assert started["protocolVersion"] == "1.0"
    assert started["timestamp"] == finished["timestamp"] == int(NOON.timestamp() * 1000)


def test_a_question_becomes_an_interrupt_with_every_field():
    question = Question(
        id="q1",
        reason="tool_call",
        message="Pay?",
        call_id="c1",
        response_schema={"type": "object"},
        expires_at=NOON,
        metadata={"risk": "high"},
    )
    assert render(START, TurnPaused((question,)))[-1]["outcome"] == {
        "type": "interrupt",
        "interrupts": [
            {
                "id": "q1",
                "reason": "tool_call",
                "message": "Pay?",
                "toolCallId": "c1",
                "responseSchema": {"type": "object"},
                "expiresAt": "2030-05-01T12:00:00+00:00",
                "metadata": {"risk": "high"},
            }
        ],
    }


def test_a_bare_question_leaves_the_rest_out():
    bare = Question(id="q1", reason="confirmation", message="Go on?")
    interrupt = render(START, TurnPaused((bare,)))[-1]["outcome"]["interrupts"][0]
    assert interrupt == {"id": "q1", "reason": "confirmation", "message": "Go on?"}


def test_usage_adds_up_per_model_and_rides_on_any_end():
    spent = [
        UsageUpdated(Usage("p", "m", 3, 2)),
        UsageUpdated(Usage("p", "m", 4)),
        UsageUpdated(Usage("p", "n")),
    ]
    for end in (DONE, TurnError("bad", "E1")):
        usage = render(START, *spent, end)[-1]["usage"]
        assert usage[0] == {
            "provider": "p",
            "model": "m",
            "inputTokens": 7,
            "outputTokens": 2,
            "totalTokens": 9,
        }
        assert len(usage) == 2
    assert "usage" not in render(START, DONE)[-1]


def test_application_state_is_a_snapshot_under_app():
    assert render(START, AppStateChanged({"n": 1}), DONE)[1]["snapshot"]["app"] == {"n": 1}


def test_stages_open_and_finish_by_name():
    assert story(
        START, StageStarted("a"), StageStarted("b"), StageFinished("a"), StageFinished("b"), DONE
    ) == [
        "RUN_STARTED",
        ("STEP_STARTED", "a"),
        ("STEP_STARTED", "b"),
        ("STEP_FINISHED", "a"),
        ("STEP_FINISHED", "b"),
        "RUN_FINISHED",
    ]


@pytest.mark.parametrize(
    ("before", "event", "words"),
    [
        ([], TextDelta("x"), "TextDelta was reported while the turn is not started"),
        ([START], START, "TurnStarted was reported while the turn is under way"),
        ([START, DONE], TextDelta("x"), "TextDelta was reported while the turn is over"),
        ([START], ToolcallDelta("c1", "{"), "does not name its tool"),
        ([START], ToolcallCompleted("c1"), "is not open"),
        ([START, ToolStarted("c1", "a", {})], ToolcallDelta("c1", "{"), "more arguments after it was whole"),
        ([START, StageStarted("a")], StageStarted("a"), "already open"),
        ([START], StageFinished("a"), "is not open"),
        ([START], TurnPaused(()), "at least one question"),
        ([START], TurnPaused((Question(id="q", reason="r", message="m"),) * 2), "an id of its own"),
    ],
)
def test_a_report_out_of_place_is_refused_and_changes_nothing(before, event, words):
    subject = renderer()
    for report in before:
        subject.feed(report)
    ended = subject.ended
    with pytest.raises(TurnViolation, match=words):
        subject.feed(event)
    assert subject.ended is ended
    if not ended and before:
        assert [type(out).__name__ for out in subject.feed(DONE)][-1] == "RunFinishedEvent"


def test_the_state_is_shown_whole_and_then_by_differences():
    subject = renderer()
    subject.feed(START)
    assert subject.snapshot(Projection(mode="build")).snapshot["mode"] == "build"
    (delta,) = subject.feed(ModeChanged("plan"))
    assert delta.model_dump(by_alias=True)["delta"] == [{"op": "replace", "path": "/mode", "value": "plan"}]
    assert subject.feed(ModeChanged("plan")) == []
    assert subject.snapshot().snapshot["mode"] == subject.projection.mode == "plan"


def test_a_state_outside_a_run_cannot_be_sent():
    subject = renderer()
    with pytest.raises(TurnViolation, match="while the turn is not started"):
        subject.snapshot()
    subject.feed(START)
    subject.feed(DONE)
    with pytest.raises(TurnViolation, match="while the turn is over"):
        subject.snapshot()


def test_a_permission_is_said_as_state_and_then_as_an_event():
    events = render(START, PermissionRequest("p1", "bash", {"message": "?"}), UiResolved("p1", "allow"), DONE)
    assert [event["type"] for event in events[1:-1]] == ["STATE_SNAPSHOT", "CUSTOM", "STATE_DELTA", "CUSTOM"]
    assert (events[2]["name"], events[2]["value"]) == (
        "permission_request",
        {"message": "?", "id": "p1", "tool": "bash"},
    )
    assert (events[4]["name"], events[4]["value"]) == ("ui_resolved", {"id": "p1", "decision": "allow"})


def test_a_signal_keeps_its_own_name_and_value():
    signal = render(START, Signal("PredictState", [1, None]), DONE)[1]
    assert (signal["name"], signal["value"]) == ("PredictState", [1, None])


def test_a_stream_that_starts_again_says_the_rest_under_a_new_id():
    events = render(
        START,
        ThinkingDelta("h"),
        TextDelta("half"),
        ToolcallDelta("c1", "{", "read"),
        StreamReset(),
        TextDelta("whole"),
        DONE,
    )
    starts = [event["messageId"] for event in events if event["type"] == "TEXT_MESSAGE_START"]
    assert len(set(starts)) == 2
    (dropped,) = [event for event in events if event["type"] == "TOOL_CALL_RESULT"]
    assert "this call is dropped" in dropped["content"]
    assert [event["name"] for event in events if event["type"] == "CUSTOM"] == ["stream_reset"]


def test_a_compaction_tells_the_conversation_as_it_is_now():
    summary = AssistantMessage(id="s1", role="assistant", content="summary")
    scope = RunScope("thread-1", "run-1", messages=lambda: [summary])
    assert render(START, CompactionCompleted(), DONE, scope=scope)[1]["messages"] == [
        {"id": "s1", "role": "assistant", "content": "summary"}
    ]
    assert render(START, CompactionCompleted(), DONE)[1]["messages"] == []


def test_a_success_lists_the_calls_its_client_is_to_answer():
    calls = [ToolStarted("c1", "a", {}), ToolStarted("c2", "b", {}), ToolCompleted("c1", "x")]
    assert render(START, *calls, DONE, list_pending=True)[-1]["outcome"] == {
        "type": "success",
        "pendingToolCallIds": ["c2"],
    }
    assert render(START, *calls, DONE)[-1]["outcome"] == {"type": "success"}
    assert render(START, DONE, list_pending=True)[-1]["outcome"] == {"type": "success"}


def test_subagents_are_suspended_with_their_questions():
    question = Question(id="q1", reason="input_required", message="?", subagent_id="s1")
    reports = (START, SubagentStarted(id="s1", name="scout"), TurnPaused((question,)))
    suspended, finished = render(*reports)[-2:]
    assert suspended["outcome"] == {"type": "suspended", "interruptIds": ["q1"]}
    assert finished["outcome"]["interrupts"][0]["subagentRunId"] == "s1"
    assert "subagentRunId" not in render(*reports, subagents="custom")[-1]["outcome"]["interrupts"][0]


def test_a_paused_turn_that_is_malformed_leaves_its_subagents_at_work():
    subject = renderer()
    subject.feed(START)
    subject.feed(SubagentStarted(id="s1", name="scout"))
    with pytest.raises(TurnViolation):
        subject.feed(TurnPaused(()))
    assert [event.type for event in subject.feed(DONE)] == ["SUBAGENT_FINISHED", "RUN_FINISHED"]
