"""What changed: the updates of an exchange, the ways a run ends, and the changes of drawn rows.

An ``Update`` is one thing that moved, in the order the agent made it move; arrival order is the only
nesting. A ``RowChange`` says the same to whoever draws the transcript, row by row. ``RunEnd`` is
closed: a run ends in one of four ways.
"""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias, assert_never

from pydantic import JsonValue

from chat_app.agui.errors import AguiError
from chat_app.agui.events import Interrupt, RunErrorEvent, RunFinishedEvent

CLIENT_ERROR = "CLIENT_ERROR"
"""The code of a run that failed on this side: a broken rule, a bad frame, a lost connection."""

CANCELLED = "CANCELLED"
"""The code of a run that was stopped from this side."""


# ------------------------------------------------------------------ how a run stands


@dataclass(frozen=True, slots=True)
class Idle:
    """No run has started on this thread."""


@dataclass(frozen=True, slots=True)
class Running:
    """A run is under way; its id is empty until the agent has named it."""

    run_id: str


@dataclass(frozen=True, slots=True)
class Success:
    """The run did what it was asked; ``pending`` names the calls the agent waits for, if it said so."""

    run_id: str
    result: JsonValue = None
    pending: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The run stopped to ask; it goes on when every question has an answer."""

    run_id: str
    interrupts: tuple[Interrupt, ...]


@dataclass(frozen=True, slots=True)
class Cancelled:
    """The agent stopped the run on purpose: neither a success nor a failure."""

    run_id: str


@dataclass(frozen=True, slots=True)
class Failed:
    """The run failed: by the agent's word, or on this side (``CLIENT_ERROR``, ``CANCELLED``).

    ``error`` is the exception behind a local failure. It is no part of equality: a log folded again
    gives the same end without it.
    """

    run_id: str
    message: str
    code: str | None = None
    error: AguiError | None = field(default=None, compare=False)


RunEnd: TypeAlias = Success | Interrupted | Cancelled | Failed
RunState: TypeAlias = Idle | Running | RunEnd


def run_end(event: RunFinishedEvent | RunErrorEvent, run_id: str) -> RunEnd:
    """Return how the run ``run_id`` ended by the word of its terminal event.

    The id is the one the run started with: agents name another at its end.
    """
    if isinstance(event, RunErrorEvent):
        return Failed(run_id, event.message, event.code)
    outcome = event.outcome
    if outcome is None:
        return Success(run_id, event.result)
    match outcome.type:
        case "success":
            return Success(run_id, event.result, tuple(outcome.pending_tool_call_ids or ()))
        case "interrupt":
            return Interrupted(run_id, tuple(outcome.interrupts))
        case "cancelled":
            return Cancelled(run_id)
        case _:
            assert_never(outcome.type)


# ------------------------------------------------------------------ updates


@dataclass(frozen=True, slots=True)
class MessageStarted:
    """A message opened, or a closed one opened again."""

    message_id: str
    role: str


@dataclass(frozen=True, slots=True)
class TextAdded:
    """A message's text grew at its end."""

    message_id: str
    delta: str


@dataclass(frozen=True, slots=True)
class MessageEnded:
    """A message's text is complete."""

    message_id: str


@dataclass(frozen=True, slots=True)
class CallStarted:
    """The agent began to call a tool; ``message_id`` is the assistant message that holds the call."""

    message_id: str
    call_id: str
    name: str


@dataclass(frozen=True, slots=True)
class ArgumentsAdded:
    """A call's argument text grew at its end."""

    message_id: str
    call_id: str
    delta: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    """A call's arguments are complete; only now may they be acted on."""

    message_id: str
    call_id: str


@dataclass(frozen=True, slots=True)
class ResultArrived:
    """A call was answered; ``message_id`` is the tool message that holds the answer."""

    message_id: str
    call_id: str


@dataclass(frozen=True, slots=True)
class ActivityChanged:
    """An activity appeared or changed."""

    message_id: str


@dataclass(frozen=True, slots=True)
class EncryptedValueStored:
    """An opaque value of the agent's provider was stored on a message or a call."""

    message_id: str
    call_id: str | None = None


@dataclass(frozen=True, slots=True)
class MessagesReplaced:
    """The agent declared the list of messages; the ids are the history's after the merge."""

    message_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The shared state has a new value. It is never edited afterwards, so it may be kept."""

    value: JsonValue


@dataclass(frozen=True, slots=True)
class ReasoningStarted:
    """A thought opened."""

    message_id: str


@dataclass(frozen=True, slots=True)
class ReasoningAdded:
    """A thought grew at its end."""

    message_id: str
    delta: str


@dataclass(frozen=True, slots=True)
class ReasoningEnded:
    """A thought is complete."""

    message_id: str


@dataclass(frozen=True, slots=True)
class InterruptRaised:
    """The run stopped on this question; one update per question."""

    interrupt: Interrupt


class SubagentStatus(StrEnum):
    """How one invocation of a subagent stands."""

    RUNNING = "running"
    FINISHED = "finished"
    SUSPENDED = "suspended"
    FAILED = "failed"
    ABORTED = "aborted"


@dataclass(frozen=True, slots=True)
class SubagentChanged:
    """An invocation of a subagent has a new status; ``resumed`` when it was suspended before."""

    subagent_run_id: str
    status: SubagentStatus
    resumed: bool = False


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something went wrong. It is not an end: a run may succeed after it."""

    error: AguiError


@dataclass(frozen=True, slots=True)
class RunEnded:
    """One run of the exchange is over."""

    end: RunEnd


@dataclass(frozen=True, slots=True)
class Done:
    """The exchange is over: the last update of it, exactly once."""

    end: RunEnd


Update: TypeAlias = (
    MessageStarted
    | TextAdded
    | MessageEnded
    | CallStarted
    | ArgumentsAdded
    | CallEnded
    | ResultArrived
    | ActivityChanged
    | EncryptedValueStored
    | MessagesReplaced
    | StateChanged
    | ReasoningStarted
    | ReasoningAdded
    | ReasoningEnded
    | InterruptRaised
    | SubagentChanged
    | Trouble
    | RunEnded
    | Done
)


# ------------------------------------------------------------------ diagnostics


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A warning for whoever looks after the agent; never an end, never shown as an answer.

    ``code`` is a stable word to count by, ``path`` a JSON Pointer into the event when the warning is
    about one place of it. ``error`` is set when a broken rule was reported instead of failing the run.
    """

    code: str
    message: str
    event_type: str = ""
    path: str = ""
    error: AguiError | None = None


# ------------------------------------------------------------------ rows


@dataclass(frozen=True, slots=True)
class Appended:
    """Text grew at the end of part ``part`` of row ``key``, and nothing else changed."""

    key: str
    part: str
    delta: str


@dataclass(frozen=True, slots=True)
class Touched:
    """The row was created, or changed in some other way."""

    key: str


@dataclass(frozen=True, slots=True)
class Removed:
    """The row is gone."""

    key: str


RowChange: TypeAlias = Appended | Touched | Removed
