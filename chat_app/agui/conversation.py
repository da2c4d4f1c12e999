"""Everything known of a thread on this side, folded from its log.

A live session and a restored one fold the same entries through the same door, so both end up with the
same history, transcript, open questions and owed answers.

A tool's answer is drawn at once but joins the history with the next request: until then the agent does
not know it, and a snapshot that leaves it out must not lose it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import RunFinishedInterruptOutcome
from pydantic import JsonValue

from chat_app.agui.calls import CallLedger
from chat_app.agui.events import (
    Event,
    Interrupt,
    LocalMessage,
    LogEntry,
    Message,
    ResumeEntry,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    ToolCallResultEvent,
    ToolMessage,
)
from chat_app.agui.history import Applier
from chat_app.agui.predict import StatePredictor
from chat_app.agui.transcript import TranscriptReducer
from chat_app.agui.updates import Diagnostic, Idle, ResultArrived, RowChange, RunEnd, Running, Update

_ENDS = frozenset({RunFinishedEvent, RunErrorEvent})


@dataclass(frozen=True, slots=True)
class Folded:
    """What one entry changed: on screen, and in the conversation."""

    rows: tuple[RowChange, ...]
    updates: tuple[Update, ...]


class Conversation:
    """The folds of one thread, and what is still open between the two sides.

    ``pending`` are the questions without an accepted answer, ``owed`` the answers that were sent but not
    known to have arrived, ``unsent`` the tool answers no request has carried yet.
    """

    def __init__(
        self,
        messages: Iterable[Message] = (),
        state: JsonValue = None,
        *,
        waits: Callable[[str], bool],
        report: Callable[[Diagnostic], None],
    ) -> None:
        seeds = tuple(messages)
        self.applier = Applier(seeds, state, report=report)
        self.reducer = TranscriptReducer(seeds)
        self.ledger = CallLedger(waits)
        self.predictor = StatePredictor()
        self.pending: tuple[Interrupt, ...] = ()
        self.owed: tuple[ResumeEntry, ...] = ()
        self.unsent: dict[str, ToolMessage] = {}
        self.end: RunEnd | None = None
        self._before: dict[type[Event], Callable[[Any], object]] = {
            RunStartedEvent: lambda _: self.send_answers(),
            RunFinishedEvent: self._settle,
            ToolCallResultEvent: lambda event: self.unsent.pop(event.tool_call_id, None),
        }

    # ------------------------------------------------------------ folding

    def fold(self, entry: LogEntry) -> Folded:
        """Fold one entry of the log."""
        if isinstance(entry, LocalMessage):
            return self._fold_local(entry)
        prepare = self._before.get(type(entry))
        if prepare is not None:
            prepare(entry)
        return self._observe(entry)

    def _fold_local(self, entry: LocalMessage) -> Folded:
        if isinstance(entry.message, ToolMessage):
            return self._keep(entry.message)
        self.send_answers()
        return Folded(self.reducer.apply(entry), self.applier.apply(entry))

    def add_sent(self, answer: ToolMessage) -> Folded:
        """Add an answer that a request has carried already."""
        self.ledger.answered(answer.tool_call_id)
        entry = LocalMessage(answer)
        return Folded(self.reducer.apply(entry), self.applier.apply(entry))

    def send_answers(self) -> None:
        """Put the answers that wait into the history, each next to its call."""
        for answer in self.unsent.values():
            self.applier.apply(LocalMessage(answer))
        self.unsent = {}

    def _keep(self, answer: ToolMessage) -> Folded:
        self.unsent[answer.tool_call_id] = answer
        self.ledger.answered(answer.tool_call_id)
        rows = self.reducer.apply(LocalMessage(answer))
        return Folded(rows, (ResultArrived(answer.id, answer.tool_call_id),))

    def _observe(self, event: Event) -> Folded:
        self.ledger.observe(event)
        self.predictor.observe(event)
        updates = self.applier.apply(event)
        rows = self.reducer.apply(event)
        if type(event) in _ENDS:
            self._note_end()
        return Folded(rows, updates)

    def _note_end(self) -> None:
        run = self.reducer.run
        assert not isinstance(run, Idle | Running), "a terminal event was just folded"
        self.end = run

    def _settle(self, event: RunFinishedEvent) -> None:
        """A run that finished took the answers it was sent; its own questions replace the old ones."""
        outcome = event.outcome
        self.pending = tuple(outcome.interrupts) if isinstance(outcome, RunFinishedInterruptOutcome) else ()
        self.owed = ()

    def reopen(self, pending: Sequence[Interrupt], owed: Sequence[ResumeEntry]) -> None:
        """Take over what an application knows of the open questions."""
        self.pending, self.owed = tuple(pending), tuple(owed)
        self.ledger.bind(self.pending)

    # ------------------------------------------------------------ reading

    def is_answered(self, call_id: str) -> bool:
        """Tell whether a call has an answer, sent or not."""
        call = self.applier.call(call_id)
        return call_id in self.unsent or (call is not None and call.answered)
