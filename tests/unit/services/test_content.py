import json

import pytest

from chat_app.agui import (
    ActivityPart,
    CustomsPart,
    FilePart,
    LanePart,
    ReasoningPart,
    SubagentStatus,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    UiMessage,
)
from chat_app.services.content import LARGEST_PICTURE, Span, calls_of, content_of, is_settled, note_times


def message(*parts, key: str = "m1") -> UiMessage:
    return UiMessage(role="assistant", key=key, wire_id=key, parts=parts)


def call(status: ToolCallStatus = ToolCallStatus.AWAITING_RESULT, **fields) -> ToolCallPart:
    return ToolCallPart(
        **{"key": "c", "wire_id": "call-1", "name": "add", "args": '{"a":1}', **fields}, status=status
    )


def test_each_kind_of_part_is_stored_under_its_kind():
    stored = content_of(
        message(
            TextPart("t", "w", "Hello", streaming=True),
            ReasoningPart("r", "w", "Hm"),
            call(ToolCallStatus.COMPLETE, result="2"),
            ActivityPart("a", "w", "search", {"query": "ü"}),
            FilePart("f", "image", "data", "aGk=", "image/png", "cat.png"),
        ),
        {("m1", "t"): Span("then"), ("m1", "c"): Span("then", "later")},
    )
    untimed = {"started": "", "ended": ""}
    assert stored == [
        {"kind": "text", "key": "t", "text": "Hello", "streaming": True, "started": "then", "ended": ""},
        {"kind": "reasoning", "key": "r", "text": "Hm", "streaming": False, **untimed},
        {
            "kind": "tool",
            "key": "c",
            "call": "call-1",
            "name": "add",
            "text": '{"a":1}',
            "status": "complete",
            "result": "2",
            "started": "then",
            "ended": "later",
        },
        {"kind": "activity", "key": "a", "name": "search", "text": '{"query": "ü"}', **untimed},
        {"kind": "file", "key": "f", "name": "cat.png", **untimed},
    ]
    assert json.loads(json.dumps(stored)) == stored


@pytest.mark.parametrize(
    ("mime_type", "name", "shown"),
    [("image/png", None, "image/png"), (None, None, "image"), (None, "x.png", "x.png")],
)
def test_a_file_without_a_name_is_named_for_what_it_is(mime_type, name, shown):
    part = FilePart("f", "image", "url", "https://a.example/x", mime_type, name)
    assert content_of(message(part), {})[0]["name"] == shown


def test_only_tool_calls_are_listed_as_calls():
    stored = content_of(message(TextPart("t", "w", "x"), call()), {})
    assert [part["call"] for part in calls_of(stored)] == ["call-1"]


@pytest.mark.parametrize(
    ("part", "settled"),
    [
        (TextPart("t", "w", "x", streaming=True), False),
        (TextPart("t", "w", "x"), True),
        (ReasoningPart("t", "w", "x", streaming=True), False),
        (ReasoningPart("t", "w", "x"), True),
        (ActivityPart("a", "w", "plan", {}), True),
        (FilePart("f", "image", "url", "u"), True),
        *[(call(status), status in ("complete", "failed")) for status in ToolCallStatus],
    ],
)
def test_a_part_is_settled_when_nothing_more_is_expected(part, settled):
    assert is_settled(part) is settled


def test_times_are_noted_when_a_part_begins_and_once_when_it_is_complete():
    spans = {}
    note_times(spans, message(TextPart("t", "w", "", streaming=True)), "1")
    assert spans == {("m1", "t"): Span("1", "")}
    note_times(spans, message(TextPart("t", "w", "x", streaming=True)), "2")
    assert spans == {("m1", "t"): Span("1", "")}
    note_times(spans, message(TextPart("t", "w", "x")), "3")
    note_times(spans, message(TextPart("t", "w", "x")), "4")
    assert spans == {("m1", "t"): Span("1", "3")}


def test_parts_of_one_key_in_two_messages_have_times_of_their_own():
    spans = {}
    note_times(spans, message(TextPart("t", "w", "x"), key="m1"), "1")
    note_times(spans, message(TextPart("t", "w", "x"), key="m2"), "2")
    assert spans == {("m1", "t"): Span("1", "1"), ("m2", "t"): Span("2", "2")}


@pytest.mark.parametrize(
    ("file", "source"),
    [
        (FilePart("f", "image", "data", "aGk=", "image/PNG", "cat.png"), "data:image/png;base64,aGk="),
        (FilePart("f", "image", "data", "aGk=", "image/svg+xml", "cat.png"), ""),
        (FilePart("f", "image", "data", '"onerror="', "image/png", "cat.png"), ""),
        (FilePart("f", "image", "data", "A" * (LARGEST_PICTURE + 1), "image/png", "cat.png"), ""),
    ],
)
def test_of_the_files_a_tool_answers_with_only_small_pictures_are_shown(file, source):
    (stored,) = content_of(message(call(ToolCallStatus.COMPLETE, result="2", files=(file,))), {})
    assert stored["files"] == [{"name": "cat.png", "mime": file.mime_type.lower(), "source": source}]


@pytest.mark.parametrize(
    ("address", "link"),
    [
        ("https://beacon.example/a.png", {"link": "https://beacon.example/a.png"}),
        ("HTTP://beacon.example/a.png", {"link": "HTTP://beacon.example/a.png"}),
        ("javascript:alert(1)", {}),
        ("/api/files/1", {}),
    ],
)
def test_of_a_file_that_lies_elsewhere_the_address_is_kept_and_nothing_is_shown(address, link):
    file = FilePart("f", "image", "url", address, "image/png", "cat.png")
    (stored,) = content_of(message(call(ToolCallStatus.COMPLETE, result="2", files=(file,))), {})
    assert stored["files"] == [{"name": "cat.png", "mime": "image/png", "source": "", **link}]


def test_a_subagent_and_what_stands_in_its_lane_are_stored_with_whose_they_are():
    lane = LanePart("s", "s", "mechanic", SubagentStatus.FINISHED, "Looks", "mended")
    stored = content_of(UiMessage("subagent", "lane:s", "lane:s", (lane,), subagent_run_id="outer"), {})
    assert stored == [
        {
            "kind": "lane",
            "key": "s",
            "name": "mechanic",
            "text": "Looks",
            "status": "finished",
            "result": "mended",
            "started": "",
            "ended": "",
            "lane": "outer",
        }
    ]


def test_custom_events_are_stored_with_their_names_and_how_many_there_were():
    customs = CustomsPart("custom:r", "custom:r", (("a", 1), ("b", None), ("a", 2)), 30)
    [stored] = content_of(message(customs), {})
    assert (stored["kind"], stored["name"], stored["result"]) == ("customs", "a, b", "30")
    assert json.loads(stored["text"])[0] == {"name": "a", "value": 1}


@pytest.mark.parametrize(
    ("status", "settled"),
    [
        (SubagentStatus.RUNNING, False),
        (SubagentStatus.SUSPENDED, False),
        (SubagentStatus.FINISHED, True),
        (SubagentStatus.ABORTED, True),
    ],
)
def test_a_subagent_is_settled_when_nothing_more_comes_of_it(status, settled):
    assert is_settled(LanePart("s", "s", "mechanic", status)) is settled
