from typing import Any

import pytest

from chat_app.agui.chunks import ChunkExpander
from chat_app.agui.errors import OutOfOrder
from tests.support.wire import activity, ev, failed, finished, snapshot, started


def text(message_id: str | None = None, delta: str | None = None, **fields: Any) -> Any:
    return chunk("TEXT_MESSAGE_CHUNK", messageId=message_id, delta=delta, **fields)


def tool(call_id: str | None = None, delta: str | None = None, **fields: Any) -> Any:
    return chunk("TOOL_CALL_CHUNK", toolCallId=call_id, delta=delta, **fields)


def thought(message_id: str | None = None, delta: str | None = None, **fields: Any) -> Any:
    return chunk("REASONING_MESSAGE_CHUNK", messageId=message_id, delta=delta, **fields)


def chunk(kind: str, **fields: Any) -> Any:
    return ev(kind, **{name: value for name, value in fields.items() if value is not None})


def expanded(*events: Any) -> list[dict[str, Any]]:
    expander = ChunkExpander()
    out = [event for given in events for event in expander.feed(given)]
    return [event.model_dump(mode="json", by_alias=True) for event in out]


def kinds(*events: Any) -> list[str]:
    return [event["type"] for event in expanded(*events)]


START, CONTENT, END = "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"


def test_chunks_become_what_they_stand_for() -> None:
    assert expanded(text("m", "He", name="Ann"), text(None, "llo"), finished()) == [
        {"type": START, "messageId": "m", "role": "assistant", "name": "Ann"},
        {"type": CONTENT, "messageId": "m", "delta": "He"},
        {"type": CONTENT, "messageId": "m", "delta": "llo"},
        {"type": END, "messageId": "m"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ]


def test_a_tool_chunk_opens_a_call_under_its_parent() -> None:
    opener = tool("c", "{", toolCallName="x", parentMessageId="m")
    assert expanded(opener, tool(None, "}"))[0] == {
        "type": "TOOL_CALL_START",
        "toolCallId": "c",
        "toolCallName": "x",
        "parentMessageId": "m",
    }


def test_a_reasoning_chunk_opens_a_reasoning_message() -> None:
    assert expanded(thought("q"))[0] == {
        "type": "REASONING_MESSAGE_START",
        "messageId": "q",
        "role": "reasoning",
    }


def test_another_id_or_kind_closes_the_item_before() -> None:
    assert kinds(text("a", "1"), text("b", "2"), tool("c", toolCallName="x"), text("b", "3")) == [
        START, CONTENT, END, START, CONTENT, END, "TOOL_CALL_START", "TOOL_CALL_END", START, CONTENT,
    ]  # fmt: skip


def test_an_empty_fragment_is_a_fragment_and_none_is_none() -> None:
    assert kinds(text("m"), text(None, ""), text()) == [START, CONTENT]


def test_metadata_and_raw_events_find_a_carrier() -> None:
    opener = text("m", metadata={"a": 1})
    assert expanded(opener) == [{"type": START, "messageId": "m", "role": "assistant", "metadata": {"a": 1}}]
    later = expanded(opener, text(metadata={"b": 2}), text(rawEvent={"x": 1}))
    assert later[1:] == [
        {"type": CONTENT, "messageId": "m", "delta": "", "metadata": {"b": 2}},
        {"type": CONTENT, "messageId": "m", "delta": "", "rawEvent": {"x": 1}},
    ]
    assert kinds(text("m", rawEvent=1)) == [START, CONTENT]


@pytest.mark.parametrize(
    "closer",
    [
        ev("STATE_SNAPSHOT", snapshot={}),
        ev("CUSTOM", name="x", value=1),
        ev("STEP_STARTED", stepName="s"),
        ev("TOOL_CALL_RESULT", messageId="t", toolCallId="c", content=""),
        ev("REASONING_START", messageId="q"),
        snapshot(),
        failed(),
        started(),
        finished(),
    ],
    ids=lambda event: event.type.value,
)
def test_what_closes_a_lane_comes_after_the_end(closer: Any) -> None:
    assert kinds(text("m", "x"), closer) == [START, CONTENT, END, closer.type.value]


@pytest.mark.parametrize(
    "bystander",
    [
        ev("RAW", event={}),
        activity("a"),
        ev("ACTIVITY_DELTA", messageId="a", activityType="w", patch=[]),
        ev("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="m", encryptedValue="v"),
        ev("SUBAGENT_STARTED", subagentRunId="s", name="n"),
        ev("STATE_SNAPSHOT", snapshot={}, subagentRunId="s"),
    ],
    ids=lambda event: event.type.value,
)
def test_what_stands_aside_closes_nothing(bystander: Any) -> None:
    assert kinds(text("m", "x"), bystander, text(None, "y")) == [
        START,
        CONTENT,
        bystander.type.value,
        CONTENT,
    ]


def test_each_subagent_has_its_lane() -> None:
    events = expanded(
        text("a", "1", subagentRunId="s1"),
        text("b", "2", subagentRunId="s2"),
        text(None, "3", subagentRunId="s1"),
        text("b", "4"),
        ev("SUBAGENT_FINISHED", subagentRunId="s1"),
        ev("SUBAGENT_ERROR", subagentRunId="s2", message="x"),
    )
    assert [(event["type"], event.get("messageId"), event["subagentRunId"]) for event in events] == [
        (START, "a", "s1"),
        (CONTENT, "a", "s1"),
        (START, "b", "s2"),
        (CONTENT, "b", "s2"),
        (CONTENT, "a", "s1"),
        (CONTENT, "b", "s2"),
        (END, "a", "s1"),
        ("SUBAGENT_FINISHED", None, "s1"),
        (END, "b", "s2"),
        ("SUBAGENT_ERROR", None, "s2"),
    ]


def test_a_chunk_without_id_or_tag_goes_to_the_parent_first_and_then_to_the_only_lane() -> None:
    only = expanded(text("a", "1", subagentRunId="s1"), text(None, "2"))
    assert only[-1] == {"type": CONTENT, "messageId": "a", "delta": "2", "subagentRunId": "s1"}
    both = expanded(text("a", "1", subagentRunId="s1"), text("p", "2"), text(None, "3"))
    assert both[-1]["messageId"] == "p"


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([text(None, "x")], "must have a messageId"),
        ([thought(None, "x")], "must have a messageId"),
        ([tool(None, "x", toolCallName="n")], "must have a toolCallId"),
        ([tool("c", "x")], "must have a toolCallName"),
        ([text("m", "x"), text(None, "y", role="user")], "role 'user' does not match the 'assistant'"),
        ([text("m", "x"), text(None, "y", name="Ann")], "name 'Ann' does not match the None"),
        ([tool("c", toolCallName="a"), tool("c", toolCallName="b")], "toolCallName 'b'"),
        (
            [text("m", "x"), text("m", "y", subagentRunId="s")],
            "belongs to the parent agent, not to subagent 's'",
        ),
        ([text("a", "x", subagentRunId="1"), text("b", "y", subagentRunId="2"), text(None, "z")], "several"),
        ([text("m", "x"), ev("STATE_DELTA", delta=[]), text(None, "y")], "messageId"),
    ],
)
def test_a_chunk_without_a_place_is_refused(events: list[Any], words: str) -> None:
    with pytest.raises(OutOfOrder, match=words) as caught:
        expanded(*events)
    assert caught.value.rule == "PV12"


def test_an_equal_repetition_is_fine() -> None:
    assert kinds(text("m", "x", role="user"), text("m", "y", role="user"))[-1] == CONTENT
    opener = tool("c", "x", toolCallName="n", parentMessageId="p")
    assert kinds(opener, tool("c", "y", toolCallName="n", parentMessageId="p"))[-1] == "TOOL_CALL_ARGS"


def test_a_refused_chunk_leaves_everything_as_it_was() -> None:
    expander = ChunkExpander()
    expander.feed(text("m", "x"))
    with pytest.raises(OutOfOrder):
        expander.feed(tool("c", "{"))
    assert [event.type.value for event in expander.feed(text(None, "y"))] == [CONTENT]


def test_the_end_of_a_stream_that_was_not_cut_closes_what_is_open() -> None:
    expander = ChunkExpander()
    expander.feed(text("m", "x"))
    assert [event.type.value for event in expander.finish()] == [END]
    assert expander.finish() == ()
