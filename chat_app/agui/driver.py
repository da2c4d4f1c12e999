"""Drives one request from the first byte sent to the verdict, the tools of the run included.

The agent's terminal event is final. Trouble before it becomes a failed run, folded like any event;
trouble after it is a diagnostic, and the verdict stands.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from ag_ui.core import RunAgentInput

from chat_app.agui.approvals import Approvals
from chat_app.agui.conversation import Conversation, Folded
from chat_app.agui.enforcement import Report
from chat_app.agui.errors import AgentRunError, AguiError, HttpStatus, TransportError, Truncated
from chat_app.agui.events import (
    Event,
    LocalMessage,
    LogEntry,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    ToolMessage,
)
from chat_app.agui.ids import Ids
from chat_app.agui.intake import Intake
from chat_app.agui.pipeline import Pipeline
from chat_app.agui.profiles import Profile, hint
from chat_app.agui.requests import gate
from chat_app.agui.runner import ToolRunner
from chat_app.agui.tools import ToolRegistry
from chat_app.agui.transport.base import Transport
from chat_app.agui.updates import (
    CANCELLED,
    CLIENT_ERROR,
    Diagnostic,
    Failed,
    RowChange,
    RunEnded,
    Trouble,
    Update,
)

CANCELLED_MESSAGE = "Run cancelled"
"""What a stopped run says: a constant, since an exception's own text is for programmers (M10)."""

