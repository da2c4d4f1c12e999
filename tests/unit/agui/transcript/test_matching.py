from typing import Any

import pytest

from chat_app.agui.growing import GrowingText
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LiveFile, LivePart, LiveText, Row
from chat_app.agui.transcript.matching import canonical, declared, matched, on_screen
from chat_app.agui.transcript.model import FilePart
from tests.support.wire import snapshot


def said(message_id: str, content: str | None, role: str = "assistant", **fields: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"id": message_id, "role": role, **fields}
    return message if content is None else message | {"content": content}


def called(call_id: str, arguments: str = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "search", "arguments": arguments}}


def drawn(call_id: str, arguments: str = "{}") -> LiveCall:
    return LiveCall(call_id, call_id, "search", None, None, GrowingText(text=arguments))


def turn(*parts: LivePart) -> Row:
    return Row("assistant", "row", "row", parts=list(parts))


def paired(rows: list[Row], *raws: dict[str, Any]) -> list[tuple[str, str]]:
    held = on_screen(rows)
    pairs = matched(held, declared(snapshot(*raws).messages))
    return [(item.wire_id, pairs[id(item)].wire_id) for item in held if id(item) in pairs]


def test_a_list_is_taken_apart_into_what_it_declares() -> None:
    items = declared(
        snapshot(
            said("s", "be brief", "system"),
            said("a", "hi", toolCalls=[called("c"), called("c")]),
            said("b", None),
            said("q", "hm", "reasoning"),
            said("t", "ok", "tool", toolCallId="c"),
            {"id": "w", "role": "activity", "activityType": "web", "content": {}},
        ).messages
    )
    assert [(item.kind, item.wire_id) for item in items] == [
        ("system", "s"),
        ("text", "a"),
        ("call", "c"),
        ("reasoning", "q"),
        ("activity", "w"),
    ]


def test_the_screen_is_taken_apart_into_parts_and_whole_lines() -> None:
    file = LiveFile(FilePart("u:1", "image", "url", "https://x"))
    line = Row("user", "u", "u", parts=[LiveText("u:0", "u:0", text="look"), file])
    rows = [line, turn(LiveText("m", "m"), LiveText("q", "q", reasoning=True), drawn("c"))]
    assert [(item.kind, item.wire_id) for item in on_screen(rows)] == [
        ("user", "u"),
        ("text", "m"),
        ("reasoning", "q"),
        ("call", "c"),
    ]


def test_ids_pair_before_contents_do() -> None:
    row = turn(LiveText("a", "a", text="same"), LiveText("b", "b", text="same"))
    assert paired([row], said("b", "same"), said("x", "same")) == [("a", "x"), ("b", "b")]


def test_contents_pair_lines_thoughts_and_calls_each_once() -> None:
    line = Row("user", "u", "u", parts=[LiveText("u", "u", text="hi")])
    row = turn(
        LiveText("q", "q", text="hm", reasoning=True),
        drawn("c", '{"a": 1, "b": 2}'),
        drawn("d", '{"b":2,"a":1}'),
    )
    listed = [
        said("U", "hi", "user"),
        said("Q", "hm", "reasoning"),
        said("A", None, toolCalls=[called("C", '{"b":2,"a":1}')]),
    ]
    assert paired([line, row], *listed) == [("u", "U"), ("q", "Q"), ("c", "C")]


def test_an_activity_is_known_by_its_id_alone() -> None:
    activity = {"id": "w", "role": "activity", "activityType": "web", "content": {}}
    rows = [Row("activity", "a", "a", parts=[LiveActivity("a", "a", "web", {})])]
    assert paired(rows, activity) == []
    assert paired(rows, activity | {"id": "a"}) == [("a", "a")]


@pytest.mark.parametrize(
    ("arguments", "same"),
    [('{"b": 2, "a": 1}', '{"a":1,"b":2}'), ("not json", "not json"), ("[" * 5_000, "[" * 5_000)],
    ids=["json", "text", "depth"],
)
def test_arguments_are_compared_without_what_json_leaves_to_taste(arguments: str, same: str) -> None:
    assert canonical(arguments) == canonical(same)
