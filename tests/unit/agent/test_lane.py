from typing import get_args

import pytest

from chat_app.agent.lane import Calls, Lane, TurnViolation
from chat_app.agent.turn_events import (
    ActivityPatched,
    ActivityShown,
    Content,
    StageStarted,
    TextDelta,
    ThinkingDelta,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
)
from tests.support.agent_harness import counting_ids


def lane(owner=None, calls=None):
    return Lane(owner, new_id=counting_ids(), calls=calls or Calls())


def types(events):
    return [event.type.value for event in events]


def test_every_kind_of_content_has_a_handler():
    assert set(Lane._HANDLERS) == set(get_args(Content))


def test_everything_a_subagent_says_carries_its_id():
    subject = lane("s1")
    reports = [
        ThinkingDelta("h"),
        TextDelta("t"),
        ToolcallDelta("c1", "{}", "look"),
        StageStarted("stage"),
        ActivityShown("a1", "plan", {"n": 1}),
        ActivityPatched("a1", "plan", [{"op": "replace", "path": "/n", "value": 2}]),
        ToolStarted("c2", "look", {}),
        ToolCompleted("c1", "found"),
    ]
    events = [event for report in reports for event in subject.feed(report)] + list(subject.close())
    assert {event.subagent_run_id for event in events} == {"s1"}


def test_an_activity_is_shown_whole_and_patched():
    subject = lane()
    (shown,) = subject.feed(ActivityShown("a1", "plan", {"n": 1}))
    (patched,) = subject.feed(ActivityPatched("a1", "plan", [{"op": "replace", "path": "/n", "value": None}]))
    assert (shown.message_id, shown.activity_type, shown.content) == ("a1", "plan", {"n": 1})
    assert patched.model_dump(by_alias=True)["patch"] == [{"op": "replace", "path": "/n", "value": None}]


def test_a_call_belongs_to_who_made_it():
    calls = Calls()
    ours, theirs = lane(None, calls), lane("s1", calls)
    list(theirs.feed(ToolcallDelta("c1", "{", "look")))
    for report in (ToolcallDelta("c1", "}"), ToolStarted("c1", "look", {})):
        with pytest.raises(TurnViolation, match="another speaker"):
            list(ours.feed(report))


def test_an_answer_by_another_ends_the_call_in_its_makers_name():
    calls = Calls()
    ours, theirs = lane(None, calls), lane("s1", calls)
    list(theirs.feed(ToolcallDelta("c1", "{", "look")))
    end, result = ours.feed(ToolCompleted("c1", "no"))
    assert (end.subagent_run_id, result.subagent_run_id) == ("s1", None)


def test_closing_leaves_the_calls_of_others_open():
    calls = Calls()
    ours, theirs = lane(None, calls), lane("s1", calls)
    list(theirs.feed(ToolcallDelta("c1", "{", "look")))
    assert types(ours.close()) == []
    assert types(theirs.close()) == ["TOOL_CALL_END"]


def test_what_is_abandoned_is_closed_and_half_made_calls_are_answered():
    subject = lane()
    list(subject.feed(TextDelta("a")))
    list(subject.feed(ToolcallDelta("c1", "{", "look")))
    events = list(subject.abandon("again"))
    assert types(events) == ["TEXT_MESSAGE_END", "TOOL_CALL_END", "TOOL_CALL_RESULT"]
    assert events[-1].content == "again"


def test_calls_nobody_answered_are_pending_in_their_order():
    calls = Calls()
    subject = lane(None, calls)
    for key in ("c1", "c2", "c3"):
        list(subject.feed(ToolStarted(key, "look", {})))
    list(subject.feed(ToolCompleted("c2", "found")))
    list(subject.feed(ToolCompleted("earlier", "found")))
    assert calls.pending() == ["c1", "c3"]
