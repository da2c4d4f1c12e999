"""What one speaker of a run has open on the wire: the agent itself, or one of its subagents.

Bare deltas get their START here and everything open its END. The events of a subagent carry its id, and only
its own lane closes what it opened, since a client refuses a continuation under another's name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from ag_ui.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    BaseEvent,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from chat_app.agent.sse import compact_json
from chat_app.agent.turn_events import (
    ActivityPatched,
    ActivityShown,
    Content,
    MessageCompleted,
    StageFinished,
    StageStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
)


class TurnViolation(Exception):  # noqa: N818 - it is named for what happened
    """An agent reported something that has no place at this point of a turn."""


@dataclass(slots=True)
class Call:
    """A call of this run: who makes it, whether its arguments are whole, whether it is answered."""

    owner: str | None
    whole: bool = False
    answered: bool = False


class Calls:
    """The calls of one run, in the order they were made; ids are unique among all who speak."""

    def __init__(self) -> None:
        self._calls: dict[str, Call] = {}

    def find(self, call_id: str) -> Call | None:
        """Give a call of this run, None for one of an earlier run."""
        return self._calls.get(call_id)

    def begin(self, call_id: str, owner: str | None) -> None:
        """Note a call whose arguments are still to come."""
        self._calls[call_id] = Call(owner)

    def end(self, call_id: str) -> ToolCallEndEvent:
        """Note that a call's arguments are whole and say so in its owner's name."""
        call = self._calls[call_id]
        call.whole = True
        return ToolCallEndEvent(tool_call_id=call_id, subagent_run_id=call.owner)

    def answer(self, call_id: str) -> Iterator[ToolCallEndEvent]:
        """Note that a call is answered, ending it first where that is still to be done."""
        call = self._calls.get(call_id)
        if call is None:
            return
        if not call.whole:
            yield self.end(call_id)
        call.answered = True

    def open_of(self, owner: str | None) -> list[str]:
        """Give the calls of one owner whose arguments are not whole."""
        return [key for key, call in self._calls.items() if call.owner == owner and not call.whole]

    def pending(self) -> list[str]:
        """Give the calls nobody answered in this run."""
        return [key for key, call in self._calls.items() if not call.answered]


_ROLE: Final = "reasoning"


class Lane:
    """The open items of one speaker.

    Args:
        owner: The subagent's id; None for the agent itself.
        new_id: Makes the ids of messages and reasoning spans.
        calls: The calls of the run, shared by its lanes.
    """

    def __init__(self, owner: str | None, *, new_id: Callable[[], str], calls: Calls) -> None:
        self._owner = owner
        self._new_id = new_id
        self._calls = calls
        self._message: str | None = None
        self._span: str | None = None
        self._thought: str | None = None
        self._parent: str | None = None
        self._stages: list[str] = []

    def feed(self, event: Content) -> Iterator[BaseEvent]:
        """Render one event.

        Raises:
            TurnViolation: The event has no place here; nothing was rendered and nothing changed.
        """
        yield from self._HANDLERS[type(event)](self, event)

    def close(self) -> Iterator[BaseEvent]:
        """End everything that is open, inner things first."""
        yield from self.close_message()
        for call_id in self._calls.open_of(self._owner):
            yield self._calls.end(call_id)
        while self._stages:
            yield StepFinishedEvent(step_name=self._stages.pop(), subagent_run_id=self._owner)

    def abandon(self, reason: str) -> Iterator[BaseEvent]:
        """End what is half said, so that a second try begins anew; half made calls are answered with why."""
        yield from self.close_message()
        for call_id in self._calls.open_of(self._owner):
            yield from self._answer(call_id, reason)

    # -- text and thoughts --------------------------------------------------------------------------------

    def _text(self, event: TextDelta) -> Iterator[BaseEvent]:
        if not event.text:
            return
        if self._message is None:
            self._message = self._parent = self._new_id()
            yield TextMessageStartEvent(
                message_id=self._message, role="assistant", subagent_run_id=self._owner
            )
        yield TextMessageContentEvent(message_id=self._message, delta=event.text, subagent_run_id=self._owner)

    def _thinking(self, event: ThinkingDelta) -> Iterator[BaseEvent]:
        if not event.text:
            return
        if self._thought is None:
            self._span, self._thought = self._new_id(), self._new_id()
            yield ReasoningStartEvent(message_id=self._span, subagent_run_id=self._owner)
            yield ReasoningMessageStartEvent(
                message_id=self._thought, role=_ROLE, subagent_run_id=self._owner
            )
        yield ReasoningMessageContentEvent(
            message_id=self._thought, delta=event.text, subagent_run_id=self._owner
        )

    def _message_completed(self, _event: MessageCompleted) -> Iterator[BaseEvent]:
        yield from self.close_message()

    def close_message(self) -> Iterator[BaseEvent]:
        """End the thoughts and then the text; what comes next opens new ones (S8)."""
        span, thought, message = self._span, self._thought, self._message
        self._span = self._thought = self._message = None
        if thought is not None and span is not None:
            yield ReasoningMessageEndEvent(message_id=thought, subagent_run_id=self._owner)
            yield ReasoningEndEvent(message_id=span, subagent_run_id=self._owner)
        if message is not None:
            yield TextMessageEndEvent(message_id=message, subagent_run_id=self._owner)

    # -- tool calls ---------------------------------------------------------------------------------------

    def _call_delta(self, event: ToolcallDelta) -> Iterator[BaseEvent]:
        call = self._own(event.call_id)
        if call is not None and call.whole:
            raise TurnViolation(f"Call {event.call_id} got more arguments after it was whole.")
        if call is None:
            yield self._open_call(event.call_id, event.name)
        if event.args:
            yield self._args(event.call_id, event.args)

    def _call_completed(self, event: ToolcallCompleted) -> Iterator[BaseEvent]:
        call = self._own(event.call_id)
        if call is None or call.whole:
            raise TurnViolation(f"Call {event.call_id} is not open, so its arguments cannot be completed.")
        yield self._calls.end(event.call_id)

    def _tool_started(self, event: ToolStarted) -> Iterator[BaseEvent]:
        call = self._own(event.call_id)
        if call is None:
            yield self._open_call(event.call_id, event.name)
            yield self._args(event.call_id, compact_json(event.args))
        if call is None or not call.whole:
            yield self._calls.end(event.call_id)

    def _tool_completed(self, event: ToolCompleted) -> Iterator[BaseEvent]:
        yield from self._answer(event.call_id, event.output)

    def _tool_blocked(self, event: ToolBlocked) -> Iterator[BaseEvent]:
        yield from self._answer(event.call_id, event.reason)

    def _answer(self, call_id: str, content: str) -> Iterator[BaseEvent]:
        yield from self._calls.answer(call_id)
        self._parent = None
        yield ToolCallResultEvent(
            message_id=self._new_id(),
            tool_call_id=call_id,
            content=content,
            role="tool",
            subagent_run_id=self._owner,
        )

    def _own(self, call_id: str) -> Call | None:
        call = self._calls.find(call_id)
        if call is not None and call.owner != self._owner:
            raise TurnViolation(f"Call {call_id} is made by another speaker of this turn.")
        return call

    def _open_call(self, call_id: str, name: str) -> ToolCallStartEvent:
        if not name:
            raise TurnViolation(f"The first report of call {call_id} does not name its tool.")
        self._calls.begin(call_id, self._owner)
        self._parent = self._parent or self._new_id()
        return ToolCallStartEvent(
            tool_call_id=call_id,
            tool_call_name=name,
            parent_message_id=self._parent,
            subagent_run_id=self._owner,
        )

    def _args(self, call_id: str, fragment: str) -> ToolCallArgsEvent:
        return ToolCallArgsEvent(tool_call_id=call_id, delta=fragment, subagent_run_id=self._owner)

    # -- stages and activities ----------------------------------------------------------------------------

    def _stage_started(self, event: StageStarted) -> Iterator[BaseEvent]:
        if event.name in self._stages:
            raise TurnViolation(f"Stage {event.name!r} is already open.")
        self._stages.append(event.name)
        yield StepStartedEvent(step_name=event.name, subagent_run_id=self._owner)

    def _stage_finished(self, event: StageFinished) -> Iterator[BaseEvent]:
        if event.name not in self._stages:
            raise TurnViolation(f"Stage {event.name!r} is not open.")
        self._stages.remove(event.name)
        yield StepFinishedEvent(step_name=event.name, subagent_run_id=self._owner)

    def _activity_shown(self, event: ActivityShown) -> Iterator[BaseEvent]:
        yield ActivitySnapshotEvent(
            message_id=event.id,
            activity_type=event.kind,
            content=dict(event.content),
            subagent_run_id=self._owner,
        )

    def _activity_patched(self, event: ActivityPatched) -> Iterator[BaseEvent]:
        yield ActivityDeltaEvent(
            message_id=event.id,
            activity_type=event.kind,
            patch=[dict(operation) for operation in event.patch],
            subagent_run_id=self._owner,
        )

    # One row per member of Content; a test compares the two. Each handler takes its own event type, which
    # the type of a dict cannot say, hence the Any.
    _HANDLERS: ClassVar[Mapping[type, Callable[[Any, Any], Iterator[BaseEvent]]]] = {
        TextDelta: _text,
        ThinkingDelta: _thinking,
        MessageCompleted: _message_completed,
        ToolcallDelta: _call_delta,
        ToolcallCompleted: _call_completed,
        ToolStarted: _tool_started,
        ToolCompleted: _tool_completed,
        ToolBlocked: _tool_blocked,
        StageStarted: _stage_started,
        StageFinished: _stage_finished,
        ActivityShown: _activity_shown,
        ActivityPatched: _activity_patched,
    }
