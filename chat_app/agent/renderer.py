"""Turn events in, AG-UI events out, in an order that every client's verifier accepts.

The renderer is the one guard of a run: what is open when the turn ends, in whatever way it ends, gets its END
before the terminal event. It does no I/O and keeps no history. What one speaker has open is in ``lane``, the
invocations of subagents are in ``subagents``, the shared state is in ``projection``.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    CustomEvent,
    Interrupt,
    Message,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateSnapshotEvent,
    TokenUsage,
)

from chat_app.agent.custom import custom
from chat_app.agent.lane import TurnViolation
from chat_app.agent.projection import Projection, SharedState
from chat_app.agent.subagents import Speakers, SubagentsAs
from chat_app.agent.turn_events import (
    AppStateChanged,
    CompactionCompleted,
    Content,
    ModeChanged,
    Notice,
    PermissionRequest,
    PlanUpdated,
    Question,
    Signal,
    StateChanged,
    StateEvent,
    StreamReset,
    SubagentEvent,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnEvent,
    TurnPaused,
    TurnStarted,
    UiRequest,
    UiResolved,
    Usage,
    UsageUpdated,
)

CANCELLED: Final = "cancelled"
CancelAs: TypeAlias = Literal["error", "outcome"]
SideRemark: TypeAlias = PermissionRequest | UiResolved | UiRequest | Notice | StreamReset


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a run is said to its client.

    Attributes:
        cancel_as: ``outcome`` to clients of protocol 1.0 and later; ``error`` (RUN_ERROR with code
            ``cancelled``) to those that cannot know the outcome.
        subagents: ``events`` says SUBAGENT_* and tags what subagents say; ``custom`` puts all of it into
            CUSTOM events, for clients that know no subagents.
        list_pending: Whether a success names the calls that its client is to answer.
    """

    cancel_as: CancelAs = "error"
    subagents: SubagentsAs = "events"
    list_pending: bool = False


def no_messages() -> Sequence[Message]:
    """Stand in for the conversation where none can be told."""
    return ()


@dataclass(frozen=True, slots=True)
class RunScope:
    """The run that is rendered, and what it begins with.

    Attributes:
        thread_id: The thread the run belongs to, as the client named it.
        run_id: The run, as the client named it; the turn's own id when none is given (S30).
        projection: The shared document as it stands when the run begins.
        messages: Gives the conversation after a compaction (S17).
    """

    thread_id: str
    run_id: str | None = None
    projection: Projection = field(default_factory=Projection)
    messages: Callable[[], Sequence[Message]] = no_messages


class _Phase(StrEnum):
    WAITING = "not started"
    WORKING = "under way"
    ENDED = "over"


