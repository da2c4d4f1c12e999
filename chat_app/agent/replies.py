"""What a resumed turn said, kept whole and said again to whoever sends the same answers once more.

The result of a call alone would not do: a model asked twice says two things, and may call something else the second
time. So the reply is claimed before the model is asked, kept when it ended well, and given back when it did not.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import anyio

from chat_app.agent.resumption import IN_PROGRESS, PATIENCE
from chat_app.agent.sse import compact_json
from chat_app.agent.step import Report
from chat_app.agent.store import Reply, StillAnswering, SuspendedTurn, TurnStore
from chat_app.agent.transcript import AssistantEntry, Entry, ToolEntry, dump_entries
from chat_app.agent.turn import TurnFailed
from chat_app.agent.turn_events import (
    MessageCompleted,
    TextDelta,
    ThinkingDelta,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    TurnCompleted,
    TurnEnd,
    TurnPaused,
)

LAST_WORDS: Final = 0.5
"""Seconds a turn that is being stopped has to give its reply back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replies:
    """The reply to one resumed turn.

    Attributes:
        after: What the person wrote after the questions.
    """

    store: TurnStore
    turn: SuspendedTurn
    after: Sequence[Entry]

    async def first(self) -> Reply | None:
        """Give the reply that was said before; None when it is now to be said, and then kept or given back.

        Raises:
            TurnFailed: it is being said at this moment. It may be asked for again.
        """
        try:
            return await self.store.claim(self.turn.id, patience=PATIENCE)
        except StillAnswering as busy:
            raise TurnFailed(
                "This answer is being acted on already; ask again in a moment.", code=IN_PROGRESS
            ) from busy

    def is_same(self, reply: Reply) -> bool:
        """Tell whether a reply was said to what the person wrote now, and not to another line."""
        return reply.after == mark(self.after)

    async def conclude(self, end: TurnEnd | None, entries: Sequence[Entry]) -> None:
        """Keep the reply when the turn ended well; otherwise let it be asked for anew."""
        with anyio.move_on_after(LAST_WORDS, shield=True):
            if not isinstance(end, TurnCompleted | TurnPaused):
                await self.store.release(self.turn.id)
                return
            asked = end.questions if isinstance(end, TurnPaused) else ()
            calls = tuple(question.call_id for question in asked if question.call_id is not None)
            await self.store.keep_reply(
                self.turn.id, Reply(after=mark(self.after), entries=tuple(entries), asked=calls)
            )


def mark(entries: Sequence[Entry]) -> str:
    """Give what stands for these entries: the same for the same, and for no others."""
    return hashlib.sha256(compact_json(dump_entries(entries)).encode("utf-8", "surrogatepass")).hexdigest()


async def say_again(entries: Sequence[Entry], report: Report) -> None:
    """Report what was said and done as it was the first time. Nothing is run."""
    for entry in entries:
        if isinstance(entry, AssistantEntry):
            await _step(entry, report)
        elif isinstance(entry, ToolEntry):
            await report(ToolCompleted(entry.call_id, entry.text))


async def _step(entry: AssistantEntry, report: Report) -> None:
    await report(ThinkingDelta(entry.thinking))
    await report(TextDelta(entry.text))
    for call in entry.calls:
        await report(ToolcallDelta(call.id, name=call.name))
        await report(ToolcallDelta(call.id, call.arguments))
        await report(ToolcallCompleted(call.id))
    await report(MessageCompleted())
