from typing import Any

import pytest
from ag_ui.core import RunAgentInput

from chat_app.agui.events import Message
from chat_app.agui.history.entries import Entry, entry_of, merged

CALL = {"id": "c", "type": "function", "function": {"name": "n", "arguments": "{}"}, "encryptedValue": "e"}
PARTS = [{"type": "text", "text": "look"}, {"type": "image", "source": {"type": "url", "value": "https://x"}}]


def parsed(raw: dict[str, Any]) -> Message:
    return RunAgentInput.model_validate({"threadId": "t", "runId": "r", "messages": [raw]}).messages[0]


@pytest.mark.parametrize(
    "raw",
    [
        {"id": "1", "role": "system", "content": "be brief", "name": "n"},
        {"id": "1", "role": "developer", "content": "", "encryptedValue": "e"},
        {"id": "1", "role": "user", "content": "hi", "metadata": {"k": None}, "name": "Ann"},
        {"id": "1", "role": "user", "content": PARTS},
        {"id": "1", "role": "user", "content": []},
        {"id": "1", "role": "assistant", "content": "x", "toolCalls": [CALL], "subagentRunId": "s"},
        {"id": "1", "role": "assistant"},
        {"id": "1", "role": "assistant", "content": ""},
        {"id": "1", "role": "tool", "content": "ok", "toolCallId": "c", "error": "half"},
        {"id": "1", "role": "tool", "content": PARTS, "toolCallId": "c"},
        {"id": "1", "role": "reasoning", "content": "hm", "encryptedValue": "e"},
        {"id": "1", "role": "activity", "activityType": "web", "content": {"n": 0}},
    ],
)
def test_a_message_comes_back_as_it_was(raw: dict[str, Any]) -> None:
    assert entry_of(parsed(raw)).message().model_dump(mode="json", by_alias=True) == raw


def test_a_call_that_is_listed_twice_is_held_once() -> None:
    entry = entry_of(parsed({"id": "1", "role": "assistant", "toolCalls": [CALL, CALL]}))
    assert [call.call_id for call in entry.calls or ()] == ["c"]


def test_text_takes_the_place_of_a_list_content() -> None:
    entry = entry_of(parsed({"id": "1", "role": "user", "content": PARTS}))
    entry.add_text("words")
    assert entry.message().content == "words"


@pytest.mark.parametrize("role", ["activity", "reasoning", "tool", "user", "system"])
def test_an_entry_without_content_is_empty_not_absent(role: str) -> None:
    entry = Entry("1", role)
    assert not entry.message().content
    assert entry.message().content is not None


def test_only_prompts_are_foreign() -> None:
    assert entry_of(parsed({"id": "1", "role": "system", "content": ""}), foreign=True).foreign
    assert not entry_of(parsed({"id": "1", "role": "user", "content": ""}), foreign=True).foreign


def test_metadata_merges_key_by_key_without_touching_what_was_given() -> None:
    old, added = {"a": 1, "b": {"x": 1}}, {"b": {"y": 2}}
    assert merged(old, added) == {"a": 1, "b": {"y": 2}}  # type: ignore[arg-type]
    assert old == {"a": 1, "b": {"x": 1}}
    assert merged(None, {"a": None}) == {"a": None}
    assert merged(None, None) is None


def test_an_entry_gathers_metadata() -> None:
    entry = Entry("1", "assistant")
    entry.merge_metadata(None)
    assert entry.metadata is None
    entry.merge_metadata({"a": 1})
    assert entry.metadata == {"a": 1}
