from chat_app.agui.growing import GrowingText
from chat_app.agui.transcript.live import LiveActivity, LiveCall, LiveFile, LiveText, Row
from chat_app.agui.transcript.model import (
    ActivityPart,
    FilePart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    UiMessage,
)

FILE = FilePart("f", "image", "url", "https://x")


def test_each_part_freezes_into_what_is_drawn() -> None:
    call = LiveCall(
        "c", "c", "search", "r", "m", GrowingText(text="{}"), result="ok", result_id="t", files=(FILE,)
    )
    parts = [
        LiveText("m", "m", text="hi", streaming=True),
        LiveText("q", "q", reasoning=True),
        call,
        LiveActivity("a", "a", "web", {"n": 1}),
        LiveFile(FILE),
    ]
    assert [part.freeze() for part in parts] == [
        TextPart("m", "m", "hi", streaming=True),
        ReasoningPart("q", "q", ""),
        ToolCallPart("c", "c", "search", "{}", ToolCallStatus.STREAMING_ARGUMENTS, "ok", "t", "m", (FILE,)),
        ActivityPart("a", "a", "web", {"n": 1}),
        FILE,
    ]
    assert [part.kind for part in parts] == ["text", "reasoning", "call", "activity", "file"]
    assert (LiveFile(FILE).key, LiveFile(FILE).wire_id) == ("f", "f")
    assert call.streaming


def test_a_row_stays_the_same_object_until_it_changes() -> None:
    row = Row("user", "u", "u", parts=[LiveFile(FILE)])
    frozen = row.freeze()
    assert frozen == UiMessage("user", "u", "u", (FILE,))
    assert row.freeze() is frozen
    row.frozen = None
    assert row.freeze() is not frozen


def test_part_keys_are_unique_within_their_row() -> None:
    row = Row("assistant", "m", "m")
    for expected in ("x", "x#2", "x#3"):
        key = row.part_key("x")
        assert key == expected
        row.parts.append(LiveText(key, "x"))
