"""The transcript: what a person sees of a thread, folded from events and local messages."""

from chat_app.agui.transcript.model import (
    ActivityPart,
    CustomsPart,
    FilePart,
    LanePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    Transcript,
    UiMessage,
)
from chat_app.agui.transcript.reducer import HANDLERS, IGNORED, TranscriptReducer

__all__ = [
    "HANDLERS",
    "IGNORED",
    "ActivityPart",
    "CustomsPart",
    "FilePart",
    "LanePart",
    "Part",
    "ReasoningPart",
    "TextPart",
    "ToolCallPart",
    "ToolCallStatus",
    "Transcript",
    "TranscriptReducer",
    "UiMessage",
]
