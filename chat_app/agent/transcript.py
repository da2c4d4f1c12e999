"""The model transcript: what a model remembers of a conversation, in words of no provider and no protocol.

It is not what a page draws and not what a client sends; ``wire_history`` reads the latter into entries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from pydantic import JsonValue, TypeAdapter

Role: TypeAlias = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that came with a line: its bytes in base64, or where they are.

    Attributes:
        media_type: As MIME says it, ``image/png``; empty when only an address is known.
        data: The bytes in base64; empty when there is an address instead.
        url: The address; empty when there are bytes.
    """

    media_type: str
    data: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model made it; the argument text need not be JSON."""

    id: str
    name: str
    arguments: str = "{}"


@dataclass(frozen=True, slots=True)
class SystemEntry:
    """What the model is told by whoever runs it."""

    text: str
    role: Literal["system"] = "system"


@dataclass(frozen=True, slots=True)
class UserEntry:
    """What the model is asked."""

    text: str
    attachments: tuple[Attachment, ...] = ()
    role: Literal["user"] = "user"


@dataclass(frozen=True, slots=True)
class AssistantEntry:
    """What the model said and called in one step.

    Attributes:
        replay: The step in the provider's own form, with signatures it wants back; None when none came or the
            step was read from elsewhere. Opaque to everyone but the client that made it.
    """

    text: str = ""
    thinking: str = ""
    calls: tuple[ToolCall, ...] = ()
    replay: JsonValue = None
    role: Literal["assistant"] = "assistant"


@dataclass(frozen=True, slots=True)
class ToolEntry:
    """What a call gave: the observation the model goes on with."""

    call_id: str
    name: str
    text: str
    is_error: bool = False
    role: Literal["tool"] = "tool"


Entry: TypeAlias = SystemEntry | UserEntry | AssistantEntry | ToolEntry

_KINDS: Final[Mapping[str, TypeAdapter[Entry]]] = {
    "system": TypeAdapter(SystemEntry),
    "user": TypeAdapter(UserEntry),
    "assistant": TypeAdapter(AssistantEntry),
    "tool": TypeAdapter(ToolEntry),
}


def dump_entries(entries: Sequence[Entry]) -> list[JsonValue]:
    """Give the entries as JSON that :func:`load_entries` reads back to equal ones."""
    return [_KINDS[entry.role].dump_python(entry, mode="json") for entry in entries]


def load_entries(values: Sequence[Mapping[str, JsonValue]]) -> list[Entry]:
    """Read entries that were dumped.

    Raises:
        ValueError: one of them is none (pydantic's ValidationError is one).
    """
    return [_KINDS[_role(value)].validate_python(value) for value in values]


def call_ids(entries: Sequence[Entry]) -> set[str]:
    """Give the ids of every call ever made."""
    return {call.id for call in calls_of(entries)}


def calls_of(entries: Sequence[Entry]) -> list[ToolCall]:
    """Give every call ever made, in order."""
    return [call for entry in entries if isinstance(entry, AssistantEntry) for call in entry.calls]


def open_calls(entries: Sequence[Entry]) -> list[ToolCall]:
    """Give the calls no entry answers, in the order they were made."""
    answered = {entry.call_id for entry in entries if isinstance(entry, ToolEntry)}
    return [call for call in calls_of(entries) if call.id not in answered]


def _role(value: Mapping[str, JsonValue]) -> str:
    role = value.get("role")
    if not isinstance(role, str) or role not in _KINDS:
        raise ValueError(f"{role!r} is no role of a transcript.")
    return role
