import dataclasses

import pytest

from chat_app.agui.transcript.model import (
    ActivityPart,
    FilePart,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    Transcript,
    UiMessage,
)
from chat_app.agui.updates import Idle

PARTS = [
    TextPart("m", "m", "hi"),
    ReasoningPart("q", "q", "hm", streaming=True),
    ToolCallPart("c", "c", "search", "{}", ToolCallStatus.COMPLETE, "ok"),
    ActivityPart("a", "a", "web", {"n": 1}),
    FilePart("f", "image", "url", "https://x"),
]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: type(part).__name__)
def test_what_is_drawn_never_changes(part: object) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        part.key = "other"  # type: ignore[attr-defined]


def test_transcripts_are_values() -> None:
    rows = (UiMessage("assistant", "m", "m", tuple(PARTS), "r"),)
    assert Transcript(rows, Idle(), ("plan",)) == Transcript(rows, Idle(), ("plan",))


def test_a_status_is_its_word() -> None:
    assert ToolCallStatus("awaiting_answer") == "awaiting_answer"
