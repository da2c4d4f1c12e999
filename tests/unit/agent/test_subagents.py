from typing import get_args

import pytest

from chat_app.agent.lane import TurnViolation
from chat_app.agent.subagents import NAMES, Speakers
from chat_app.agent.turn_events import (
    Content,
    Question,
    SubagentEvent,
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
    SubagentSuspended,
    TextDelta,
    ToolcallDelta,
)
from tests.support.agent_harness import counting_ids

STARTED = SubagentStarted(id="s1", name="scout", description="looks ahead", call_id="c0")


def speakers(how="events"):
    return Speakers(counting_ids(), how)


def feed(subject, *reports):
    return shown([event for report in reports for event in subject.feed(report)])


def shown(events):
    return [event.model_dump(mode="json", by_alias=True) for event in events]


def short(events):
    return [(event["type"], event.get("subagentRunId")) for event in events]


def test_every_report_of_a_subagent_has_a_name_as_custom():
    reports = {*get_args(SubagentEvent), *get_args(Content)} - {SubagentReported}
    assert set(NAMES) == reports
    assert len(set(NAMES.values())) == len(NAMES)


def test_an_invocation_is_announced_with_all_that_is_known():
    (event,) = feed(speakers(), STARTED)
    assert event == {
        "type": "SUBAGENT_STARTED",
        "subagentRunId": "s1",
        "name": "scout",
        "description": "looks ahead",
        "parentToolCallId": "c0",
    }


def test_what_a_subagent_says_is_tagged_and_closed_before_its_end():
    events = feed(
        speakers(), STARTED, SubagentReported("s1", TextDelta("hm")), SubagentFinished("s1", {"found": 2})
    )
    assert short(events) == [
        ("SUBAGENT_STARTED", "s1"),
        ("TEXT_MESSAGE_START", "s1"),
        ("TEXT_MESSAGE_CONTENT", "s1"),
        ("TEXT_MESSAGE_END", "s1"),
        ("SUBAGENT_FINISHED", "s1"),
    ]
    assert events[-1]["result"] == {"found": 2}
    assert events[-1]["outcome"] == {"type": "success"}


def test_a_failure_is_the_subagents_alone():
    failed = feed(speakers(), STARTED, SubagentFailed("s1", "lost", "LOST"))[-1]
    assert (failed["type"], failed["message"], failed["code"]) == ("SUBAGENT_ERROR", "lost", "LOST")


@pytest.mark.parametrize(
    ("reports", "words"),
    [
        ([SubagentReported("s1", TextDelta("x"))], "s1 is not at work"),
        ([STARTED, STARTED], "was started before"),
        ([STARTED, SubagentFinished("s1"), STARTED], "was started before"),
        ([STARTED, SubagentFinished("s1"), SubagentFailed("s1", "m", "c")], "not at work"),
        ([SubagentStarted(id="s2", name="n", parent_id="s1")], "s1 is not at work"),
    ],
)
def test_reports_out_of_place_are_refused(reports, words):
    subject = speakers()
    *before, last = reports
    feed(subject, *before)
    with pytest.raises(TurnViolation, match=words):
        feed(subject, last)


def nested(subject):
    feed(
        subject,
        STARTED,
        SubagentStarted(id="s2", name="inner", parent_id="s1"),
        SubagentReported("s2", ToolcallDelta("c1", "{", "look")),
        SubagentReported("s1", TextDelta("so")),
    )
    list(subject.own.feed(TextDelta("and")))


CLOSED = [
    ("TOOL_CALL_END", "s2"),
    ("END", "s2"),
    ("TEXT_MESSAGE_END", "s1"),
    ("END", "s1"),
    ("TEXT_MESSAGE_END", None),
]


@pytest.mark.parametrize(
    ("end", "kind"),
    [
        (lambda subject: subject.finish(), "SUBAGENT_FINISHED"),
        (lambda subject: subject.suspend(()), "SUBAGENT_FINISHED"),
        (lambda subject: subject.abort("stopped", "cancelled"), "SUBAGENT_ERROR"),
    ],
    ids=["finish", "suspend", "abort"],
)
def test_the_end_of_a_turn_closes_the_innermost_first(end, kind):
    subject = speakers()
    nested(subject)
    expected = [(kind if event == "END" else event, owner) for event, owner in CLOSED]
    assert short(shown(end(subject))) == expected


def test_who_asked_is_suspended_with_its_questions():
    subject = speakers()
    nested(subject)
    asked = [
        Question(id="q1", reason="r", message="m", subagent_id="s2"),
        Question(id="q2", reason="r", message="m"),
    ]
    outcomes = {
        event["subagentRunId"]: event["outcome"]
        for event in shown(subject.suspend(asked))
        if "outcome" in event
    }
    assert outcomes == {"s2": {"type": "suspended", "interruptIds": ["q1"]}, "s1": {"type": "suspended"}}


def test_as_custom_everything_of_a_subagent_is_wrapped():
    subject = speakers("custom")
    events = feed(
        subject,
        STARTED,
        SubagentReported("s1", TextDelta("hm")),
        SubagentSuspended("s1", ("q1",)),
    )
    assert [(event["type"], event["name"]) for event in events] == [
        ("CUSTOM", "subagent_started"),
        ("CUSTOM", "subagent_text_delta"),
        ("CUSTOM", "subagent_suspended"),
    ]
    assert events[0]["value"] == {
        "id": "s1",
        "name": "scout",
        "description": "looks ahead",
        "callId": "c0",
        "subagentRunId": "s1",
    }
    assert events[1]["value"] == {"text": "hm", "subagentRunId": "s1"}
    assert events[2]["value"]["questions"] == ["q1"]
