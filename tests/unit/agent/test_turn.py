import pytest

from chat_app.agent.memory import ProcessMemory
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed, pieces
from chat_app.agent.turn_events import (
    AppStateChanged,
    CompactionCompleted,
    MessageCompleted,
    StageFinished,
    StageStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
    Usage,
    UsageUpdated,
)
from tests.support.agent_harness import Clock, conversation, counting_ids, person


class ListSink:
    def __init__(self):
        self.reports = []

    def report(self, event):
        self.reports.append(event)

    async def room(self):
        pass


@pytest.fixture
def sink():
    return ListSink()


def turn_on(sink, messages="two words", **fields):
    means = Means(pace=Pace(0), new_id=counting_ids("call"), now=Clock(), memory=ProcessMemory())
    return Turn(conversation(messages, **fields), sink, means=means)


@pytest.mark.parametrize("text", ["", " ", "a", " a  b\n\nc ", "one two\n- three\n", "🚲 \t x"])
def test_pieces_join_to_the_text(text):
    assert "".join(pieces(text)) == text


def test_pieces_are_words():
    assert pieces("one two\n- three") == ["one ", "two\n", "- ", "three"]


async def test_a_message_is_completed_when_its_block_ends(sink):
    await turn_on(sink).say("Hello there")
    assert sink.reports == [TextDelta("Hello "), TextDelta("there"), MessageCompleted()]


async def test_a_message_is_completed_when_its_block_fails(sink):
    async def fail():
        async with turn_on(sink).message() as message:
            await message.text("so ")
            raise TurnFailed("no", code="E")

    with pytest.raises(TurnFailed):
        await fail()
    assert sink.reports == [TextDelta("so "), MessageCompleted()]


async def test_thoughts_are_reported_as_thoughts(sink):
    async with turn_on(sink).reasoning() as thoughts:
        await thoughts.text("hm")
    assert sink.reports == [ThinkingDelta("hm"), MessageCompleted()]


async def test_a_tool_is_called_run_and_answered(sink):
    async def work():
        return "found"

    turn = turn_on(sink)
    arguments = {"order": "T-1042"}
    assert await turn.run_tool("look", arguments, work) == "found"
    assert sink.reports == [
        ToolcallDelta("call-1", name="look"),
        ToolcallDelta("call-1", '{"order":"T-'),
        ToolcallDelta("call-1", '1042"}'),
        ToolcallCompleted("call-1"),
        ToolStarted("call-1", "look", arguments),
        ToolCompleted("call-1", "found"),
    ]


async def test_a_call_is_completed_when_its_block_fails(sink):
    turn = turn_on(sink)
    with pytest.raises(ZeroDivisionError):
        async with turn.tool_call("look"):
            raise ZeroDivisionError
    assert sink.reports[-1] == ToolcallCompleted("call-1")


async def test_stages_end_with_their_block(sink):
    async with turn_on(sink).stage("read"):
        pass
    assert sink.reports == [StageStarted("read"), StageFinished("read")]


async def test_state_and_blocks_are_reported(sink):
    turn = turn_on(sink)
    await turn.set_app_state([1])
    await turn.block("c1", "no")
    assert sink.reports == [AppStateChanged([1]), ToolBlocked("c1", "no")]


async def test_answers_of_this_turn_and_of_the_history_are_found_by_tool(sink):
    calls = [
        {"id": key, "type": "function", "function": {"name": name, "arguments": "{}"}}
        for key, name in (("c1", "look"), ("c2", "look"), ("c3", "look"), ("c4", "other"))
    ]
    history = [
        person("go"),
        {"id": "a1", "role": "assistant", "toolCalls": calls},
        {"id": "t1", "role": "tool", "toolCallId": "c1", "content": "old"},
    ]
    turn = turn_on(sink, history)
    await turn.answer("c2", "new")
    assert turn.answers_to("look") == ["old", "new"]


async def test_usage_counts_words_read_and_written(sink):
    turn = turn_on(sink)
    await turn.say("three more words")
    turn.report_usage()
    assert sink.reports[-1] == UsageUpdated(Usage("parley", "scripted-1", 2, 3))


async def test_a_tool_of_the_clients_is_called_and_left_unanswered(sink):
    tools = [{"name": "show_card", "description": "", "parameters": {}}]
    await turn_on(sink, tools=tools).ask_client("show_card", {})
    assert [type(report) for report in sink.reports] == [ToolcallDelta, ToolcallDelta, ToolcallCompleted]


async def test_a_tool_nobody_offered_fails_the_turn(sink):
    with pytest.raises(TurnFailed, match="The client offered no tool show_card") as failed:
        await turn_on(sink).ask_client("show_card", {})
    assert failed.value.code == "TOOL_NOT_OFFERED"
    assert not sink.reports


async def test_a_compacted_conversation_is_the_turns_history(sink):
    turn = turn_on(sink)
    assert [message.id for message in turn.history] == ["u1"]
    await turn.compact([])
    assert (turn.history, sink.reports) == ([], [CompactionCompleted()])
