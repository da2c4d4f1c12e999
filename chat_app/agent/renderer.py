"""Turn events in, AG-UI events out, in an order that every client's verifier accepts.

The renderer is the one guard of a run: bare deltas get their START, and what is open when the turn ends, in
whatever way it ends, gets its END before the terminal event. It does no I/O and keeps no history.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, TypeAlias

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    Interrupt,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    TokenUsage,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from chat_app.agent.sse import compact_json
from chat_app.agent.turn_events import (
    AppStateChanged,
    MessageCompleted,
    Question,
    StageFinished,
    StageStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnEvent,
    TurnPaused,
    TurnStarted,
    Usage,
    UsageUpdated,
)

CANCELLED: Final = "cancelled"
CancelAs: TypeAlias = Literal["error", "outcome"]


class TurnViolation(Exception):  # noqa: N818 - it is named for what happened
    """An agent reported something that has no place at this point of a turn."""


class _Phase(StrEnum):
    WAITING = "not started"
    WORKING = "under way"
    ENDED = "over"


class _Call(StrEnum):
    OPEN = "open"
    WHOLE = "whole"


@dataclass(slots=True)
class _Open:
    """What has been opened on the wire, and what the next tool call hangs on."""

    message: str | None = None
    span: str | None = None
    thought: str | None = None
    parent: str | None = None
    calls: dict[str, _Call] = field(default_factory=dict)
    stages: list[str] = field(default_factory=list)


class Renderer:
    """Translate the turn events of one turn into the AG-UI events of one run.

    Args:
        thread_id: The thread the run belongs to, as the client named it.
        run_id: The run, as the client named it; the turn's own id when none is given.
        new_id: Makes the ids of messages and reasoning spans.
        now: Tells the time for the boundary events.
        cancel_as: How a cancelled turn is said: ``outcome`` to clients of protocol 1.0 and later, ``error``
            (RUN_ERROR with code ``cancelled``) to those that cannot know the outcome.
    """

    def __init__(
        self,
        thread_id: str,
        run_id: str | None = None,
        *,
        new_id: Callable[[], str],
        now: Callable[[], datetime],
        cancel_as: CancelAs = "error",
    ) -> None:
        self._thread_id = thread_id
        self._run_id = run_id
        self._new_id = new_id
        self._now = now
        self._cancel_as = cancel_as
        self._phase = _Phase.WAITING
        self._open = _Open()
        self._usage: dict[tuple[str, str], Usage] = {}

    @property
    def ended(self) -> bool:
        """True once a terminal event was rendered; nothing more can be fed."""
        return self._phase is _Phase.ENDED

    def feed(self, event: TurnEvent) -> list[BaseEvent]:
        """Render one turn event.

        Returns:
            The AG-UI events it becomes, in order; often one, sometimes none.

        Raises:
            TurnViolation: The event has no place here. Nothing was rendered and nothing changed.
        """
        self._check_phase(event)
        return list(self._HANDLERS[type(event)](self, event))

    def _check_phase(self, event: TurnEvent) -> None:
        if self._phase is _Phase.WORKING and not isinstance(event, TurnStarted):
            return
        early = (TurnStarted, TurnError, TurnCancelled)
        if self._phase is _Phase.WAITING and isinstance(event, early):
            return
        raise TurnViolation(f"{type(event).__name__} was reported while the turn is {self._phase}.")

    # -- the run ------------------------------------------------------------------------------------------

    def _started(self, event: TurnStarted) -> Iterator[BaseEvent]:
        self._phase = _Phase.WORKING
        self._run_id = event.turn_id if self._run_id is None else self._run_id
        yield RunStartedEvent(
            thread_id=self._thread_id,
            run_id=self._run_id,
            protocol_version=PROTOCOL_VERSION,
            timestamp=self._stamp(),
        )

    def _completed(self, _event: TurnCompleted) -> Iterator[BaseEvent]:
        yield from self._finish(RunFinishedSuccessOutcome())

    def _paused(self, event: TurnPaused) -> Iterator[BaseEvent]:
        ids = [question.id for question in event.questions]
        if not ids or len(set(ids)) < len(ids):
            raise TurnViolation("A paused turn asks at least one question, each by an id of its own.")
        interrupts = [_interrupt(question) for question in event.questions]
        yield from self._finish(RunFinishedInterruptOutcome(interrupts=interrupts))

    def _cancelled(self, _event: TurnCancelled) -> Iterator[BaseEvent]:
        if self._cancel_as == "outcome" and self._phase is _Phase.WORKING:
            yield from self._finish(RunFinishedCancelledOutcome())
        else:
            yield from self._fail("The turn was cancelled.", CANCELLED)

    def _error(self, event: TurnError) -> Iterator[BaseEvent]:
        yield from self._fail(event.message, event.code)

    def _finish(self, outcome: RunFinishedOutcome) -> Iterator[BaseEvent]:
        yield from self._close_everything()
        self._phase = _Phase.ENDED
        yield RunFinishedEvent(
            thread_id=self._thread_id,
            run_id=self._run_id or "",
            outcome=outcome,
            usage=self._spent(),
            timestamp=self._stamp(),
        )

    def _fail(self, message: str, code: str) -> Iterator[BaseEvent]:
        yield from self._close_everything()
        self._phase = _Phase.ENDED
        yield RunErrorEvent(message=message, code=code, usage=self._spent(), timestamp=self._stamp())

    def _close_everything(self) -> Iterator[BaseEvent]:
        yield from self._close_message()
        for call_id in [call_id for call_id, state in self._open.calls.items() if state is _Call.OPEN]:
            yield from self._close_call(call_id)
        while self._open.stages:
            yield StepFinishedEvent(step_name=self._open.stages.pop())

    def _stamp(self) -> int:
        return int(self._now().timestamp() * 1000)

    # -- text and thoughts --------------------------------------------------------------------------------

    def _text(self, event: TextDelta) -> Iterator[BaseEvent]:
        if not event.text:
            return
        if self._open.message is None:
            self._open.message = self._open.parent = self._new_id()
            yield TextMessageStartEvent(message_id=self._open.message, role="assistant")
        yield TextMessageContentEvent(message_id=self._open.message, delta=event.text)

    def _thinking(self, event: ThinkingDelta) -> Iterator[BaseEvent]:
        if not event.text:
            return
        if self._open.thought is None:
            self._open.span, self._open.thought = self._new_id(), self._new_id()
            yield ReasoningStartEvent(message_id=self._open.span)
            yield ReasoningMessageStartEvent(message_id=self._open.thought, role="reasoning")
        yield ReasoningMessageContentEvent(message_id=self._open.thought, delta=event.text)

    def _message_completed(self, _event: MessageCompleted) -> Iterator[BaseEvent]:
        yield from self._close_message()

    def _close_message(self) -> Iterator[BaseEvent]:
        span, thought, message = self._open.span, self._open.thought, self._open.message
        self._open.span = self._open.thought = self._open.message = None
        if thought is not None and span is not None:
            yield ReasoningMessageEndEvent(message_id=thought)
            yield ReasoningEndEvent(message_id=span)
        if message is not None:
            yield TextMessageEndEvent(message_id=message)

    # -- tool calls ---------------------------------------------------------------------------------------

    def _call_delta(self, event: ToolcallDelta) -> Iterator[BaseEvent]:
        state = self._open.calls.get(event.call_id)
        if state is _Call.WHOLE:
            raise TurnViolation(f"Call {event.call_id} got more arguments after it was whole.")
        if state is None:
            yield self._open_call(event.call_id, event.name)
        if event.args:
            yield ToolCallArgsEvent(tool_call_id=event.call_id, delta=event.args)

    def _call_completed(self, event: ToolcallCompleted) -> Iterator[BaseEvent]:
        if self._open.calls.get(event.call_id) is not _Call.OPEN:
            raise TurnViolation(f"Call {event.call_id} is not open, so its arguments cannot be completed.")
        yield from self._close_call(event.call_id)

    def _tool_started(self, event: ToolStarted) -> Iterator[BaseEvent]:
        state = self._open.calls.get(event.call_id)
        if state is None:
            yield self._open_call(event.call_id, event.name)
            yield ToolCallArgsEvent(tool_call_id=event.call_id, delta=compact_json(event.args))
        if state is not _Call.WHOLE:
            yield from self._close_call(event.call_id)

    def _tool_completed(self, event: ToolCompleted) -> Iterator[BaseEvent]:
        yield from self._answer(event.call_id, event.output)

    def _tool_blocked(self, event: ToolBlocked) -> Iterator[BaseEvent]:
        yield from self._answer(event.call_id, event.reason)

    def _answer(self, call_id: str, content: str) -> Iterator[BaseEvent]:
        if self._open.calls.get(call_id) is _Call.OPEN:
            yield from self._close_call(call_id)
        self._open.parent = None
        yield ToolCallResultEvent(
            message_id=self._new_id(), tool_call_id=call_id, content=content, role="tool"
        )

    def _open_call(self, call_id: str, name: str) -> ToolCallStartEvent:
        if not name:
            raise TurnViolation(f"The first report of call {call_id} does not name its tool.")
        self._open.calls[call_id] = _Call.OPEN
        self._open.parent = self._open.parent or self._new_id()
        return ToolCallStartEvent(
            tool_call_id=call_id, tool_call_name=name, parent_message_id=self._open.parent
        )

    def _close_call(self, call_id: str) -> Iterator[BaseEvent]:
        self._open.calls[call_id] = _Call.WHOLE
        yield ToolCallEndEvent(tool_call_id=call_id)

    # -- stages, state, usage -----------------------------------------------------------------------------

    def _stage_started(self, event: StageStarted) -> Iterator[BaseEvent]:
        if event.name in self._open.stages:
            raise TurnViolation(f"Stage {event.name!r} is already open.")
        self._open.stages.append(event.name)
        yield StepStartedEvent(step_name=event.name)

    def _stage_finished(self, event: StageFinished) -> Iterator[BaseEvent]:
        if event.name not in self._open.stages:
            raise TurnViolation(f"Stage {event.name!r} is not open.")
        self._open.stages.remove(event.name)
        yield StepFinishedEvent(step_name=event.name)

    def _app_state(self, event: AppStateChanged) -> Iterator[BaseEvent]:
        yield StateSnapshotEvent(snapshot={"app": event.app})

    def _count(self, event: UsageUpdated) -> Iterator[BaseEvent]:
        spent = event.usage
        before = self._usage.get((spent.provider, spent.model), Usage(spent.provider, spent.model))
        self._usage[spent.provider, spent.model] = Usage(
            spent.provider,
            spent.model,
            before.input_tokens + spent.input_tokens,
            before.output_tokens + spent.output_tokens,
        )
        return iter(())

    def _spent(self) -> list[TokenUsage] | None:
        return [_token_usage(usage) for usage in self._usage.values()] or None

    # One row per member of TurnEvent; a test compares the two. Each handler takes its own event type, which
    # the type of a dict cannot say, hence the Any.
    _HANDLERS: ClassVar[Mapping[type, Callable[[Any, Any], Iterator[BaseEvent]]]] = {
        TurnStarted: _started,
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
        AppStateChanged: _app_state,
        UsageUpdated: _count,
        TurnCompleted: _completed,
        TurnPaused: _paused,
        TurnCancelled: _cancelled,
        TurnError: _error,
    }


def _interrupt(question: Question) -> Interrupt:
    expires = question.expires_at
    return Interrupt(
        id=question.id,
        reason=question.reason,
        message=question.message,
        tool_call_id=question.call_id,
        response_schema=dict(question.response_schema) if question.response_schema is not None else None,
        expires_at=expires.isoformat() if expires is not None else None,
        metadata=dict(question.metadata) or None,
    )


def _token_usage(usage: Usage) -> TokenUsage:
    return TokenUsage(
        provider=usage.provider,
        model=usage.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        total_tokens=usage.input_tokens + usage.output_tokens,
    )
