from ag_ui.core import (
    ReasoningMessageContentEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    ToolCallArgsEvent,
)

from chat_app.agent.coalesce import coalesce


def text(delta, message="m", **fields):
    return TextMessageContentEvent(message_id=message, delta=delta, **fields)


def args(delta, call="c"):
    return ToolCallArgsEvent(tool_call_id=call, delta=delta)


def test_neighbours_of_one_message_are_joined():
    assert coalesce([text("a"), text("b"), text("c")]) == [text("abc")]
    assert coalesce([args("{"), args("}")]) == [args("{}")]
    assert coalesce([]) == []


def test_anything_between_stands():
    events = [text("a"), args("{"), text("b"), TextMessageEndEvent(message_id="m"), text("c", "n")]
    assert coalesce(events) == events


def test_another_speaker_or_other_metadata_is_another_fragment():
    events = [text("a"), text("b", subagent_run_id="s1"), text("c", metadata={"k": 1})]
    assert coalesce(events) == events


def test_thoughts_stay_as_they_are():
    thoughts = [ReasoningMessageContentEvent(message_id="r", delta=delta) for delta in "ab"]
    assert coalesce(thoughts) == thoughts


def test_the_events_that_came_are_not_changed():
    first = text("a")
    coalesce([first, text("b")])
    assert first.delta == "a"
