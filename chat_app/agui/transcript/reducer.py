"""The transcript reducer: folds the log of a thread into what is drawn.

One reducer serves a thread for its whole life. Each event type has one handler; a fragment of text
costs the same however long the text and the thread are. Nothing raises: what cannot be drawn is not.
"""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from chat_app.agui.events import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    CustomEvent,
    Event,
    LocalMessage,
    LogEntry,
    Message,
    MessagesSnapshotEvent,
    RawEvent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
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
from chat_app.agui.transcript.asides import show_custom, show_lanes
from chat_app.agui.transcript.drawing import Changes, draw
from chat_app.agui.transcript.model import Transcript, UiMessage
from chat_app.agui.transcript.reconcile import reconcile
from chat_app.agui.transcript.runs import fail_run, finish_run, finish_step, start_run, start_step
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.transcript.streaming import (
    add_arguments,
    add_result,
    add_text,
    end_call,
    end_text,
    patch_activity,
    set_activity,
    start_call,
    start_reasoning,
    start_text,
)
from chat_app.agui.updates import Diagnostic, RunState

Handler: TypeAlias = Callable[[Screen, Any], Changes]

HANDLERS: dict[type[Event], Handler] = {
    RunStartedEvent: start_run,
    RunFinishedEvent: finish_run,
    RunErrorEvent: fail_run,
    StepStartedEvent: start_step,
    StepFinishedEvent: finish_step,
    TextMessageStartEvent: start_text,
    TextMessageContentEvent: add_text,
    TextMessageEndEvent: end_text,
    ReasoningMessageStartEvent: start_reasoning,
    ReasoningMessageContentEvent: add_text,
    ReasoningMessageEndEvent: end_text,
    ToolCallStartEvent: start_call,
    ToolCallArgsEvent: add_arguments,
    ToolCallEndEvent: end_call,
    ToolCallResultEvent: add_result,
    ActivitySnapshotEvent: set_activity,
    ActivityDeltaEvent: patch_activity,
    MessagesSnapshotEvent: reconcile,
    SubagentStartedEvent: show_lanes,
    SubagentFinishedEvent: show_lanes,
    SubagentErrorEvent: show_lanes,
    CustomEvent: show_custom,
}
"""What each event type does to the screen."""

IGNORED: frozenset[type[Event]] = frozenset(
    {
        ReasoningStartEvent,
        ReasoningEndEvent,
        ReasoningEncryptedValueEvent,
        StateSnapshotEvent,
        StateDeltaEvent,
        RawEvent,
    }
)
"""The events that draw nothing."""


class TranscriptReducer:
    """What is drawn of one thread.

    Fold every log entry once, in order: live or from storage, the rows are the same. ``ask_tools`` names
    the tools a person answers; their calls wait for an answer, not for a result.

    A run that fails before RUN_STARTED has the id it was requested with, which is in no event: whoever
    sends the request says it with ``expect``. A log alone cannot tell it. Folded again, such a failure has
    no id behind a line of this side, since a line begins a request; behind anything else, as after a retry,
    it reads like a late error of the run before and has that one's id.

    >>> from chat_app.agui.events import TextMessageContentEvent
    >>> reducer = TranscriptReducer()
    >>> for event in (
    ...     RunStartedEvent(thread_id="t", run_id="r"),
    ...     TextMessageStartEvent(message_id="m", role="assistant"),
    ...     TextMessageContentEvent(message_id="m", delta="Hello"),
    ... ):
    ...     changes = reducer.apply(event)
    >>> changes
    (Appended(key='m', part='m', delta='Hello'),)
    >>> reducer.message("m").parts
    (TextPart(key='m', wire_id='m', text='Hello', streaming=True),)
    """

    def __init__(
        self,
        messages: Iterable[Message] = (),
        *,
        ask_tools: Iterable[str] = (),
        report: Callable[[Diagnostic], None] = lambda _: None,
    ) -> None:
        self._screen = Screen(report, frozenset(ask_tools))
        for message in messages:
            draw(self._screen, message)
        self._screen.texts.clear()

    def apply(self, entry: LogEntry) -> Changes:
        """Fold one entry and return the rows it changed; empty when it drew nothing."""
        handler = HANDLERS.get(type(entry))  # type: ignore[arg-type] # a local message has no handler
        if handler is not None:
            return handler(self._screen, entry)
        return self._append(entry.message) if isinstance(entry, LocalMessage) else ()

    def expect(self, run_id: str) -> None:
        """Note that a run was requested under this id: until it starts, a failure is its own."""
        self._screen.requested = run_id

    def ask_with(self, names: Iterable[str]) -> None:
        """From now on, let the calls of these tools wait for a person, and of no others."""
        self._screen.ask_tools = frozenset(names)

    def _append(self, message: Message) -> Changes:
        if not isinstance(message, ToolMessage):
            self._screen.end_turn()
            self._screen.requested = ""
        changes = draw(self._screen, message)
        # A line of this side is never joined by text the agent streams under the same id.
        self._screen.texts.pop(message.id, None)
        return changes

    def message(self, key: str) -> UiMessage:
        """Return the row of this key, with its texts joined.

        Raises:
            KeyError: no such row is drawn.
        """
        return self._screen.rows[key].freeze()

    def snapshot(self) -> Transcript:
        """Return everything drawn. Rows nothing happened to are the same objects as before."""
        rows = tuple(row.freeze() for row in self._screen.rows.values())
        return Transcript(rows, self._screen.run, self.steps)

    @property
    def run(self) -> RunState:
        """How the last run stands."""
        return self._screen.run

    @property
    def steps(self) -> tuple[str, ...]:
        """The names of the steps now open, in the order they opened."""
        return tuple(name for _, name in self._screen.steps)
