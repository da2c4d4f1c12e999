"""What a turn has come to so far: spent, said, and whether it goes in circles."""

from collections import deque
from typing import Final

from chat_app.agent.budget import Meter
from chat_app.agent.models.interface import StepDone
from chat_app.agent.outcome import Outcome, Status, TurnResult, WaitingCall
from chat_app.agent.servers import Observation
from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn_events import Usage

CIRCLES: Final = 5
"""Batches of the same calls with the same answers in a row, after which a turn is held to go in circles."""


class Tally:
    """The running account of one turn.

    Args:
        model: The model the turn keeps until its end (A27).
        meter: What it has taken of its budget.
    """

    def __init__(self, model: str, meter: Meter) -> None:
        self.model = model
        self.meter = meter
        self._usage: Usage | None = None
        self._refused = False
        self._last_text = ""
        self._scheduled: list[str] = []
        self._subscriptions: list[str] = []
        self._batch: list[tuple[str, str, str]] = []
        self._batches: deque[tuple[tuple[str, str, str], ...]] = deque(maxlen=CIRCLES)

    @property
    def usage(self) -> Usage:
        """What the turn's model calls spent, and nothing from before (A39)."""
        return self._usage or Usage("", self.model)

    @property
    def refused(self) -> bool:
        """True when the provider withheld the last answer."""
        return self._refused

    @property
    def goes_in_circles(self) -> bool:
        """True when the last batches were all the same calls with the same answers."""
        return len(self._batches) == CIRCLES and len(set(self._batches)) == 1

    def count(self, text: str, done: StepDone) -> None:
        """Count a model call that ended."""
        self._usage = done.usage if self._usage is None else self._usage + done.usage
        self.meter.count(done.usage.tokens)
        self._refused = done.refused
        self._last_text = text or self._last_text

    def observe(self, call: ToolCall, observation: Observation) -> None:
        """Note what a call of the batch gave."""
        self.meter.charge(observation.tokens)
        self._scheduled += observation.scheduled
        self._subscriptions += observation.subscriptions
        self._batch.append((call.name, call.arguments, observation.text))

    def close_batch(self) -> None:
        """Note that the calls of a step are through."""
        self._batches.append(tuple(self._batch))
        self._batch = []

    def ended(self) -> TurnResult:
        """End a turn whose model calls nothing more: an answer, a refusal, or nothing at all."""
        if self._refused:
            return self._result(Status.REFUSED)
        return self._result(Status.COMPLETED if self._last_text else Status.STALLED)

    def cut(self, status: Status) -> TurnResult:
        """End a turn that may not go on; the last text there was is its result (A33)."""
        return self._result(status, partial=bool(self._last_text))

    def suspended(self, waiting: list[WaitingCall]) -> TurnResult:
        """End a turn whose calls wait for somebody else."""
        return self._result(Status.SUSPENDED, waiting=tuple(waiting))

    def _result(
        self, status: Status, *, partial: bool = False, waiting: tuple[WaitingCall, ...] = ()
    ) -> TurnResult:
        outcome = Outcome(
            status=status,
            partial=partial,
            result=self._last_text,
            scheduled=tuple(self._scheduled),
            subscriptions=tuple(self._subscriptions),
            waiting=waiting,
        )
        return TurnResult(outcome, self.usage)
