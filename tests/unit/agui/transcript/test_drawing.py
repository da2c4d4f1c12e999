from typing import Any

import pytest
from ag_ui.core import RunAgentInput

from chat_app.agui.transcript.drawing import draw, text_of
from chat_app.agui.transcript.model import (
    FilePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
)
from chat_app.agui.transcript.screen import Screen
from tests.support.wire import Reports

CALL = {"id": "c", "type": "function", "function": {"name": "search", "arguments": "{}"}}
IMAGE = {
    "type": "image",
    "source": {"type": "data", "value": "AA", "mimeType": "image/png"},
    "metadata": {"filename": "a.png"},
}


def drawn(*raws: dict[str, Any]) -> list[tuple[str, str, tuple[Part, ...]]]:
    screen = Screen(Reports(), frozenset())
    for message in RunAgentInput.model_validate(
        {"threadId": "t", "runId": "r", "messages": list(raws)}
    ).messages:
        draw(screen, message)
    return [(row.role, row.key, row.freeze().parts) for row in screen.rows.values()]


@pytest.mark.parametrize("role", ["user", "system", "developer"])
def test_a_line_is_a_row_of_its_own(role: str) -> None:
    raw = {"id": "u", "role": role, "content": "hi"}
    assert drawn(raw) == [(role, "u", (TextPart("u", "u", "hi"),))]


def test_a_line_of_parts_shows_texts_and_files_in_order() -> None:
    parts = [{"type": "text", "text": "look"}, IMAGE, {"type": "text", "text": "there"}]
    ((_, _, shown),) = drawn({"id": "u", "role": "user", "content": parts})
    assert shown == (
        TextPart("u:0", "u:0", "look"),
        FilePart("u:1", "image", "data", "AA", "image/png", "a.png"),
        TextPart("u:2", "u:2", "there"),
    )


@pytest.mark.parametrize(
    ("metadata", "name"),
    [({"title": "T"}, "T"), ({}, None), ("no object", None), (None, None), ({"title": 5}, "5")],
)
def test_a_file_is_named_as_its_metadata_says(metadata: Any, name: str | None) -> None:
    source = {"type": "file", "value": "file-1", "provider": "openai"}
    part = {"type": "document", "source": source} | ({} if metadata is None else {"metadata": metadata})
    ((_, _, (shown,)),) = drawn({"id": "u", "role": "user", "content": [part]})
    assert shown == FilePart("u:0", "document", "file", "file-1", None, name)


def test_consecutive_messages_of_the_agent_share_a_row() -> None:
    rows = drawn(
        {"id": "q", "role": "reasoning", "content": "hm"},
        {"id": "a", "role": "assistant", "content": "Looking", "toolCalls": [CALL]},
        {"id": "t", "role": "tool", "toolCallId": "c", "content": [{"type": "text", "text": "3 "}, IMAGE]},
        {"id": "b", "role": "assistant", "content": "Found"},
    )
    file = FilePart("t:1", "image", "data", "AA", "image/png", "a.png")
    assert rows == [
        (
            "assistant",
            "q",
            (
                ReasoningPart("q", "q", "hm"),
                TextPart("a", "a", "Looking"),
                ToolCallPart("c", "c", "search", "{}", ToolCallStatus.COMPLETE, "3 ", "t", "a", (file,)),
                TextPart("b", "b", "Found"),
            ),
        )
    ]


def test_an_answer_that_says_nothing_is_not_drawn() -> None:
    assert drawn({"id": "a", "role": "assistant", "content": ""}, {"id": "b", "role": "assistant"}) == []


def test_a_call_is_drawn_once() -> None:
    raw = {"role": "assistant", "toolCalls": [CALL]}
    assert len(drawn({"id": "a", **raw}, {"id": "b", **raw})[0][2]) == 1


def test_a_result_for_no_call_is_not_drawn() -> None:
    assert drawn({"id": "t", "role": "tool", "toolCallId": "ghost", "content": "x"}) == []


def test_an_activity_is_a_row_of_its_own() -> None:
    ((role, key, _),) = drawn({"id": "a", "role": "activity", "activityType": "web", "content": {}})
    assert (role, key) == ("activity", "a")


def test_the_text_of_a_text_is_itself() -> None:
    assert text_of("x") == "x"


@pytest.mark.parametrize(("content", "shown"), [("", "no such place"), ("half of it", "half of it")])
def test_an_answer_that_names_an_error_says_that_the_call_failed(content: str, shown: str) -> None:
    rows = drawn(
        {"id": "a", "role": "assistant", "toolCalls": [CALL]},
        {"id": "t", "role": "tool", "toolCallId": "c", "content": content, "error": "no such place"},
        {"id": "x", "role": "tool", "toolCallId": "ghost", "content": "", "error": "lost"},
    )
    (part,) = rows[0][2]
    assert isinstance(part, ToolCallPart)
    assert (part.status, part.result) == (ToolCallStatus.FAILED, shown)
