"""The applier: folds the log of a thread into its history and its state.

History and state are what the next request carries. The fold is tolerant: what names nothing is
ignored with a diagnostic, and nothing raises. Each event type has one handler, in the module of its
family; an event costs the same however long the thread is.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from pydantic import JsonValue

from chat_app.agui.errors import PatchFailed
from chat_app.agui.events import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    CustomEvent,
    Event,
    Interrupt,
    LocalMessage,
    LogEntry,
    Message,
    MessagesSnapshotEvent,
    RawEvent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessage,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
)
from chat_app.agui.history.activities import patch_activity, set_activity
from chat_app.agui.history.calls import (
    add_arguments,
    add_result,
    end_call,
    start_call,
    store_encrypted_value,
)
from chat_app.agui.history.entries import Entry, entry_of
from chat_app.agui.history.history import History
from chat_app.agui.history.outgoing import HistoryCall, outgoing, read_call
from chat_app.agui.history.snapshot import append_echo, merge_snapshot
from chat_app.agui.history.text import (
    Updates,
    add_reasoning,
    add_text,
    end_reasoning,
    end_text,
    start_reasoning,
    start_text,
)
from chat_app.agui.patch import apply_patch
from chat_app.agui.subagents import SubagentRegistry
from chat_app.agui.updates import Diagnostic, InterruptRaised, ResultArrived, StateChanged, Trouble
from chat_app.agui.usage import UsageLedger

Handler: TypeAlias = Callable[[History, Any], Updates]

HANDLERS: dict[type[Event], Handler] = {
    TextMessageStartEvent: start_text,
    TextMessageContentEvent: add_text,
    TextMessageEndEvent: end_text,
    ReasoningMessageStartEvent: start_reasoning,
    ReasoningMessageContentEvent: add_reasoning,
    ReasoningMessageEndEvent: end_reasoning,
    ReasoningEncryptedValueEvent: store_encrypted_value,
    ToolCallStartEvent: start_call,
    ToolCallArgsEvent: add_arguments,
    ToolCallEndEvent: end_call,
    ToolCallResultEvent: add_result,
    ActivitySnapshotEvent: set_activity,
    ActivityDeltaEvent: patch_activity,
    MessagesSnapshotEvent: merge_snapshot,
}
"""The events that edit messages. Those that do not are in the applier itself, or in `IGNORED`."""

IGNORED: frozenset[type[Event]] = frozenset(
    {StepStartedEvent, StepFinishedEvent, ReasoningStartEvent, ReasoningEndEvent, RawEvent, CustomEvent}
)
"""The events that change neither history nor state."""


class Applier:
    """The history and the state of one thread, for the thread's whole life.

    >>> from chat_app.agui.events import RunStartedEvent, TextMessageContentEvent, TextMessageStartEvent
    >>> applier = Applier()
    >>> for event in (
    ...     RunStartedEvent(thread_id="t", run_id="r"),
    ...     TextMessageStartEvent(message_id="m", role="assistant"),
    ...     TextMessageContentEvent(message_id="m", delta="Hello"),
    ... ):
    ...     _ = applier.apply(event)
    >>> applier.messages[0].content
    'Hello'
    """

    def __init__(
        self,
        messages: Iterable[Message] = (),
        state: JsonValue = None,
        *,
        report: Callable[[Diagnostic], None] = lambda _: None,
    ) -> None:
        self.subagents = SubagentRegistry()
        self.usage = UsageLedger()
        self.state: JsonValue = {} if state is None else state
        self.state_seen = False
        self.interrupts: tuple[Interrupt, ...] = ()
        self._pending: tuple[str, ...] = ()
        self._history = History(report)
        for message in messages:
            self._history.append(entry_of(message))
        self._handlers: dict[type[Event], Callable[[Any], Updates]] = {
            RunStartedEvent: self._start_run,
            RunFinishedEvent: self._finish_run,
            RunErrorEvent: self._fail_run,
            StateSnapshotEvent: self._set_state,
            StateDeltaEvent: self._patch_state,
            SubagentStartedEvent: self.subagents.apply,
            SubagentFinishedEvent: self.subagents.apply,
            SubagentErrorEvent: self.subagents.apply,
        }

    # ------------------------------------------------------------ folding

    def apply(self, entry: LogEntry) -> Updates:
        """Fold one entry and return what changed, in order.

        How a run ended is not among it: that is the session's verdict.
        """
        handler = HANDLERS.get(type(entry))  # type: ignore[arg-type] # a local message has no handler
        if handler is not None:
            return handler(self._history, entry)
        if isinstance(entry, LocalMessage):
            return self._append(entry.message)
        own = self._handlers.get(type(entry))
        return () if own is None else own(entry)

    def _append(self, message: Message) -> Updates:
        entry = entry_of(message, run=self._history.run)
        if not isinstance(message, ToolMessage):
            self._history.append(entry)
            return ()
        self._history.insert_answer(entry)
        return (ResultArrived(message.id, message.tool_call_id),)

    def _start_run(self, event: RunStartedEvent) -> Updates:
        self._history.start_run(event.run_id)
        self.interrupts, self._pending = (), ()
        self.usage.apply(event)
        append_echo(self._history, event)
        return ()

    def _finish_run(self, event: RunFinishedEvent) -> Updates:
        self.usage.apply(event)
        outcome = event.outcome
        if outcome is not None and outcome.type == "interrupt":
            self.interrupts = tuple(outcome.interrupts)
        elif outcome is not None and outcome.type == "success":
            self._pending = tuple(outcome.pending_tool_call_ids or ())
        raised = (InterruptRaised(interrupt) for interrupt in self.interrupts)
        return (*self.subagents.apply(event), *raised)

    def _fail_run(self, event: RunErrorEvent) -> Updates:
        self.usage.apply(event)
        return self.subagents.apply(event)

    def _set_state(self, event: StateSnapshotEvent) -> Updates:
        self.state, self.state_seen = event.snapshot, True
        return (StateChanged(self.state),)

    def _patch_state(self, event: StateDeltaEvent) -> Updates:
        try:
            self.state = apply_patch(self.state, event.delta)
        except PatchFailed as error:
            self._history.warn("patch-failed", error.message, "STATE_DELTA")
            return (Trouble(error),)
        self.state_seen = True
        return (StateChanged(self.state),)

    # ------------------------------------------------------------ reading

    @property
    def messages(self) -> tuple[Message, ...]:
        """The history, oldest first."""
        return tuple(entry.message() for entry in self._history)

    @property
    def reasoning(self) -> tuple[ReasoningMessage, ...]:
        """The thoughts of the history, oldest first."""
        thoughts = (entry.message() for entry in self._history if entry.role == "reasoning")
        return tuple(message for message in thoughts if isinstance(message, ReasoningMessage))

    def message(self, message_id: str) -> Message | None:
        """Return the newest message of this id."""
        entry = self._history.find(message_id)
        return None if entry is None else entry.message()

    def call(self, call_id: str) -> HistoryCall | None:
        """Return a tool call as it stands."""
        call = self._history.call(call_id)
        return None if call is None else read_call(call)

    @property
    def unanswered(self) -> tuple[HistoryCall, ...]:
        """The calls whose arguments are complete and that no tool message answers, oldest first."""
        return tuple(read_call(call) for call in self._history.calls() if call.ended and not call.answered)

    @property
    def pending_calls(self) -> tuple[str, ...]:
        """The calls of the last run that wait for an answer from this side, in call order.

        The agent's own list, or, where it gave none, the calls the run started and did not answer,
        without those its questions are about.
        """
        if self._pending:
            return self._pending
        asked_about = {interrupt.tool_call_id for interrupt in self.interrupts}
        calls = (self._history.call(call_id) for call_id in self._history.run_calls)
        return tuple(
            call.call_id for call in calls if call and not call.answered and call.call_id not in asked_about
        )

    @property
    def ids(self) -> frozenset[str]:
        """Every message id and call id in the history: what a new id must not repeat."""
        entries: list[Entry] = list(self._history)
        calls = (call.call_id for call in self._history.calls())
        return frozenset(entry.message_id for entry in entries).union(calls)

    def outgoing(self) -> tuple[Message, ...]:
        """Return the history as a request carries it; see `outgoing`."""
        return outgoing(self._history)
