"""Who speaks in a run: the agent itself and the subagents it hands parts of the work to.

Two ways to say it. ``events`` uses the protocol's own SUBAGENT_* and tags everything a subagent says with its
id; ``custom`` wraps all of it in CUSTOM events, so that a client that knows no subagents shows the agent's
own words alone.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, assert_never

from ag_ui.core import (
    BaseEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentFinishedSuccessOutcome,
    SubagentFinishedSuspendedOutcome,
    SubagentStartedEvent,
)

from chat_app.agent.custom import custom
from chat_app.agent.lane import Calls, Lane, TurnViolation
from chat_app.agent.turn_events import (
    ActivityPatched,
    ActivityShown,
    MessageCompleted,
    Question,
    StageFinished,
    StageStarted,
    SubagentEvent,
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
    SubagentSuspended,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
)

SubagentsAs: TypeAlias = Literal["events", "custom"]

NAMES: Final[Mapping[type, str]] = {
    SubagentStarted: "subagent_started",
    SubagentFinished: "subagent_finished",
    SubagentSuspended: "subagent_suspended",
    SubagentFailed: "subagent_failed",
    TextDelta: "subagent_text_delta",
    ThinkingDelta: "subagent_thinking_delta",
    MessageCompleted: "subagent_message_completed",
    ToolcallDelta: "subagent_toolcall_delta",
    ToolcallCompleted: "subagent_toolcall_completed",
    ToolStarted: "subagent_tool_started",
    ToolCompleted: "subagent_tool_completed",
    ToolBlocked: "subagent_tool_blocked",
    StageStarted: "subagent_stage_started",
    StageFinished: "subagent_stage_finished",
    ActivityShown: "subagent_activity_shown",
    ActivityPatched: "subagent_activity_patched",
}
"""What each report about or by a subagent is called as a CUSTOM event (S21)."""


class Speakers:
    """The lanes of a run: the agent's own, and one for each subagent at work.

    Args:
        new_id: Makes the ids of messages and reasoning spans.
        subagents: How subagents are said.
    """

    def __init__(self, new_id: Callable[[], str], subagents: SubagentsAs) -> None:
        self._new_id = new_id
        self._as = subagents
        self.calls = Calls()
        self.own = Lane(None, new_id=new_id, calls=self.calls)
        self._at_work: dict[str, Lane] = {}
        self._ever: set[str] = set()

    def feed(self, event: SubagentEvent) -> Iterator[BaseEvent]:
        """Render a report about or by a subagent.

        Raises:
            TurnViolation: It speaks of a subagent that is not at work, or starts one a second time.
        """
        if isinstance(event, SubagentStarted):
            yield from self._start(event)
        elif isinstance(event, SubagentReported):
            yield from self._report(event)
        else:
            yield from self._end(event)

    def finish(self) -> Iterator[BaseEvent]:
        """End everything at the good end of a turn; subagents still at work are done, too."""
        for key in reversed(list(self._at_work)):
            yield from self._end(SubagentFinished(key))
        yield from self.own.close()

    def suspend(self, questions: Sequence[Question]) -> Iterator[BaseEvent]:
        """End everything when the turn waits: subagents that asked, and all they work for, are suspended."""
        asked = {key: tuple(one.id for one in questions if one.subagent_id == key) for key in self._at_work}
        for key in reversed(list(self._at_work)):
            yield from self._end(SubagentSuspended(key, asked[key]))
        yield from self.own.close()

    def abort(self, message: str, code: str) -> Iterator[BaseEvent]:
        """End everything when the turn broke off; subagents still at work failed with it."""
        for key in reversed(list(self._at_work)):
            yield from self._end(SubagentFailed(key, message, code))
        yield from self.own.close()

    def _start(self, event: SubagentStarted) -> Iterator[BaseEvent]:
        if event.id in self._ever:
            raise TurnViolation(f"Subagent {event.id} was started before in this turn.")
        if event.parent_id is not None:
            self._lane(event.parent_id)
        self._ever.add(event.id)
        self._at_work[event.id] = Lane(event.id, new_id=self._new_id, calls=self.calls)
        yield self._said(event)

    def _report(self, event: SubagentReported) -> Iterator[BaseEvent]:
        lane = self._lane(event.id)
        if self._as == "events":
            yield from lane.feed(event.event)
        else:
            yield custom(NAMES[type(event.event)], event.event, subagentRunId=event.id)

    def _end(self, event: SubagentFinished | SubagentSuspended | SubagentFailed) -> Iterator[BaseEvent]:
        lane = self._lane(event.id)
        yield from lane.close()
        del self._at_work[event.id]
        yield self._said(event)

    def _lane(self, key: str) -> Lane:
        lane = self._at_work.get(key)
        if lane is None:
            raise TurnViolation(f"Subagent {key} is not at work.")
        return lane

    def _said(
        self, event: SubagentStarted | SubagentFinished | SubagentSuspended | SubagentFailed
    ) -> BaseEvent:
        if self._as == "events":
            return _event(event)
        return custom(NAMES[type(event)], event, subagentRunId=event.id)


def _event(event: SubagentStarted | SubagentFinished | SubagentSuspended | SubagentFailed) -> BaseEvent:
    match event:
        case SubagentStarted():
            return SubagentStartedEvent(
                subagent_run_id=event.id,
                name=event.name,
                description=event.description or None,
                parent_subagent_run_id=event.parent_id,
                parent_tool_call_id=event.call_id,
            )
        case SubagentFinished(key, result):
            done = SubagentFinishedSuccessOutcome()
            return SubagentFinishedEvent(subagent_run_id=key, result=result, outcome=done)
        case SubagentSuspended(key, questions):
            waits = SubagentFinishedSuspendedOutcome(interrupt_ids=list(questions) or None)
            return SubagentFinishedEvent(subagent_run_id=key, outcome=waits)
        case SubagentFailed(key, message, code):
            return SubagentErrorEvent(subagent_run_id=key, message=message, code=code)
        case _ as never:
            assert_never(never)
