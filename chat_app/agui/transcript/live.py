"""Rows and parts while they change: what the reducer edits, and what it freezes for readers.

A frozen row is kept until its row changes again, so a reader gets the same object as long as nothing
happened to it.
"""

import json
from collections import deque
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

from pydantic import JsonValue

from chat_app.agui.growing import GrowingText
from chat_app.agui.subagents import Subagent
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
    UiMessage,
)

KEPT_CUSTOMS = 20
"""How many of a run's custom events a row holds; the others are counted."""


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


@dataclass(slots=True, eq=False)
class LiveLane:
    """A subagent as it stands; replaced whole when that changes."""

    subagent: Subagent

    kind: ClassVar[str] = "lane"

    @property
    def key(self) -> str:
        """The key of the part: the id of the invocation."""
        return self.subagent.subagent_run_id

    @property
    def wire_id(self) -> str:
        """The agent's own id, which is the key."""
        return self.subagent.subagent_run_id

    def freeze(self) -> Part:
        """Return the part as it stands."""
        told, result = self.subagent.message or "", self.subagent.result
        said = result if isinstance(result, str) else "" if result is None else json.dumps(result)
        return LanePart(
            self.key,
            self.wire_id,
            self.subagent.name,
            self.subagent.status,
            self.subagent.description or "",
            told or said,
        )


@dataclass(slots=True, eq=False)
class LiveCustoms:
    """The custom events of a run; only the newest are kept."""

    key: str
    events: deque[tuple[str, JsonValue]] = field(default_factory=lambda: deque(maxlen=KEPT_CUSTOMS))
    count: int = 0

    kind: ClassVar[str] = "customs"

    @property
    def wire_id(self) -> str:
        """Custom events have no ids."""
        return self.key

    def add(self, name: str, value: JsonValue) -> None:
        """Take in one more."""
        self.events.append((name, value))
        self.count += 1

    def freeze(self) -> Part:
        """Return the part as it stands."""
        return CustomsPart(self.key, self.wire_id, tuple(self.events), self.count)


LivePart: TypeAlias = LiveText | LiveCall | LiveActivity | LiveFile | LiveLane | LiveCustoms


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
