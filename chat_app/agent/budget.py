"""Bounds of one turn: a deadline, model calls, tokens. Every turn gets all of it anew (C16)."""

from collections.abc import Callable
from dataclasses import dataclass

from chat_app.agent.outcome import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """How much a turn may take.

    Attributes:
        max_steps: Model calls.
        max_tokens: Tokens read and written. What one call spends is known after it, so the last may overdraw.
        seconds: From the start of the turn; None for no deadline.
    """

    max_steps: int
    max_tokens: int
    seconds: float | None = None

    def open(self, clock: Callable[[], float]) -> "Meter":
        """Start a turn's meter. ``clock`` gives seconds that never run backwards."""
        return Meter(self, clock)

    def narrowed(self, other: "Budget") -> "Budget":
        """Give the tighter of two budgets, bound by bound."""
        limits = [seconds for seconds in (self.seconds, other.seconds) if seconds is not None]
        return Budget(
            max_steps=min(self.max_steps, other.max_steps),
            max_tokens=min(self.max_tokens, other.max_tokens),
            seconds=min(limits, default=None),
        )


class Meter:
    """What a turn has taken of its budget."""

    def __init__(self, budget: Budget, clock: Callable[[], float]) -> None:
        self._budget = budget
        self._clock = clock
        self._began = clock()
        self._steps = 0
        self._tokens = 0

    def count(self, tokens: int) -> None:
        """Count one model call and what it spent."""
        self._steps += 1
        self._tokens += tokens

    def charge(self, tokens: int) -> None:
        """Count tokens that were spent inside a call, by a nested loop."""
        self._tokens += tokens

    def remaining(self) -> Budget:
        """Give what is left, none of it below zero: the most a nested loop may take."""
        budget = self._budget
        left = self._seconds_left()
        return Budget(
            max_steps=max(0, budget.max_steps - self._steps),
            max_tokens=max(0, budget.max_tokens - self._tokens),
            seconds=None if left is None else max(0.0, left),
        )

    def exceeded(self) -> Status | None:
        """Name the bound that forbids another model call: the deadline first, then steps, then tokens (A32)."""
        left = self._seconds_left()
        if left is not None and left <= 0:
            return Status.DEADLINE
        if self._steps >= self._budget.max_steps:
            return Status.EXHAUSTED_STEPS
        if self._tokens >= self._budget.max_tokens:
            return Status.EXHAUSTED_TOKENS
        return None

    def _seconds_left(self) -> float | None:
        if self._budget.seconds is None:
            return None
        return self._began + self._budget.seconds - self._clock()
