"""Rows and parts while they change: what the reducer edits, and what it freezes for readers.

A frozen row is kept until its row changes again, so a reader gets the same object as long as nothing
happened to it.
"""

from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from pydantic import JsonValue

from chat_app.agui.growing import GrowingText
from chat_app.agui.transcript.model import (
    ActivityPart,
    FilePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    ToolCallStatus,
    UiMessage,
)


@dataclass(slots=True, eq=False)
class LiveText(GrowingText):
    """Text or a thought."""

    key: str
    wire_id: str
    reasoning: bool = False
    streaming: bool = False

    @property
    def kind(self) -> str:
        """The word for what it is."""
        return "reasoning" if self.reasoning else "text"

    def freeze(self) -> Part:
        """Return the part as it stands."""
        kind = ReasoningPart if self.reasoning else TextPart
        return kind(self.key, self.wire_id, self.read() or "", self.streaming)


@dataclass(slots=True, eq=False)
class LiveCall:
    """A tool call. ``replay`` collects arguments that a later run sends again."""

    key: str
    wire_id: str
    name: str
    run_id: str | None
    parent_id: str | None
    args: GrowingText
    status: ToolCallStatus = ToolCallStatus.STREAMING_ARGUMENTS
    result: str | None = None
    result_id: str | None = None
    files: tuple[FilePart, ...] = ()
    replay: list[str] | None = None

    kind: ClassVar[str] = "call"

    @property
    def streaming(self) -> bool:
        """Whether its arguments are still arriving."""
        return self.status is ToolCallStatus.STREAMING_ARGUMENTS

    def freeze(self) -> Part:
        """Return the part as it stands."""
        return ToolCallPart(
            self.key,
            self.wire_id,
            self.name,
            self.args.read() or "",
            self.status,
            self.result,
            self.result_id,
            self.parent_id,
            self.files,
        )


@dataclass(slots=True, eq=False)
class LiveActivity:
    """An activity."""

    key: str
    wire_id: str
    activity_type: str
    content: dict[str, JsonValue]

    kind: ClassVar[str] = "activity"

    def freeze(self) -> Part:
        """Return the part as it stands."""
        return ActivityPart(self.key, self.wire_id, self.activity_type, self.content)


@dataclass(slots=True, eq=False)
class LiveFile:
    """A file, which never changes."""

    part: FilePart

    kind: ClassVar[str] = "file"

    @property
    def key(self) -> str:
        """The key of the part."""
        return self.part.key

    @property
    def wire_id(self) -> str:
        """A file has no id of its own."""
        return self.part.key

    def freeze(self) -> Part:
        """Return the part."""
        return self.part


LivePart: TypeAlias = LiveText | LiveCall | LiveActivity | LiveFile


@dataclass(slots=True, eq=False)
class Row:
    """One drawn message while it changes."""

    role: str
    key: str
    wire_id: str
    run_id: str | None = None
    owner: str | None = None
    parts: list[LivePart] = field(default_factory=list)
    frozen: UiMessage | None = None

    def freeze(self) -> UiMessage:
        """Return the row as it stands; the same object until it changes."""
        if self.frozen is None:
            parts = tuple(part.freeze() for part in self.parts)
            self.frozen = UiMessage(self.role, self.key, self.wire_id, parts, self.run_id, self.owner)
        return self.frozen

    def part_key(self, wire_id: str) -> str:
        """Return a key for a new part: its own id, numbered when a part of the row has it already."""
        taken = {part.key for part in self.parts}
        key, number = wire_id, 1
        while key in taken:
            number += 1
            key = f"{wire_id}#{number}"
        return key
