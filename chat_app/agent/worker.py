"""Works one turn from its first report to its last, whatever happens in between."""

import asyncio
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from chat_app.agent.approvals import settle
from chat_app.agent.conversation import Conversation
from chat_app.agent.outbox import Outbox
from chat_app.agent.renderer import Renderer, TurnViolation
from chat_app.agent.scenario import Play, Scenario, choose
from chat_app.agent.scenarios import GATED_TOOLS, SCENARIOS, TALK
from chat_app.agent.sse import frame
from chat_app.agent.turn import Pace, Turn, TurnFailed
from chat_app.agent.turn_events import (
    TurnCancelled,
    TurnCompleted,
    TurnEnd,
    TurnError,
    TurnEvent,
    TurnStarted,
)

logger = logging.getLogger(__name__)

AGENT_ERROR: Final = "AGENT_ERROR"
PROTOCOL_VIOLATION: Final = "PROTOCOL_VIOLATION"

_PACES: Final = (
    (re.compile(r"\bat once\b", re.IGNORECASE), 0.0),
    (re.compile(r"\bquickly\b", re.IGNORECASE), 0.2),
    (re.compile(r"\bslowly\b", re.IGNORECASE), 3.0),
)


@dataclass(frozen=True, slots=True)
class RenderedSink:
    """Takes a turn's reports and puts what they become on the wire."""

    renderer: Renderer
    outbox: Outbox

    def report(self, event: TurnEvent) -> None:
        """Render one report into the outbox; the last one closes it."""
        for rendered in self.renderer.feed(event):
            self.outbox.put(frame(rendered))
        if self.renderer.ended:
            self.outbox.close()

    def end(self, end: TurnEnd) -> None:
        """Render the turn's end; one that is malformed itself becomes an error, so that every run ends."""
        try:
            self.report(end)
        except TurnViolation as violation:
            self.report(_violation(violation))

    async def room(self) -> None:
        """Wait until the client has taken enough of what was reported."""
        await self.outbox.room()


@dataclass(frozen=True, slots=True, kw_only=True)
class Worker:
    """Plays scenarios. Holds no conversation: every turn starts from its request alone."""

    new_id: Callable[[], str]
    now: Callable[[], datetime]
    pace: float = 1.0

    async def work(self, conversation: Conversation, outbox: Outbox) -> None:
        """Work the turn the request asks for and close the outbox with its terminal event.

        A cancelled turn still reports its end before the cancellation goes on.
        """
        scenario = choose(conversation.last_line, SCENARIOS, default=TALK)
        sink = RenderedSink(self._renderer(conversation), outbox)
        turn = self._turn(conversation, sink)
        try:
            sink.end(await self._play(scenario, turn, sink))
        except asyncio.CancelledError:
            logger.info("Run %s of thread %s was stopped.", conversation.run_id, conversation.thread_id)
            sink.report(TurnCancelled())
            raise

    async def _play(self, scenario: Scenario, turn: Turn, sink: RenderedSink) -> TurnEnd:
        if not scenario.starts:
            return await _end_of(scenario.play, turn)
        sink.report(TurnStarted(turn.new_id()))
        try:
            return await _end_of(lambda turn: _settle_and_play(scenario, turn), turn)
        finally:
            turn.report_usage()

    def _renderer(self, conversation: Conversation) -> Renderer:
        return Renderer(
            conversation.thread_id,
            conversation.run_id,
            new_id=self.new_id,
            now=self.now,
            cancel_as="outcome" if conversation.declares_1_0 else "error",
        )

    def _turn(self, conversation: Conversation, sink: RenderedSink) -> Turn:
        scale = self.pace * pace_wish(conversation.last_line)
        return Turn(conversation, sink, pace=Pace(scale), new_id=self.new_id, now=self.now)


def pace_wish(line: str) -> float:
    """Give the factor by which the line asks for longer or shorter pauses."""
    return next((factor for words, factor in _PACES if words.search(line)), 1.0)


async def _settle_and_play(scenario: Scenario, turn: Turn) -> TurnEnd | None:
    return await settle(turn, GATED_TOOLS) or await scenario.play(turn)


async def _end_of(play: Play, turn: Turn) -> TurnEnd:
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