class Renderer:
    """Translate the turn events of one turn into the AG-UI events of one run.

    Args:
        scope: The run, and what it begins with.
        new_id: Makes the ids of messages and reasoning spans.
        now: Tells the time for the boundary events.
        dialect: How things are said to this client.
    """

    def __init__(
        self,
        scope: RunScope,
        *,
        new_id: Callable[[], str],
        now: Callable[[], datetime],
        dialect: Dialect | None = None,
    ) -> None:
        self._scope = scope
        self._run_id = scope.run_id
        self._now = now
        self._dialect = dialect or Dialect()
        self._phase = _Phase.WAITING
        self._state = SharedState(scope.projection)
        self._speakers = Speakers(new_id, self._dialect.subagents)
        self._usage: dict[tuple[str, str], Usage] = {}

    @property
    def ended(self) -> bool:
        """True once a terminal event was rendered; nothing more can be fed."""
        return self._phase is _Phase.ENDED

    @property
    def projection(self) -> Projection:
        """The shared document as it stands."""
        return self._state.projection

    def snapshot(self, projection: Projection | None = None) -> StateSnapshotEvent:
        """Render the shared document whole, right after the run began or when its client lost it.

        Args:
            projection: Takes the place of the document as it stands.

        Raises:
            TurnViolation: No run is under way, and a state outside a run cannot be sent (S36).
        """
        if self._phase is not _Phase.WORKING:
            raise TurnViolation(f"The state was asked for while the turn is {self._phase}.")
        self._state.projection = projection or self._state.projection
        return self._state.snapshot()

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
            thread_id=self._scope.thread_id,
            run_id=self._run_id,
            protocol_version=PROTOCOL_VERSION,
            timestamp=self._stamp(),
        )

    def _completed(self, _event: TurnCompleted) -> Iterator[BaseEvent]:
        yield from self._speakers.finish()
        pending = self._speakers.calls.pending() if self._dialect.list_pending else []
        yield self._finished(RunFinishedSuccessOutcome(pending_tool_call_ids=pending or None))

    def _paused(self, event: TurnPaused) -> Iterator[BaseEvent]:
        ids = [question.id for question in event.questions]
        if not ids or len(set(ids)) < len(ids):
            raise TurnViolation("A paused turn asks at least one question, each by an id of its own.")
        interrupts = [self._interrupt(question) for question in event.questions]
        yield from self._speakers.suspend(event.questions)
        yield self._finished(RunFinishedInterruptOutcome(interrupts=interrupts))

    def _cancelled(self, _event: TurnCancelled) -> Iterator[BaseEvent]:
        words = "The turn was cancelled."
        started = self._phase is _Phase.WORKING
        yield from self._speakers.abort(words, CANCELLED)
        if self._dialect.cancel_as == "outcome" and started:
            yield self._finished(RunFinishedCancelledOutcome())
        else:
            yield self._failed(words, CANCELLED)

    def _error(self, event: TurnError) -> Iterator[BaseEvent]:
        yield from self._speakers.abort(event.message, event.code)
        yield self._failed(event.message, event.code)

    def _finished(self, outcome: RunFinishedOutcome) -> RunFinishedEvent:
        self._phase = _Phase.ENDED
        return RunFinishedEvent(
            thread_id=self._scope.thread_id,
            run_id=self._run_id or "",
            outcome=outcome,
            usage=self._spent(),
            timestamp=self._stamp(),
        )

    def _failed(self, message: str, code: str) -> RunErrorEvent:
        self._phase = _Phase.ENDED
        return RunErrorEvent(message=message, code=code, usage=self._spent(), timestamp=self._stamp())

    def _interrupt(self, question: Question) -> Interrupt:
        known = question.subagent_id if self._dialect.subagents == "events" else None
        return _interrupt(question, known)

    def _stamp(self) -> int:
        return int(self._now().timestamp() * 1000)

    # -- what is said, by whom ----------------------------------------------------------------------------

    def _content(self, event: Content) -> Iterator[BaseEvent]:
        yield from self._speakers.own.feed(event)

    def _subagent(self, event: SubagentEvent) -> Iterator[BaseEvent]:
        yield from self._speakers.feed(event)

    def _reset(self, event: StreamReset) -> Iterator[BaseEvent]:
        """Keep the model's second try apart from its first, which is not continued (S35)."""
        yield from self._speakers.own.abandon("The model began its answer again; this call is dropped.")
        yield from self._custom(event)

    # -- state, usage, side remarks -----------------------------------------------------------------------

    def _state_line(self, event: StateEvent) -> Iterator[BaseEvent]:
        yield from self._state.apply(event)

    def _permission(self, event: PermissionRequest | UiResolved) -> Iterator[BaseEvent]:
        """Say it twice: as state for who joins late, then as an event for who watches (S20)."""
        yield from self._state.apply(event)
        yield from self._custom(event)

    def _custom(self, event: SideRemark) -> Iterator[BaseEvent]:
        yield custom(_NAMES[type(event)], event)

    def _signal(self, event: Signal) -> Iterator[BaseEvent]:
        yield CustomEvent(name=event.name, value=event.value)

    def _compacted(self, _event: CompactionCompleted) -> Iterator[BaseEvent]:
        yield MessagesSnapshotEvent(messages=list(self._scope.messages()))

    def _count(self, event: UsageUpdated) -> Iterator[BaseEvent]:
        spent = event.usage
        key = (spent.provider, spent.model)
        self._usage[key] = self._usage.get(key, Usage(*key)) + spent
        yield from self._state.apply(event)

    def _spent(self) -> list[TokenUsage] | None:
        return [_token_usage(usage) for usage in self._usage.values()] or None

    # One row per member of TurnEvent; a test compares the two. Each handler takes its own event type, which
    # the type of a dict cannot say, hence the Any.
    _HANDLERS: ClassVar[Mapping[type, Callable[[Any, Any], Iterator[BaseEvent]]]] = {
        TurnStarted: _started,
        **dict.fromkeys(get_args(Content), _content),
        **dict.fromkeys(get_args(SubagentEvent), _subagent),
        StateChanged: _state_line,
        ModeChanged: _state_line,
        PlanUpdated: _state_line,
        AppStateChanged: _state_line,
        UsageUpdated: _count,
        PermissionRequest: _permission,
        UiResolved: _permission,
        UiRequest: _custom,
        Notice: _custom,
        Signal: _signal,
        StreamReset: _reset,
        CompactionCompleted: _compacted,
        TurnCompleted: _completed,
        TurnPaused: _paused,
        TurnCancelled: _cancelled,
        TurnError: _error,
    }


_NAMES: Final[Mapping[type, str]] = {
    PermissionRequest: "permission_request",
    UiResolved: "ui_resolved",
    UiRequest: "ui_request",
    Notice: "notice",
    StreamReset: "stream_reset",
}
"""What a side remark is called as a CUSTOM event (S20, S21)."""


def _interrupt(question: Question, subagent_id: str | None) -> Interrupt:
    expires = question.expires_at
    return Interrupt(
        id=question.id,
        reason=question.reason,
        message=question.message,
        tool_call_id=question.call_id,
        response_schema=dict(question.response_schema) if question.response_schema is not None else None,
        expires_at=expires.isoformat() if expires is not None else None,
        metadata=dict(question.metadata) or None,
        subagent_run_id=subagent_id,
    )


def _token_usage(usage: Usage) -> TokenUsage:
    return TokenUsage(
        provider=usage.provider,
        model=usage.model,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        total_tokens=usage.tokens,
    )
