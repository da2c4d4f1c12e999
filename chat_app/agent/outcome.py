"""How a turn of the loop ended, and the one way it can fail to end."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn_events import Usage


class Status(StrEnum):
    """How a turn ended."""

    COMPLETED = "completed"
    CANCELLED = "cancelled"
    EXHAUSTED_STEPS = "exhausted_steps"
    EXHAUSTED_TOKENS = "exhausted_tokens"
    DEADLINE = "deadline"
    REFUSED = "refused"
    STALLED = "stalled"
    LOOP_DETECTED = "loop_detected"
    SUSPENDED = "suspended"
    """Calls wait for somebody else: a person's decision, or a client that runs them."""


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """A call that ended a turn because its answer comes from outside.

    Attributes:
        decision: True when a person decides whether it may run here; False when somebody else runs it.
    """

    call: ToolCall
    decision: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of a turn (A38).

    Attributes:
        partial: True when the turn was cut short after the model had said something.
        result: The answer, or on a cut the last text there was; empty when there was none.
        scheduled: What the loop's own tools put off to later, in their words.
        subscriptions: What the loop's own tools want to be told about.
        waiting: The calls of a suspended turn, in order.
    """

    status: Status
    partial: bool = False
    result: str = ""
    scheduled: tuple[str, ...] = ()
    subscriptions: tuple[str, ...] = ()
    waiting: tuple[WaitingCall, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnResult:
    """An outcome and what this turn alone spent (A39)."""

    outcome: Outcome
    usage: Usage


class LoopAbort(Exception):  # noqa: N818 - it is named for what happened
    """The turn cannot be worked: the model failed (``intel``) or a tool server cannot say what it offers (``mcp``).

    Attributes:
        kind: Whose fault it is; a tool's own trouble is an observation and never an abort.
        code: For programs.
        usage: What the turn had spent by then.
        retry_after: Seconds the model asks to wait; None when it said nothing.
    """

    def __init__(
        self,
        kind: Literal["intel", "mcp"],
        message: str,
        *,
        code: str,
        usage: Usage | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.code = code
        self.usage = usage
        self.retry_after = retry_after
