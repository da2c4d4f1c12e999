"""Works one turn from its first report to its last, whatever happens in between."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

import anyio
from ag_ui.core import BaseEvent, Message
from pydantic import JsonValue

from chat_app.agent.coalesce import coalesce
from chat_app.agent.conversation import Conversation
from chat_app.agent.desk import Desk
from chat_app.agent.lane import TurnViolation
from chat_app.agent.memory import Memory
from chat_app.agent.outbox import LIMIT, Outbox
from chat_app.agent.projection import IDLE, RUNNING, WAITING, Projection, initial_projection
from chat_app.agent.renderer import Dialect, Renderer, RunScope
from chat_app.agent.scripted import scripted
from chat_app.agent.subagents import SubagentsAs
from chat_app.agent.turn import Means, Pace, Turn, TurnFailed
from chat_app.agent.turn_events import (
    StateChanged,
    TurnCancelled,
    TurnCompleted,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnPaused,
    TurnStarted,
)
from chat_app.agent.work import Mind, Play, Work

logger = logging.getLogger(__name__)

AGENT_ERROR: Final = "AGENT_ERROR"
PROTOCOL_VIOLATION: Final = "PROTOCOL_VIOLATION"
LAST_WORDS: Final = 0.5
"""Seconds a turn that is being stopped has to keep what it leaves behind."""

Events: TypeAlias = Outbox[BaseEvent]


def new_outbox(*, limit: int = LIMIT, window: float = 0) -> Events:
    """Make the queue of one run; neighbouring fragments of one text leave it joined."""
    return Outbox(squeeze=coalesce, limit=limit, window=window)


@dataclass(frozen=True, slots=True)
class RenderedSink:
    """Takes a turn's reports and puts what they become on the wire."""

    renderer: Renderer
    outbox: Events

    def report(self, event: TurnEvent) -> None:
        """Render one report into the outbox; the last one closes it."""
        self._put(self.renderer.feed(event))

    def open(self, projection: Projection) -> None:
        """Show the shared state, whole, as it stands when the run begins (S36)."""
        self._put([self.renderer.snapshot(projection)])

    def end(self, end: TurnEnd) -> None:
        """Render the turn's end; one that is malformed itself becomes an error, so that every run ends."""
        try:
            self.report(end)
        except TurnViolation as violation:
            self.report(_violation(violation))

    async def room(self) -> None:
        """Wait until the client has taken enough of what was reported."""
        await self.outbox.room()

    def _put(self, events: Sequence[BaseEvent]) -> None:
        for event in events:
            self.outbox.put(event)
        if self.renderer.ended:
            self.outbox.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """Works turns. Holds no conversation: every turn starts from its request and the agent's memory.

    Attributes:
        new_id: Makes ids that never repeat.
        now: Tells the time.
        memory: Keeps what outlives a turn.
        mind: Thinks up the answers.
        desk: Where decisions come in while turns go on; None when a question ends the run.
        subagents: How subagents are said.
        pace: Scales every pause.
    """

    new_id: Callable[[], str]
    now: Callable[[], datetime]
    memory: Memory
    mind: Mind = scripted
    desk: Desk | None = None
    subagents: SubagentsAs = "events"
    pace: float = 1.0

    async def work(self, conversation: Conversation, outbox: Events) -> None:
        """Work the turn the request asks for and close the outbox with its terminal event.

        A cancelled turn still reports its end before the cancellation goes on.
        """
        work = self.mind(conversation)
        renderer = self._renderer(conversation, lambda: turn.history)
        sink = RenderedSink(renderer, outbox)
        turn = Turn(conversation, sink, means=self._means(work))
        job = _Job(self.memory, work, turn, sink)
        try:
            sink.end(await job.run())
        except asyncio.CancelledError:
            logger.info("Run %s of thread %s was stopped.", conversation.run_id, conversation.thread_id)
            sink.report(TurnCancelled())
            raise

    def _means(self, work: Work) -> Means:
        pace = Pace(self.pace * work.pace)
        return Means(pace=pace, new_id=self.new_id, now=self.now, memory=self.memory, desk=self.desk)

    def _renderer(self, conversation: Conversation, messages: Callable[[], Sequence[Message]]) -> Renderer:
        return Renderer(
            RunScope(conversation.thread_id, conversation.run_id, messages=messages),
            new_id=self.new_id,
            now=self.now,
            dialect=Dialect(
                cancel_as="outcome" if conversation.declares_1_0 else "error",
                subagents=self.subagents,
                list_pending=conversation.declares_1_0,
            ),
        )


@dataclass(frozen=True, slots=True)
class _Job:
    memory: Memory
    work: Work
    turn: Turn
    sink: RenderedSink

    async def run(self) -> TurnEnd:
        if not self.work.starts:
            return await end_of(self.work.play, self.turn)
        self.sink.report(TurnStarted(self.turn.means.new_id()))
        end: TurnEnd = TurnCancelled()
        try:
            end = await end_of(self._play, self.turn)
        finally:
            await self._leave(end)
        return end

    async def _play(self, turn: Turn) -> TurnEnd | None:
        projection = await self._projection()
        turn.model = projection.model
        self.sink.open(projection)
        return await self.work.play(turn)

    async def _projection(self) -> Projection:
        """Give the state to begin with: what the last turn left, and the application's part as the client has it."""
        conversation = self.turn.conversation
        default = Projection(model=self.work.model)
        kept = await initial_projection(self.memory, conversation.thread_id, default=default)
        model = kept.model if kept.model in self.work.stays else self.work.model
        begun = kept.having(status=RUNNING, model=model, pending_permission=None)
        app = conversation.app
        return begun if app is None else begun.having(app=app)

    async def _leave(self, end: TurnEnd) -> None:
        """Say what was spent and how the turn leaves the agent, and keep it, also while being stopped."""
        if self.work.counts_words:
            self.turn.report_usage()
        self.sink.report(StateChanged(status=WAITING if isinstance(end, TurnPaused) else IDLE))
        document = self.sink.renderer.projection.document()
        with anyio.move_on_after(LAST_WORDS, shield=True):
            await self._keep(document)

    async def _keep(self, document: dict[str, JsonValue]) -> None:
        thread_id = self.turn.conversation.thread_id
        try:
            await self.memory.save_projection(thread_id, document)
        except Exception:  # the next run lacks a few numbers; that is no reason to lose this one's answer
            logger.exception("The state of thread %s could not be kept.", thread_id)


async def end_of(play: Play, turn: Turn) -> TurnEnd:
    """Play to the end. What goes wrong is an end too; only a cancellation goes through."""
    try:
        return await play(turn) or TurnCompleted()
    except TurnFailed as failure:
        return TurnError(failure.message, failure.code)
    except TurnViolation as violation:
        return _violation(violation)
    except Exception:
        logger.exception("The turn of thread %s crashed.", turn.conversation.thread_id)
        return TurnError("The agent stumbled over a mistake of its own and had to stop.", AGENT_ERROR)


def _violation(violation: TurnViolation) -> TurnError:
    logger.error("The turn broke the rules of a turn: %s", violation)
    return TurnError(f"The agent lost its way: {violation}", PROTOCOL_VIOLATION)
