from itertools import count
from typing import Any

import pytest

from chat_app.agui.boundary import Boundary, upgrade_binary
from tests.support.wire import Reports


def boundary(reports: Reports, *, role_shim: bool = False) -> Boundary:
    numbers = count(1)
    return Boundary(lambda: f"id-{next(numbers)}", reports, role_shim=role_shim)


def upgraded(*raws: dict[str, Any], role_shim: bool = False) -> tuple[list[dict[str, Any]], Reports]:
    reports = Reports()
    stage = boundary(reports, role_shim=role_shim)
    return [stage.upgrade(raw) for raw in raws], reports


def test_a_modern_frame_is_the_same_object() -> None:
    raws: list[dict[str, Any]] = [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "x"},
        {"type": "RUN_STARTED", "threadId": "t", "runId": "r"},
        {"type": "MESSAGES_SNAPSHOT"},
        {"type": "REASONING_MESSAGE_START", "messageId": "m", "role": "assistant"},
    ]
    seen, reports = upgraded(*raws)
    assert all(after is before for after, before in zip(seen, raws, strict=True))
    assert not reports


def test_thinking_becomes_reasoning_under_minted_ids() -> None:
    seen, reports = upgraded(
        {"type": "THINKING_START", "title": "Hm"},
        {"type": "THINKING_TEXT_MESSAGE_START"},
        {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "a"},
        {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "b"},
        {"type": "THINKING_TEXT_MESSAGE_END"},
        {"type": "THINKING_END"},
    )
    assert seen == [
        {"type": "REASONING_START", "messageId": "id-1"},
        {"type": "REASONING_MESSAGE_START", "messageId": "id-2", "role": "reasoning"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "id-2", "delta": "a"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": "id-2", "delta": "b"},
        {"type": "REASONING_MESSAGE_END", "messageId": "id-2"},
        {"type": "REASONING_END", "messageId": "id-1"},
    ]
    assert reports.codes.count("retired-event") == 5
    assert reports.codes.count("lost-title") == 1


def test_thinking_without_an_opener_gets_an_id_for_the_verifier_to_refuse() -> None:
    seen, _ = upgraded(
        {"type": "THINKING_TEXT_MESSAGE_CONTENT", "delta": "a"},
        {"type": "THINKING_TEXT_MESSAGE_END"},
        {"type": "THINKING_TEXT_MESSAGE_END"},
        {"type": "THINKING_END"},
    )
    assert [raw["messageId"] for raw in seen] == ["id-1", "id-1", "id-2", "id-3"]


def test_an_unknown_thinking_event_is_left_for_enforcement() -> None:
    seen, reports = upgraded({"type": "THINKING_HARD"})
    assert seen == [{"type": "THINKING_HARD"}]
    assert not reports


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("TOOL_CALL_START", "parentMessageId"),
        ("TOOL_CALL_CHUNK", "parentMessageId"),
        ("RUN_FINISHED", "outcome"),
        ("RUN_FINISHED", "result"),
        ("SUBAGENT_FINISHED", "result"),
        ("CUSTOM", "rawEvent"),
    ],
)
def test_a_null_that_meant_absent_is_left_out(kind: str, name: str) -> None:
    raw: dict[str, Any] = {"type": kind, name: None}
    seen, reports = upgraded(raw, raw)
    assert seen == [{"type": kind}] * 2
    assert [(report.code, report.path) for report in reports] == [("null-field", "/" + name)]
    assert name in raw


def test_other_nulls_are_none_of_its_business() -> None:
    raw: dict[str, Any] = {"type": "TEXT_MESSAGE_START", "name": None}
    assert upgraded(raw)[0] == [raw]


@pytest.mark.parametrize("given", [{"role": "assistant"}, {}])
def test_the_role_of_early_reasoning_messages_is_mended_when_allowed(given: dict[str, Any]) -> None:
    raw = {"type": "REASONING_MESSAGE_START", "messageId": "m"} | given
    seen, reports = upgraded(raw, role_shim=True)
    assert seen[0]["role"] == "reasoning"
    assert reports.codes == ["reasoning-role"]


def test_another_role_is_left_for_enforcement() -> None:
    raw = {"type": "REASONING_MESSAGE_START", "messageId": "m", "role": "user"}
    assert upgraded(raw, role_shim=True)[0] == [raw]


@pytest.mark.parametrize(
    ("part", "media"),
    [
        (
            {"type": "binary", "mimeType": "image/png", "data": "AA", "url": "https://x"},
            {"type": "image", "source": {"type": "data", "value": "AA", "mimeType": "image/png"}},
        ),
        (
            {"type": "binary", "mimeType": "application/pdf", "url": "https://x", "filename": "a.pdf"},
            {
                "type": "document",
                "source": {"type": "url", "value": "https://x", "mimeType": "application/pdf"},
                "metadata": {"filename": "a.pdf"},
            },
        ),
        ({"type": "binary", "mimeType": "image/png", "id": "f"}, None),
        ({"type": "binary", "data": "AA"}, None),
    ],
)
def test_a_binary_part_becomes_a_media_part(part: dict[str, Any], media: dict[str, Any] | None) -> None:
    assert upgrade_binary(part) == media


def test_binary_parts_are_upgraded_inside_messages() -> None:
    old = {"type": "binary", "mimeType": "audio/ogg", "data": "AA"}
    lost = {"type": "binary", "mimeType": "audio/ogg", "id": "f"}
    raw: dict[str, Any] = {
        "type": "MESSAGES_SNAPSHOT",
        "messages": [{"role": "user", "content": ["x", old, lost, {"type": "text"}]}, {"content": "text"}, 5],
    }
    seen, reports = upgraded(raw)
    content = seen[0]["messages"][0]["content"]
    assert [part if isinstance(part, str) else part["type"] for part in content] == [
        "x",
        "audio",
        "binary",
        "text",
    ]
    assert [report.path for report in reports] == ["/messages/0/content/1", "/messages/0/content/2"]
    assert raw["messages"][0]["content"][1] is old


def test_messages_that_are_no_list_are_left_for_enforcement() -> None:
    raw: dict[str, Any] = {"type": "MESSAGES_SNAPSHOT", "messages": "no"}
    assert upgraded(raw)[0] == [raw]


def test_nulls_in_an_echoed_input_are_left_out() -> None:
    media = {"type": "image", "metadata": None}
    echo: dict[str, Any] = {
        "forwardedProps": None,
        "state": None,
        "tools": [{"name": "x", "parameters": None}, 5],
        "resume": [{"interruptId": "i", "payload": None}],
        "messages": [{"role": "user", "content": [media, {"type": "text", "metadata": None}, 5]}, 5],
    }
    seen, reports = upgraded({"type": "RUN_STARTED", "input": echo})
    assert seen[0]["input"] == {
        "state": None,
        "tools": [{"name": "x"}, 5],
        "resume": [{"interruptId": "i"}],
        "messages": [
            {"role": "user", "content": [{"type": "image"}, {"type": "text", "metadata": None}, 5]},
            5,
        ],
    }
    assert reports.codes == ["null-field"]


def test_an_echoed_input_without_nulls_says_nothing() -> None:
    seen, reports = upgraded({"type": "RUN_STARTED", "input": {"threadId": "t"}})
    assert seen[0]["input"] == {"threadId": "t"}
    assert not reports