Tap = Callable[[LogEntry, tuple[RowChange, ...]], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """What a run needs from its session."""

    transport: Transport
    conversation: Conversation
    profile: Profile
    registry: ToolRegistry
    ids: Ids
    tap: Tap
    report: Report
    typed: Callable[[Update], Update]


class RunDriver:
    """One request and everything that answers it.

    ``carried`` are tool messages that go out with the request and join the thread when the agent has
    taken them, which is when a run finishes.
    """

    def __init__(self, wiring: Wiring, request: RunAgentInput, carried: tuple[ToolMessage, ...] = ()) -> None:
        self._wiring = wiring
        self._request = request
        self._carried = carried
        self._spoken = False
        self._troubles: list[AguiError] = []
        self._boundaries: dict[type[Event], Callable[[Any], Sequence[Update]]] = {
            RunStartedEvent: self._begun,
            RunFinishedEvent: self._finished,
            RunErrorEvent: self._failed,
        }
        self._runner = ToolRunner(
            wiring.registry,
            request.thread_id,
            run_id=request.run_id,
            new_id=wiring.ids.message,
            is_answered=wiring.conversation.is_answered,
        )
        pipeline = Pipeline(wiring.profile.reading, report=self._report, new_id=wiring.ids.message)
        self._intake = Intake(wiring.transport, pipeline, Approvals(self._report), gate=self._gate)

    async def drive(self) -> AsyncGenerator[Update, None]:
        """Yield what changes until the verdict is in and every tool has answered.

        Closing the iterator, or cancelling whoever waits for it, stops the run.
        """
        self._wiring.conversation.reducer.expect(self._request.run_id)
        try:
            async with aclosing(self._follow()) as updates:
                async for update in updates:
                    yield update
            for update in self._answers():
                yield update
        except (asyncio.CancelledError, GeneratorExit):
            await self._stop()
            raise
        finally:
            await self._runner.stop()
        self._raise_if_fatal()

    async def _follow(self) -> AsyncGenerator[Update, None]:
        async with aclosing(self._intake.batches(self._request)) as batches:
            async for batch in batches:
                for update in (*self._answers(), *self._reported()):
                    yield update
                for event in batch:
                    for update in self._take(event):
                        yield update
        spoken = self._spoken
        for update in self._close():
            yield update
        await (self._runner.join() if spoken else self._runner.stop())

    def _gate(self, request: RunAgentInput) -> RunAgentInput:
        return gate(request, self._wiring.profile, self._report)

    # ------------------------------------------------------------ folding

    def _take(self, event: Event) -> Sequence[Update]:
        """Fold one event of the stream."""
        self._runner.observe(event)
        updates = self._fold(event)
        then = self._boundaries.get(type(event))
        return updates if then is None else (*updates, *then(event))

    def _fold(self, entry: LogEntry) -> Sequence[Update]:
        return self._heard(entry, self._wiring.conversation.fold(entry))

    def _heard(self, entry: LogEntry, folded: Folded) -> Sequence[Update]:
        self._wiring.tap(entry, folded.rows)
        return [self._wiring.typed(update) for update in folded.updates]

    def _begun(self, _: RunStartedEvent) -> Sequence[Update]:
        self._spoken = False
        return ()

    def _finished(self, _: RunFinishedEvent) -> Sequence[Update]:
        return (*self._hand_over(), self._judged())

    def _failed(self, event: RunErrorEvent) -> Sequence[Update]:
        return (Trouble(AgentRunError(event.message, event.code)), self._judged())

    def _judged(self) -> RunEnded:
        self._spoken = True
        end = self._wiring.conversation.end
        assert end is not None, "a terminal event was just folded"
        return RunEnded(end)

    def _answers(self) -> Iterator[Update]:
        """Fold the tools' answers that are ready."""
        for answer in self._runner.ready():
            yield from self._fold(LocalMessage(answer))

    def _hand_over(self) -> Iterator[Update]:
        """Let what went out with the request join the thread, unless the agent told of it already."""
        carried, self._carried = self._carried, ()
        conversation = self._wiring.conversation
        for message in carried:
            if not conversation.is_answered(message.tool_call_id):
                yield from self._heard(LocalMessage(message), conversation.add_sent(message))

    # ------------------------------------------------------------ endings

    def _close(self) -> Iterator[Update]:
        """Fail a run that has no verdict; otherwise tell of the trouble and leave the verdict alone."""
        yield from self._reported()
        error = self._intake.error
        if self._spoken:
            if error is not None:
                self._report_late(_sentence(error))
            return
        trouble = _as_ours(error or Truncated())
        yield from self._fold(RunErrorEvent(message=self._explained(trouble), code=CLIENT_ERROR))
        self._attach(trouble)
        yield Trouble(trouble)
        yield self._judged()

    def _explained(self, error: AguiError) -> str:
        advice = hint(error, self._wiring.profile) if isinstance(error, HttpStatus) else ""
        return f"{error.message} {advice}".rstrip()

    def _attach(self, error: AguiError) -> None:
        end = self._wiring.conversation.end
        assert isinstance(end, Failed), "a failure was just folded"
        self._wiring.conversation.end = replace(end, error=error)

    async def _stop(self) -> None:
        if self._spoken:
            self._report_late("The reader left before the stream was over")
        else:
            self._fold(RunErrorEvent(message=CANCELLED_MESSAGE, code=CANCELLED))
        try:
            await self._runner.stop()
        finally:
            tuple(self._answers())

    def _report(self, diagnostic: Diagnostic) -> None:
        self._wiring.report(diagnostic)
        if diagnostic.error is not None:
            self._troubles.append(diagnostic.error)

    def _reported(self) -> Iterator[Update]:
        """Yield the broken rules that were reported instead of failing the run."""
        troubles, self._troubles = self._troubles, []
        yield from map(Trouble, troubles)

    def _report_late(self, words: str) -> None:
        self._report(Diagnostic("late-trouble", f"After the run had ended: {words}"))

    def _raise_if_fatal(self) -> None:
        """Let what is no fault of a stream go on up, now that the transcript is closed (M6)."""
        if isinstance(self._intake.error, MemoryError | RecursionError):
            raise self._intake.error


def _sentence(error: Exception) -> str:
    return str(error) or type(error).__name__


def _as_ours(error: Exception) -> AguiError:
    """Return the error as one of this package's; what a foreign transport raises is its connection's."""
    if isinstance(error, AguiError):
        return error
    ours = TransportError(_sentence(error))
    ours.__cause__ = error
    return ours
