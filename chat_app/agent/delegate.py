"""A subagent at work: a turn within the turn, whose reports carry who made them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import get_args

from chat_app.agent.turn import Turn, TurnFailed
from chat_app.agent.turn_events import (
    Content,
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
    TurnEvent,
)

_CONTENT = get_args(Content)


class Delegate(Turn):
    """The turn of a subagent. It writes like any other; state and usage stay those of the whole.

    Attributes:
        id: Names this invocation.
        waits: Set when it asked a person: it is then not done when its block ends, but suspended with the turn.
    """

    def __init__(self, boss: Turn, subagent_id: str) -> None:
        super().__init__(boss.conversation, _Tagging(boss, subagent_id), means=boss.means)
        self.id = subagent_id
        self.waits = False
        self._boss = boss

    def wrote(self, words: int) -> None:
        """Count words as the boss's: what a subagent spends is part of the run's usage."""
        self._boss.wrote(words)


@dataclass(frozen=True, slots=True)
class _Tagging:
    boss: Turn
    subagent_id: str

    def report(self, event: TurnEvent) -> None:
        tagged = SubagentReported(self.subagent_id, event) if isinstance(event, _CONTENT) else event
        self.boss.sink.report(tagged)

    async def room(self) -> None:
        await self.boss.sink.room()


@asynccontextmanager
async def delegate(
    boss: Turn, name: str, *, description: str, subagent_id: str | None = None, call_id: str | None = None
) -> AsyncIterator[Delegate]:
    """Hand a part of the work to a subagent while the block lasts.

    A :class:`TurnFailed` in the block fails the subagent and not the turn. A block left in any other way leaves
    the subagent at work, and the turn's own end says what became of it.

    Args:
        boss: Who hands it over, the agent or a subagent itself.
        name: What the subagent is called.
        description: What it is to do.
        subagent_id: Names the invocation; one that was suspended goes on under its id.
        call_id: The tool call that spawned it.
    """
    key = subagent_id or boss.means.new_id()
    parent = boss.id if isinstance(boss, Delegate) else None
    started = SubagentStarted(id=key, name=name, description=description, parent_id=parent, call_id=call_id)
    await boss.emit(started)
    turn = Delegate(boss, key)
    try:
        yield turn
    except TurnFailed as failure:
        await boss.emit(SubagentFailed(key, failure.message, failure.code))
    else:
        if not turn.waits:
            await boss.emit(SubagentFinished(key))
