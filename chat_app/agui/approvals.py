"""The approvals stage: questions that today's frameworks ask outside the standard become interrupts.

It watches a run and, when the run ends like a success on a question in disguise, rewrites the end into
the interrupt outcome it stands for. Everything behind this stage, logs included, knows one way to ask.
Where a run ends with interrupts of its own, those count and nothing is added.
"""

from collections.abc import Callable
from typing import Any

from ag_ui.core import RunFinishedInterruptOutcome, RunFinishedSuccessOutcome

from chat_app.agui.adapters import FINDERS, RunRecord, SeenCall
from chat_app.agui.enforcement import Report
from chat_app.agui.events import (
    CustomEvent,
    Event,
    Interrupt,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from chat_app.agui.updates import Diagnostic

_ASKING_CUSTOMS = frozenset({"on_interrupt"})
_ASKING_CALLS = frozenset({"adk_request_confirmation", "confirm_changes"})
_SAID_CHARS = 80
"""How much of a message is kept: enough for the sentence that announces a pause."""


class Approvals:
    """Watches the runs of one stream."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._watchers: dict[type[Event], Callable[[Any], object]] = {
            TextMessageContentEvent: self._listen,
            ToolCallArgsEvent: self._read,
            TextMessageStartEvent: lambda event: self._said.setdefault(event.message_id, ""),
            ToolCallStartEvent: self._open,
            ToolCallEndEvent: lambda event: self._ended.add(event.tool_call_id),
            ToolCallResultEvent: lambda event: self._calls.pop(event.tool_call_id, None),
            CustomEvent: self._hear,
            RunStartedEvent: lambda event: self._start_over(event.run_id),
        }
        self._start_over("")

    def admit(self, event: Event) -> Event:
        """Return the event, or the end of a run with the questions it stands for."""
        watcher = self._watchers.get(type(event))
        if watcher is not None:
            watcher(event)
        return self._judged(event) if isinstance(event, RunFinishedEvent) else event

    def _start_over(self, run_id: str) -> None:
        self._run_id = run_id
        self._said: dict[str, str] = {}
        self._calls: dict[str, SeenCall] = {}
        self._arguments: dict[str, list[str]] = {}
        self._ended: set[str] = set()
        self._customs: list[CustomEvent] = []

    def _hear(self, event: CustomEvent) -> None:
        if event.name in _ASKING_CUSTOMS:
            self._customs.append(event)

    def _listen(self, event: TextMessageContentEvent) -> None:
        said = self._said.get(event.message_id)
        if said is not None and len(said) < _SAID_CHARS:
            self._said[event.message_id] = (said + event.delta)[:_SAID_CHARS]

    def _open(self, event: ToolCallStartEvent) -> None:
        said = self._said.get(event.parent_message_id or "", "")
        self._calls[event.tool_call_id] = SeenCall(event.tool_call_id, event.tool_call_name, said=said)
        if event.tool_call_name in _ASKING_CALLS:
            self._arguments[event.tool_call_id] = []

    def _read(self, event: ToolCallArgsEvent) -> None:
        pieces = self._arguments.get(event.tool_call_id)
        if pieces is not None:
            pieces.append(event.delta)

    def _judged(self, event: RunFinishedEvent) -> Event:
        if not isinstance(event.outcome, RunFinishedSuccessOutcome | None):
            return event
        questions = self._questions()
        if not questions:
            return event
        words = f"The run ended on {len(questions)} question(s) asked outside the protocol's outcome"
        self._report(Diagnostic("legacy-approval", words, "RUN_FINISHED", "/outcome"))
        return event.model_copy(update={"outcome": RunFinishedInterruptOutcome(interrupts=questions)})

    def _questions(self) -> list[Interrupt]:
        for call_id, pieces in self._arguments.items():
            if call_id in self._calls:
                self._calls[call_id].arguments = "".join(pieces)
        open_calls = [call for call in self._calls.values() if call.call_id in self._ended]
        record = RunRecord(self._run_id, self._customs, open_calls)
        found = {question.id: question for find in FINDERS for question in find(record)}
        return list(found.values())
