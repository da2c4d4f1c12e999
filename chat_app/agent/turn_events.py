"""What an agent reports while it works one turn, in its own words.

Nothing here knows AG-UI: :mod:`chat_app.agent.renderer` translates. Who reports brackets nothing with care:
text and thoughts are bare deltas, and whatever is open when a turn ends is closed by the renderer.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeAlias

from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens spent, as a delta: each report adds to the turn's sum."""

    provider: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something only a person can settle before the turn goes on."""

    id: str
    reason: str
    message: str
    call_id: str | None = None
    response_schema: Mapping[str, JsonValue] | None = None
    expires_at: datetime | None = None
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The turn begins; nothing but a :class:`TurnError` may be reported before."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class ThinkingDelta:
    """More of what the agent thinks before or beside its answer."""

    text: str


@dataclass(frozen=True, slots=True)
class MessageCompleted:
    """The text and the thoughts reported so far are whole; later ones belong to a new message."""


@dataclass(frozen=True, slots=True)
class ToolcallDelta:
    """More of a call's argument text. The first report of a call names its tool."""

    call_id: str
    args: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class ToolcallCompleted:
    """The call's arguments are whole. Whether it will run is not said yet: it may need a person's yes."""

    call_id: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """The tool runs now, with these arguments, whether or not they were streamed before."""

    call_id: str
    name: str
    args: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ToolCompleted:
    """The call is answered, possibly one that an earlier turn made."""

    call_id: str
    output: str


@dataclass(frozen=True, slots=True)
class ToolBlocked:
    """The call will not run; the reason is its answer."""

    call_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A named stage of the work begins."""

    name: str


@dataclass(frozen=True, slots=True)
class StageFinished:
    """A named stage of the work is over."""

    name: str


@dataclass(frozen=True, slots=True)
class AppStateChanged:
    """The application's own state is now this document, whole."""

    app: JsonValue


@dataclass(frozen=True, slots=True)
class UsageUpdated:
    """Tokens were spent."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class TurnCompleted:
    """The turn ended well."""


@dataclass(frozen=True, slots=True)
class TurnPaused:
    """The turn waits for a person; a later turn goes on with the answers."""

    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class TurnCancelled:
    """The turn was stopped on purpose."""


@dataclass(frozen=True, slots=True)
class TurnError:
    """The turn failed."""

    message: str
    code: str


TurnEnd: TypeAlias = TurnCompleted | TurnPaused | TurnCancelled | TurnError

TurnEvent: TypeAlias = (
    TurnStarted
    | TextDelta
    | ThinkingDelta
    | MessageCompleted
    | ToolcallDelta
    | ToolcallCompleted
    | ToolStarted
    | ToolCompleted
    | ToolBlocked
    | StageStarted
    | StageFinished
    | AppStateChanged
    | UsageUpdated
    | TurnEnd
)
