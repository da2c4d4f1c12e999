"""What is drawn: frozen messages and their parts, in the order they arrived.

A ``UiMessage`` is one row: an assistant row holds a turn, so its parts may come from several messages
of the wire. ``key`` is stable for the life of the row and unique on screen; ``wire_id`` is the
agent's own id, which agents use twice and rename.

>>> from chat_app.agui.updates import Idle
>>> def shown(part: Part) -> str:
...     match part:
...         case TextPart(text=text) | ReasoningPart(text=text):
...             return text
...         case ToolCallPart(name=name, status=ToolCallStatus.COMPLETE, result=result):
...             return f"{name}: {result}"
...         case ToolCallPart(name=name, status=status):
...             return f"{name} ({status})"
...         case ActivityPart(activity_type=kind):
...             return f"[{kind}]"
...         case FilePart(kind=kind, name=name):
...             return f"{kind} {name}"
...         case LanePart(name=name, status=status):
...             return f"{name} ({status})"
...         case CustomsPart(count=count):
...             return f"{count} custom events"
>>> parts = (
...     ReasoningPart("r", "r", "I should look."),
...     ToolCallPart("c", "c", "find", "{}", ToolCallStatus.AWAITING_RESULT),
...     FilePart("f", "image", "url", "https://example.test/a.png", name="a.png"),
... )
>>> turn = UiMessage("assistant", "r", "r", parts)
>>> progress = UiMessage("activity", "p", "p", (ActivityPart("p", "p", "progress", {"done": 1}),))
>>> transcript = Transcript((turn, progress), Idle(), ())
>>> [shown(part) for row in transcript.messages for part in row.parts]
['I should look.', 'find (awaiting_result)', 'image a.png', '[progress]']
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pydantic import JsonValue

from chat_app.agui.updates import RunState, SubagentStatus


class ToolCallStatus(StrEnum):
    """How a tool call stands."""

    STREAMING_ARGUMENTS = "streaming_arguments"
    AWAITING_RESULT = "awaiting_result"
    AWAITING_APPROVAL = "awaiting_approval"
    AWAITING_ANSWER = "awaiting_answer"
    COMPLETE = "complete"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text as far as it has arrived."""

    key: str
    wire_id: str
    text: str
    streaming: bool = False


@dataclass(frozen=True, slots=True)
class ReasoningPart:
    """A thought as far as it has arrived."""

    key: str
    wire_id: str
    text: str
    streaming: bool = False


@dataclass(frozen=True, slots=True)
class FilePart:
    """A file of a person's line or a tool's answer.

    ``source`` says how to read ``value``: ``data`` (base64), ``url``, or ``file``, a handle only its
    provider can resolve and nobody here may fetch.
    """

    key: str
    kind: str
    source: str
    value: str
    mime_type: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class ToolCallPart:
    """A tool call; ``args`` is the argument text, which need not be JSON.

    ``result`` is the text of the answer, ``files`` what else it held, ``result_id`` the id of its tool
    message and ``parent_id`` the assistant message the agent hung the call on.
    """

    key: str
    wire_id: str
    name: str
    args: str
    status: ToolCallStatus
    result: str | None = None
    result_id: str | None = None
    parent_id: str | None = None
    files: tuple[FilePart, ...] = ()


@dataclass(frozen=True, slots=True)
class ActivityPart:
    """Progress that is no conversation; what ``content`` means is up to ``activity_type``."""

    key: str
    wire_id: str
    activity_type: str
    content: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class LanePart:
    """A subagent: ``key`` and ``wire_id`` are the id its own rows name as ``subagent_run_id``."""

    key: str
    wire_id: str
    name: str
    status: SubagentStatus
    description: str = ""
    outcome: str = ""


@dataclass(frozen=True, slots=True)
class CustomsPart:
    """The custom events of one run that nobody reads: the newest of them, and how many there were."""

    key: str
    wire_id: str
    events: tuple[tuple[str, JsonValue], ...]
    count: int


Part: TypeAlias = TextPart | ReasoningPart | ToolCallPart | ActivityPart | FilePart | LanePart | CustomsPart


@dataclass(frozen=True, slots=True)
class UiMessage:
    """One drawn row."""

    role: str
    key: str
    wire_id: str
    parts: tuple[Part, ...]
    run_id: str | None = None
    subagent_run_id: str | None = None


@dataclass(frozen=True, slots=True)
class Transcript:
    """Everything drawn, how the last run stands, and the steps now open."""

    messages: tuple[UiMessage, ...]
    run: RunState
    steps: tuple[str, ...]
