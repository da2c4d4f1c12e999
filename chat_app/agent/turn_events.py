"""What an agent reports while it works one turn, in its own words.

Nothing here knows AG-UI: :mod:`chat_app.agent.renderer` translates. Who reports brackets nothing with care:
text and thoughts are bare deltas, and whatever is open when a turn ends is closed by the renderer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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

    def __add__(self, other: "Usage") -> "Usage":
        """Sum two deltas of one model.

        Raises:
            ValueError: they are of different models, whose tokens do not cost the same.
        """
        if (other.provider, other.model) != (self.provider, self.model):
            raise ValueError(f"Tokens of {self.model} and {other.model} cannot be added.")
        return replace(
            self,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )

    @property
    def tokens(self) -> int:
        """All tokens, read and written."""
        return self.input_tokens + self.output_tokens


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
    subagent_id: str | None = None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The turn begins; nothing but a :class:`TurnError` may be reported before."""

    turn_id: str


# -- what is said and done --------------------------------------------------------------------------------


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
class ActivityShown:
    """Something that is neither text nor a call is to be seen, whole; again with the same id it replaces."""

    id: str
    kind: str
    content: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ActivityPatched:
    """A shown activity changes by a JSON Patch."""

    id: str
    kind: str
    patch: Sequence[Mapping[str, JsonValue]]


Content: TypeAlias = (
    TextDelta
    | ThinkingDelta
    | MessageCompleted
    | ToolcallDelta
    | ToolcallCompleted
    | ToolStarted
    | ToolCompleted
    | ToolBlocked
    | StageStarted
    | StageFinished
    | ActivityShown
    | ActivityPatched
)
"""What a subagent can report like the agent itself."""


# -- subagents --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SubagentStarted:
    """A part of the work is handed to another agent; the id stands for this one invocation."""

    id: str
    name: str
    description: str = ""
    parent_id: str | None = None
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class SubagentReported:
    """A subagent reports something of its own."""

    id: str
    event: Content


@dataclass(frozen=True, slots=True)
class SubagentFinished:
    """A subagent is done."""

    id: str
    result: JsonValue = None


@dataclass(frozen=True, slots=True)
class SubagentSuspended:
    """A subagent waits for these questions; a later turn starts it again by the same id."""

    id: str
    questions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubagentFailed:
    """A subagent gave up; the turn goes on."""

    id: str
    message: str
    code: str


SubagentEvent: TypeAlias = (
    SubagentStarted | SubagentReported | SubagentFinished | SubagentSuspended | SubagentFailed
)


# -- what everybody may see of the agent ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The agent works, waits or rests now, or with another model; None leaves a field as it is."""

    status: str | None = None
    model: str | None = None


@dataclass(frozen=True, slots=True)
class ModeChanged:
    """The agent works in another mode from now on."""

    mode: str


@dataclass(frozen=True, slots=True)
class PlanUpdated:
    """The plan is now this, whole."""

    plan: Sequence[JsonValue]


@dataclass(frozen=True, slots=True)
class UsageUpdated:
    """Tokens were spent."""

    usage: Usage


@dataclass(frozen=True, slots=True)
class AppStateChanged:
    """The application's own state is now this document, whole."""

    app: JsonValue


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """A call waits for a person while the turn goes on."""

    id: str
    tool: str
    detail: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class UiResolved:
    """A person decided what was asked while the turn went on."""

    id: str
    decision: str


StateEvent: TypeAlias = (
    StateChanged | ModeChanged | PlanUpdated | UsageUpdated | AppStateChanged | PermissionRequest | UiResolved
)


# -- what only those who watch need to know ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class UiRequest:
    """The page is asked to show something."""

    id: str
    detail: Mapping[str, JsonValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Notice:
    """A remark beside the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Signal:
    """Anything else, under a name that its reader knows."""

    name: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class StreamReset:
    """The model started its stream again: what it says next belongs to a new message."""


@dataclass(frozen=True, slots=True)
class CompactionCompleted:
    """The conversation was shortened for the model."""


# -- how it ends ------------------------------------------------------------------------------------------


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
    | Content
    | SubagentEvent
    | StateEvent
    | UiRequest
    | Notice
    | Signal
    | StreamReset
    | CompactionCompleted
    | TurnEnd
)
