"""A turn that waited for a person, taken up again: its place in the history, and what becomes of its calls.

The history of the request says where the calls are; the store says in which form the model made them and what was
already done about them. Every answer is read before the first is acted on, so a bad one among good ones changes
nothing.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from ag_ui.core import ResumeEntry

from chat_app.agent.forms import INVALID_ANSWER
from chat_app.agent.loop import UNFINISHED, AgentLoop
from chat_app.agent.servers import Observation
from chat_app.agent.step import Report
from chat_app.agent.store import Asked, SuspendedTurn, TurnStore
from chat_app.agent.transcript import (
    AssistantEntry,
    Entry,
    ToolCall,
    ToolEntry,
    UserEntry,
    call_ids,
    open_calls,
)
from chat_app.agent.turn import TurnFailed
from chat_app.agent.turn_events import ToolBlocked, ToolCompleted
from chat_app.agent.verdicts import Allowed, Verdict, question_id, read_verdict

logger = logging.getLogger(__name__)

IN_PROGRESS: Final = "ANSWER_IN_PROGRESS"
PATIENCE: Final = timedelta(minutes=2)
"""How long an answer that was begun elsewhere is believed to be still at work."""
UNKNOWN: Final = Observation(
    "This was approved and begun before, and nobody knows whether it took effect. Find out before you try again.",
    is_error=True,
)


@dataclass(frozen=True, slots=True)
class Past:
    """A history cut at the turn that waits: up to its last step, and what the person wrote after it."""

    before: tuple[Entry, ...]
    after: tuple[Entry, ...]


def restored(history: Sequence[Entry], turn: SuspendedTurn | None) -> Past:
    """Cut a history at the last step that calls something, and put the kept steps in the place of what the wire has.

    A history that does not hold the turn's calls any more was edited; then what came is the conversation.
    """
    calling = [at for at, entry in enumerate(history) if isinstance(entry, AssistantEntry) and entry.calls]
    lines = [at for at, entry in enumerate(history) if isinstance(entry, UserEntry)]
    last = calling[-1] if calling else -1
    start = max((at for at in lines if at < last), default=-1) + 1
    end = min((at for at in lines if at > last), default=len(history))
    segment = history[start:end]
    if turn is not None and call_ids(turn.entries) <= call_ids(segment):
        segment = _kept(turn, segment)
    return Past((*history[:start], *segment), tuple(history[end:]))


def _kept(turn: SuspendedTurn, segment: Sequence[Entry]) -> Sequence[Entry]:
    """Give the kept steps with the answers that came since, such as those of the client's own tools."""
    known = {entry.call_id for entry in turn.entries if isinstance(entry, ToolEntry)}
    since = [entry for entry in segment if isinstance(entry, ToolEntry) and entry.call_id not in known]
    return (*turn.entries, *since)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumption:
    """Acts on the answers that came with a request.

    Attributes:
        loop: Holds the turn that waits, as far as it got.
        report: Told what becomes of the calls.
        store: Remembers what was done; None when nothing outlives a request.
        kept: The turn as the store has it; None when it has none.
    """

    loop: AgentLoop
    report: Report
    thread_id: str
    now: Callable[[], datetime]
    store: TurnStore | None = None
    kept: SuspendedTurn | None = None

    async def settle(self, entries: Sequence[ResumeEntry]) -> list[ToolCall]:
        """Act on every answer and return the calls that still wait for one.

        Raises:
            TurnFailed: an answer cannot be used, or is being acted on at this moment. It may be given again.
        """
        waiting = [call for call in open_calls(self.loop.transcript) if self._asks(call)]
        verdicts = _verdicts(entries, {question_id(call): call for call in waiting})
        undecided: list[ToolCall] = []
        for call in open_calls(self.loop.transcript):
            if call.id in verdicts or self._asked(self.kept, call).result is not None:
                await self.carry_out(call, verdicts.get(call.id))
            elif call in waiting:
                undecided.append(call)
            else:
                # A call of a run that was stopped, or one its client never answered.
                self.loop.answer(call, Observation(UNFINISHED, is_error=True))
        return undecided

    def _asks(self, call: ToolCall) -> bool:
        spec = self.loop.spec(call.name)
        return (spec is not None and spec.asks) or self._is_kept(call)

    def _is_kept(self, call: ToolCall) -> bool:
        return self.kept is not None and any(asked.call.id == call.id for asked in self.kept.questions)

    async def carry_out(self, call: ToolCall, verdict: Verdict | None) -> None:
        """Do what was decided, unless it was done before: then the first result stands."""
        if (known := await self._done_before(call)) is not None or verdict is None:
            observation = known or UNKNOWN
            self.loop.answer(call, observation)
            await self.report(ToolCompleted(call.id, observation.text))
            return
        if isinstance(verdict, Allowed):
            observation = await self.loop.perform(call, verdict.edited)
        else:
            observation = verdict.observation
            self.loop.answer(call, observation)
            await self.report(ToolBlocked(call.id, observation.text))
        if self.store is not None and self._is_kept(call):
            await self.store.conclude(self.thread_id, question_id(call), observation)

    async def _done_before(self, call: ToolCall) -> Observation | None:
        """Take the question, and say what its first answer gave when somebody was here before."""
        if self.store is None or not self._is_kept(call):
            return None
        key = question_id(call)
        if await self.store.begin(self.thread_id, key):
            return None
        asked = self._asked(await self.store.find(self.thread_id, [key]), call)
        if asked.result is None and asked.begun is not None and self.now() - asked.begun < PATIENCE:
            raise TurnFailed(
                "This answer is being acted on already; ask again in a moment.", code=IN_PROGRESS
            )
        return asked.result or UNKNOWN

    @staticmethod
    def _asked(turn: SuspendedTurn | None, call: ToolCall) -> Asked:
        questions = turn.questions if turn is not None else ()
        nothing = Asked(question_id(call), call)
        return next((asked for asked in questions if asked.call.id == call.id), nothing)


def _verdicts(entries: Sequence[ResumeEntry], waiting: Mapping[str, ToolCall]) -> dict[str, Verdict]:
    """Read all answers, by call. Those to no open question answer nothing and are left out with a warning."""
    found: dict[str, Verdict] = {}
    for entry in entries:
        call = waiting.get(entry.interrupt_id)
        if call is None:
            logger.warning("Ignored an answer to %r, which is no open question.", entry.interrupt_id)
        elif call.id in found:
            raise TurnFailed("One question was answered twice.", code=INVALID_ANSWER)
        else:
            found[call.id] = read_verdict(entry)
    return found
