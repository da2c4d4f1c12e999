import pytest
from ag_ui.core import (
    AssistantMessage,
    FunctionCall,
    ImagePart,
    ReasoningMessage,
    RunAgentInput,
    TextPart,
    Tool,
    ToolCall,
    ToolMessage,
    UrlSource,
    UserMessage,
)

from chat_app.agui.adapters import adk, agno, on_interrupt
from chat_app.agui.adapters.base import RunRecord, SeenCall
from chat_app.agui.errors import BadEvent
from chat_app.agui.events import Interrupt, ResumeEntry, parse_stored
from chat_app.agui.profiles import CURRENT, LEGACY
from chat_app.agui.requests import adjacent, commanded, gate, sort_answers

IMAGE = ImagePart(type="image", source=UrlSource(type="url", value="https://example.test/a.png"))


def request(*messages, **fields):
    return RunAgentInput(thread_id="t", run_id="r", protocol_version="1.0", messages=list(messages), **fields)


def calling(message_id, *calls):
    made = [
        ToolCall(id=one, type="function", function=FunctionCall(name="f", arguments="{}")) for one in calls
    ]
    return AssistantMessage(id=message_id, role="assistant", tool_calls=made)


def answer(message_id, call_id, content="x"):
    return ToolMessage(id=message_id, role="tool", tool_call_id=call_id, content=content)


def user(message_id, content="hi", **fields):
    return UserMessage(id=message_id, role="user", content=content, **fields)


# ------------------------------------------------------------------ order


def test_answers_stand_behind_their_calls():
    said = AssistantMessage(id="a", role="assistant", content="so")
    messages = [answer("t2", "c2"), calling("x", "c1", "c2"), said, answer("t1", "c1"), answer("t9", "gone")]
    assert [one.id for one in adjacent(messages)] == ["x", "t2", "t1", "a", "t9"]


def test_a_sound_history_is_left_as_it_is():
    messages = [user("u"), calling("x", "c1"), answer("t1", "c1"), user("u2")]
    assert adjacent(messages) == messages


# ------------------------------------------------------------------ gate


def test_what_nobody_described_is_removed_with_a_diagnostic():
    found = []
    message = UserMessage.model_validate({"id": "u", "role": "user", "content": "hi", "mood": "good"})
    sent = gate(request(message), CURRENT, found.append)
    assert "mood" not in sent.model_dump(by_alias=True)["messages"][0]
    assert [diagnostic.path for diagnostic in found] == ["/messages/0/mood"]


@pytest.mark.filterwarnings("ignore:Pydantic serializer")
def test_what_is_malformed_is_not_sent():
    broken = request(user("u")).model_copy(update={"run_id": 5})
    with pytest.raises(BadEvent, match="RunAgentInput"):
        gate(broken, CURRENT, lambda _: None)


def test_a_peer_of_today_gets_parts_metadata_and_version():
    sent = gate(
        request(user("u", [TextPart(type="text", text="a"), IMAGE], metadata={"k": 1})), CURRENT, print
    )
    assert sent.protocol_version == "1.0"
    assert sent.messages[0].content[1] == IMAGE
    assert sent.messages[0].metadata == {"k": 1}


def test_an_old_peer_gets_what_it_can_read_and_the_losses_are_named():
    found = []
    messages = [
        user(
            "u", [TextPart(type="text", text="a"), IMAGE, TextPart(type="text", text="b")], metadata={"k": 1}
        ),
        ReasoningMessage(id="q", role="reasoning", content="hm", encrypted_value="E"),
        calling("x", "c1"),
        answer("t1", "c1", [TextPart(type="text", text="only text")]),
        AssistantMessage(id="a", role="assistant", content="so", encrypted_value="E", subagent_run_id="s"),
    ]
    tools = [Tool(name="f", description="", metadata={"k": 1})]

    sent = gate(request(*messages, tools=tools), LEGACY, found.append).model_dump(mode="json", by_alias=True)

    assert "protocolVersion" not in sent
    assert sent["tools"] == [{"name": "f", "description": "", "parameters": {}}]
    assert [message["id"] for message in sent["messages"]] == ["u", "x", "t1", "a"]
    assert [message.get("content") for message in sent["messages"]] == ["ab", None, "only text", "so"]
    assert not {"metadata", "encryptedValue", "subagentRunId"} & {
        key for one in sent["messages"] for key in one
    }
    assert [diagnostic.message for diagnostic in found] == [
        "Message 'u' was sent without metadata",
        "Message 'u' was sent without its image",
        "Reasoning 'q' and its encrypted value were left out",
        "Message 'a' was sent without encrypted_value",
    ]


def test_an_old_peer_without_tools_gets_an_empty_list():
    assert gate(request(user("u")), LEGACY, print).tools == []


# ------------------------------------------------------------------ answers


def legacy(*values):
    customs = [
        parse_stored(
            {"type": "CUSTOM", "name": "on_interrupt", "value": value, "rawEvent": {"id": f"q{number}"}}
        )
        for number, value in enumerate(values)
    ]
    return on_interrupt.find(RunRecord("r", customs))


def confirmation():
    return adk.find(RunRecord("r", calls=[SeenCall("ask", adk.NAME)]))[0]


def resolved(interrupt_id, payload):
    return ResumeEntry(interrupt_id=interrupt_id, status="resolved", payload=payload)


def test_answers_travel_the_way_their_questions_want():
    pending = [Interrupt(id="i", reason="x"), confirmation(), *legacy("Sure?")]
    sorted_out = sort_answers(
        [resolved("i", 1), resolved("ask", {"confirmed": True}), resolved("q0", "yes")], pending
    )
    assert [one.interrupt_id for one in sorted_out.entries] == ["i"]
    assert sorted_out.by_call == {"ask": '{"confirmed": true}'}
    assert commanded({"k": 1}, sorted_out) == {"k": 1, "command": {"resume": "yes"}}


def test_several_commands_are_told_apart_by_id_and_a_cancelled_one_is_not_sent():
    pending = legacy("A?", "B?", "C?")
    entries = [resolved("q0", 1), resolved("q1", 2), ResumeEntry(interrupt_id="q2", status="cancelled")]
    assert commanded({}, sort_answers(entries, pending)) == {"command": {"resume": {"q0": 1, "q1": 2}}}
    assert commanded({}, sort_answers(entries[2:], pending)) == {}


def test_cancelling_by_tool_message_can_only_be_said_as_no():
    cancelled = ResumeEntry(interrupt_id="ask", status="cancelled")
    assert sort_answers([cancelled], [confirmation()]).by_call == {"ask": '{"confirmed": false}'}


def test_cancelling_a_question_for_values_says_so():
    call = SeenCall("c", "send", said="I have tools to execute, but I need user input.")
    [question] = agno.find(RunRecord("r", calls=[call]))
    cancelled = ResumeEntry(interrupt_id="c", status="cancelled")
    assert sort_answers([cancelled], [question]).by_call == {"c": '{"cancelled": true}'}
    assert sort_answers([resolved("c", "as text")], [question]).by_call == {"c": "as text"}
