"""What changed: the updates of an exchange, the ways a run ends, and the changes of drawn rows.

An ``Update`` is one thing that moved, in the order the agent made it move; arrival order is the only
nesting. A ``RowChange`` says the same to whoever draws the transcript, row by row. ``RunEnd`` is
closed: a run ends in one of four ways.

A run that thinks, calls a tool, shows progress and changes the state:

>>> import asyncio
>>> from chat_app.agui import ReplayTransport, Session
>>> def event(kind, /, **fields):
...     return {"type": kind, **fields}
>>> run = {"threadId": "t", "runId": "t-run-1"}
>>> script = [
...     event("RUN_STARTED", **run),
...     event("REASONING_MESSAGE_START", messageId="r", role="reasoning"),
...     event("REASONING_MESSAGE_CONTENT", messageId="r", delta="hm"),
...     event("REASONING_MESSAGE_END", messageId="r"),
...     event("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="r", encryptedValue="…"),
...     event("TOOL_CALL_START", toolCallId="c", toolCallName="find", parentMessageId="a"),
...     event("TOOL_CALL_ARGS", toolCallId="c", delta="{}"),
...     event("TOOL_CALL_END", toolCallId="c"),
...     event("TOOL_CALL_RESULT", toolCallId="c", messageId="t1", content="12"),
...     event("ACTIVITY_SNAPSHOT", messageId="p", activityType="progress", content={"done": 1}),
...     event("STATE_SNAPSHOT", snapshot={"found": 12}),
...     event("SUBAGENT_STARTED", subagentRunId="s", name="checker"),
...     event("SUBAGENT_FINISHED", subagentRunId="s"),
...     event("MESSAGES_SNAPSHOT", messages=[{"id": "a2", "role": "assistant", "content": "12"}]),
...     event("RUN_FINISHED", **run, outcome={"type": "interrupt", "interrupts": [{"id": "q", "reason": "x"}]}),
... ]
>>> async def follow(exchange):
...     async with exchange as updates:
...         return [update async for update in updates]
>>> told: list[Update] = asyncio.run(follow(Session(ReplayTransport(script), "t").run()))
>>> told[:3]
[ReasoningStarted(message_id='r'), ReasoningAdded(message_id='r', delta='hm'), ReasoningEnded(message_id='r')]
>>> told[3]
EncryptedValueStored(message_id='r', call_id=None)
>>> calls = (CallStarted, ArgumentsAdded, CallEnded, ResultArrived)
>>> [type(update).__name__ for update in told if isinstance(update, calls)]
['CallStarted', 'ArgumentsAdded', 'CallEnded', 'ResultArrived']
>>> [update for update in told if isinstance(update, ActivityChanged | StateChanged)]
[ActivityChanged(message_id='p'), StateChanged(value={'found': 12})]
>>> [update.status.value for update in told if isinstance(update, SubagentChanged)]
['running', 'finished']
>>> [type(update).__name__ for update in told[-4:]]
['MessagesReplaced', 'InterruptRaised', 'RunEnded', 'Done']

A run that says something and is cut, and what a page makes of its end:

>>> cut = [
...     event("RUN_STARTED", **run),
...     event("TEXT_MESSAGE_START", messageId="a", role="assistant"),
...     event("TEXT_MESSAGE_END", messageId="a"),
... ]
>>> told = asyncio.run(follow(Session(ReplayTransport(cut), "t").run()))
>>> told[:2]
[MessageStarted(message_id='a', role='assistant'), MessageEnded(message_id='a')]
>>> [type(update.error).__name__ for update in told if isinstance(update, Trouble)]
['Truncated']
>>> def words(state: RunState) -> str:
...     match state:
...         case Idle():
...             return ""
...         case Running():
...             return "working"
...         case Success():
...             return "done"
...         case Interrupted(interrupts=asked):
...             return f"{len(asked)} to answer"
...         case Cancelled() | Failed(code="CANCELLED"):
...             return "stopped"
...         case Failed(message=message):
...             return message
>>> end: RunEnd = told[-1].end
>>> words(end), end.code == CLIENT_ERROR, words(Failed("r", "Run cancelled", CANCELLED))
('The stream ended before the run did.', True, 'stopped')
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
    """How one invocation of a subagent stands.

    >>> SubagentStatus("suspended")  # it asked a person, and goes on with the answer
    <SubagentStatus.SUSPENDED: 'suspended'>
    """

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

    >>> str(Diagnostic("unknown-event", "FANCY is not drawn", "FANCY").error)
    'None'
    """

    code: str
    message: str
    event_type: str = ""
    path: str = ""
    error: AguiError | None = None


# ------------------------------------------------------------------ rows


@dataclass(frozen=True, slots=True)
class Appended:
    """Text grew at the end of part ``part`` of row ``key``, and nothing else changed.

    >>> def drawn(change: RowChange) -> str:
    ...     match change:
    ...         case Appended(key=key, delta=delta):
    ...             return f"{key} + {delta}"
    ...         case Touched(key=key):
    ...             return f"redraw {key}"
    ...         case Removed(key=key):
    ...             return f"drop {key}"
    >>> [drawn(change) for change in (Touched("m"), Appended("m", "m", "Hi"), Removed("m"))]
    ['redraw m', 'm + Hi', 'drop m']
    """

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
