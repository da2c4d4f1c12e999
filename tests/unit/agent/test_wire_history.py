from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    SystemEntry,
    ToolCall,
    ToolEntry,
    UserEntry,
)
from chat_app.agent.wire_history import client_tools, read_history, written
from tests.support.agent_harness import conversation, counting_ids, person


def called(*keys, content=None, **fields):
    calls = [
        {"id": key, "type": "function", "function": {"name": f"tool_{key}", "arguments": "{}"}}
        for key in keys
    ]
    return {"id": f"m-{keys}", "role": "assistant", "content": content, "toolCalls": calls, **fields}


def answer(key, content="ok", **fields):
    return {"id": f"t-{key}", "role": "tool", "toolCallId": key, "content": content, **fields}


def read(*messages):
    return read_history(conversation(list(messages)).messages)


def test_answers_stand_behind_their_calls_and_open_calls_stay_open():
    entries = read(
        person("Hi"),
        called("a", "b", "c"),
        person("Then", key="u2"),
        answer("c"),
        answer("a", error="boom", content=""),
    )
    calls = tuple(ToolCall(key, f"tool_{key}") for key in ("a", "b", "c"))
    assert entries == [
        UserEntry("Hi"),
        AssistantEntry("", calls=calls),
        ToolEntry("a", "tool_a", "boom", is_error=True),
        ToolEntry("c", "tool_c", "ok"),
        UserEntry("Then"),
    ]


def test_what_is_for_people_or_of_subagents_stays_out():
    entries = read(
        {"id": "s", "role": "system", "content": "Be brief."},
        {"id": "d", "role": "developer", "content": "Be kind."},
        person("Hi"),
        {"id": "r", "role": "reasoning", "content": "hm"},
        {"id": "e", "role": "assistant", "content": ""},
        called("x", subagentRunId="sub-1"),
        answer("nobody-called"),
    )
    assert entries == [SystemEntry("Be brief."), SystemEntry("Be kind."), UserEntry("Hi")]


def test_attachments_come_as_bytes_or_address_and_unreachable_files_not_at_all():
    content = [
        {"type": "text", "text": "See"},
        {"type": "image", "source": {"type": "data", "value": "AAAA", "mimeType": "image/png"}},
        {"type": "audio", "source": {"type": "url", "value": "https://x/y.mp3"}},
        {"type": "document", "source": {"type": "file", "value": "file-1", "provider": "openai"}},
    ]
    (entry,) = read({"id": "u", "role": "user", "content": content})
    assert entry == UserEntry(
        "See", (Attachment("image/png", data="AAAA"), Attachment("audio/*", url="https://x/y.mp3"))
    )


def test_the_clients_tools_are_offered_as_they_describe_themselves():
    tools = [
        {"name": "a", "description": "A.", "parameters": {"type": "object", "required": ["x"]}},
        {"name": "b", "description": "B."},
    ]
    one, two = client_tools(conversation("Hi", tools=tools))
    assert (one.name, one.description, one.parameters["required"]) == ("a", "A.", ["x"])
    assert two.parameters == {"type": "object", "properties": {}}


def test_what_was_written_as_messages_is_read_as_the_same_entries():
    calls = (ToolCall("a", "drop", '{"n": 1}'),)
    entries = [
        AssistantEntry("On it.", calls=calls),
        ToolEntry("a", "drop", "ok"),
        AssistantEntry("", calls=(ToolCall("b", "keep"),)),
        AssistantEntry("Done."),
    ]
    messages = written(entries, counting_ids())
    assert read_history(messages) == entries
    assert len({message.id for message in messages}) == len(entries)
    assert (messages[2].content, messages[3].tool_calls) == (None, None)


def test_only_steps_and_answers_are_written():
    assert written([SystemEntry("Be brief."), UserEntry("Hi")], counting_ids()) == []
