"""The mind that thinks with a language model: a loop prepared from the request, worked for one turn.

Everything wire is read here and nothing further in: the loop gets entries, tools and a callback. What cannot be
read off the request, a turn that waits for a person, is kept in the store.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from pydantic import JsonValue

from chat_app.agent.budget import Budget
from chat_app.agent.catalogue import CatalogueClash
from chat_app.agent.control import Control
from chat_app.agent.conversation import Conversation
from chat_app.agent.desk import Desk
from chat_app.agent.dispatch import read_arguments
from chat_app.agent.grants import Grant
from chat_app.agent.live_decision import decided_live
from chat_app.agent.loop import AgentLoop, Around
from chat_app.agent.models.interface import ModelClient
from chat_app.agent.opening import DEFAULT_SYSTEM, LoopInput
from chat_app.agent.outcome import LoopAbort, Outcome, Status
from chat_app.agent.replies import Replies, say_again
from chat_app.agent.resumption import Past, Resumption, restored
from chat_app.agent.runner import AgentRunner
from chat_app.agent.self_tools import ClientTools, Handlers
from chat_app.agent.servers import ToolServer
from chat_app.agent.shown import ShownServer
from chat_app.agent.spawn import Nest, SubagentTools
from chat_app.agent.store import Asked, Reply, SuspendedTurn, TurnStore
from chat_app.agent.switchboard import Switchboard, UnknownModel
from chat_app.agent.transcript import Entry, ToolCall, UserEntry, calls_of, open_calls
from chat_app.agent.turn import Turn, TurnFailed
from chat_app.agent.turn_events import (
    StateChanged,
    StreamReset,
    TurnCancelled,
    TurnCompleted,
    TurnEnd,
    TurnError,
    TurnPaused,
)
from chat_app.agent.usage import Account, UsageLedger
from chat_app.agent.verdicts import question_about, question_id
from chat_app.agent.wire_history import answered, client_tools, read_history, written
from chat_app.agent.work import Work

NOTHING_ASKED: Final = "NOTHING_ASKED"
TOOL_CLASH: Final = "TOOL_CLASH"
UNKNOWN_MODEL: Final = "MODEL_UNKNOWN"

# How a turn is told that ended without an answer; {steps} and {tokens} are those of the budget.
CUTS: Final[Mapping[Status, str]] = {
    Status.EXHAUSTED_STEPS: "The agent stopped after {steps} steps, the most one turn may take.",
    Status.EXHAUSTED_TOKENS: "The agent stopped, because the turn had used up its {tokens} tokens.",
    Status.DEADLINE: "The agent stopped, because the turn took longer than {seconds:g} s.",
    Status.REFUSED: "The model withheld its answer.",
    Status.STALLED: "The model gave no answer.",
    Status.LOOP_DETECTED: "The agent stopped, because it repeated the same calls without getting anywhere.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelMind:
    """Plans turns that a model works.

    Attributes:
        client: Reaches the models, each by its name.
        model: The one that answers unless another is asked for.
        switchboard: Those that may be asked for, and the turns that can still change theirs.
        servers: The tool servers, in order.
        store: Keeps turns that wait for a person; None when nothing outlives a request.
        budget: What a turn may take, anew for each.
        system: Says who the model is.
        grants: What it may call.
        asks: Patterns of tools that a person decides on, beside those that say so themselves.
    """

    client: ModelClient
    model: str
    servers: Sequence[ToolServer] = ()
    store: TurnStore | None = None
    budget: Budget = field(default_factory=lambda: Budget(max_steps=25, max_tokens=200_000, seconds=600.0))
    system: str = DEFAULT_SYSTEM
    grants: tuple[Grant, ...] = ()
    asks: Grant = Grant(())  # noqa: RUF009 - it is frozen
    switchboard: Switchboard = field(default_factory=Switchboard)

    def __call__(self, conversation: Conversation) -> Work:
        """Plan the turn, with the model that the request names or else the one its thread was left with."""
        wanted = conversation.wanted_model
        known = wanted is None or wanted == self.model or wanted in self.switchboard.models
        return Work(
            play=partial(_play, self),
            model=wanted if wanted is not None and known else self.model,
            stays=() if wanted is not None and known else self.switchboard.models,
            counts_words=False,
        )

    def check(self, wanted: str | None) -> None:
        """Refuse a model that is not on offer.

        Raises:
            UnknownModel: it is not.
        """
        if wanted is not None and wanted != self.model:
            self.switchboard.check(wanted)


async def _play(mind: ModelMind, turn: Turn) -> TurnEnd:
    """Work the turn: act on the answers that came along, then think."""
    job = _Job(mind, turn)
    try:
        mind.check(turn.conversation.wanted_model)
        return await job.run()
    except UnknownModel as unknown:
        raise TurnFailed(str(unknown), code=UNKNOWN_MODEL) from unknown
    except LoopAbort as abort:
        raise TurnFailed(abort.message, code=abort.code) from abort
    except CatalogueClash as clash:
        raise TurnFailed(str(clash), code=TOOL_CLASH) from clash


class _Job:
    """One turn of one request."""

    def __init__(self, mind: ModelMind, turn: Turn) -> None:
        self._mind = mind
        self._turn = turn
        self._app = turn.conversation.app
        self._model = turn.model or mind.model
        self._begun = 0

    async def run(self) -> TurnEnd:
        conversation = self._turn.conversation
        history = read_history(conversation.messages)
        kept = await self._kept(history)
        past = restored(history, kept)
        if not any(isinstance(entry, UserEntry) for entry in (*past.before, *past.after)):
            raise TurnFailed("There is no line in this conversation to answer.", code=NOTHING_ASKED)
        account = Account(UsageLedger())
        control = Control()
        loop = await self._prepare(past, account, control)
        still_open = await self._resumption(loop, kept).settle(conversation.resume)
        self._turn.history = answered(conversation.messages, loop.transcript, self._turn.means.new_id)
        loop.recall(past.after)
        self._begun = loop.transcript_len
        desk = self._turn.means.desk
        if still_open and desk is None:
            return self._paused(loop, still_open)
        if still_open and desk is not None:
            await self._decide_live(loop, still_open, desk)
        runner = AgentRunner(
            loop,
            self._mind.client,
            budget=lambda: self._mind.budget,
            account=account,
            control=control,
            restarting=partial(self._restarting, loop),
        )
        replies = self._replies(kept, past)
        return await (self._work(runner) if replies is None else self._reply(runner, replies))

    def _replies(self, kept: SuspendedTurn | None, past: Past) -> Replies | None:
        if kept is None or self._mind.store is None:
            return None
        return Replies(store=self._mind.store, turn=kept, after=past.after)

    async def _reply(self, runner: AgentRunner, replies: Replies) -> TurnEnd:
        """Say what was said to these answers before, or work and keep what is said."""
        first = await replies.first()
        if first is not None:
            return await (self._again(runner.loop, first) if replies.is_same(first) else self._work(runner))
        begun = runner.loop.transcript_len
        end: TurnEnd | None = None
        try:
            end = await self._work(runner)
        finally:
            await replies.conclude(end, runner.loop.transcript[begun:])
        return end

    async def _again(self, loop: AgentLoop, reply: Reply) -> TurnEnd:
        loop.recall(reply.entries)
        await say_again(reply.entries, self._turn.emit)
        asked = [call for call in calls_of(reply.entries) if call.id in reply.asked]
        return self._paused(loop, asked) if asked else TurnCompleted()

    async def _work(self, runner: AgentRunner) -> TurnEnd:
        """Work until the turn is over, swaps and decisions on the way included."""
        with self._mind.switchboard.under_way(self._turn.conversation.thread_id, runner):
            end = await self._to_the_end(runner)
        before = runner.loop.model
        runner.settle()
        if runner.loop.model != before:  # asked for meanwhile, for the turns to come
            await self._turn.emit(StateChanged(model=runner.loop.model))
        return end

    async def _to_the_end(self, runner: AgentRunner) -> TurnEnd:
        desk = self._turn.means.desk
        while True:
            outcome = (await runner.work()).outcome
            asked = [waiting.call for waiting in outcome.waiting if waiting.decision]
            if desk is None or not asked:
                return await self._end(runner.loop, outcome)
            await self._decide_live(runner.loop, asked, desk)
            if len(asked) < len(outcome.waiting):  # the client's own tools are still to be answered
                return TurnCompleted()

    async def _decide_live(self, loop: AgentLoop, calls: Sequence[ToolCall], desk: Desk) -> None:
        """Wait for a decision on each call and act on it; they are kept, so that none is acted on twice."""
        resumption = self._resumption(loop, await self._suspend(loop, calls))
        for call in calls:
            verdict = await decided_live(self._turn, desk, call, loop.spec(call.name))
            await resumption.carry_out(call, verdict)

    async def _restarting(self, loop: AgentLoop) -> None:
        """Take back what was said of a turn that begins again with another model."""
        await self._turn.emit(StreamReset())
        since = written(loop.transcript[self._begun :], self._turn.means.new_id)
        await self._turn.compact([*self._turn.history, *since])
        await self._turn.emit(StateChanged(model=loop.model))

    async def _kept(self, history: Sequence[Entry]) -> SuspendedTurn | None:
        """Give the waiting turn that the history's open calls belong to.

        One whose calls the history does not hold as they were made is of a branch that was edited away.
        """
        waiting = [question_id(call) for call in open_calls(history)]
        if self._mind.store is None or not waiting:
            return None
        turn = await self._mind.store.find(self._turn.conversation.thread_id, waiting)
        made = {call.id: call for call in calls_of(history)}
        known = turn is not None and all(
            _same(asked.call, made.get(asked.call.id)) for asked in turn.questions
        )
        return turn if known else None

    async def _prepare(self, past: Past, account: Account, control: Control) -> AgentLoop:
        mind, thread_id = self._mind, self._turn.conversation.thread_id
        servers = [ShownServer(server, mind.asks, self._show) for server in mind.servers]
        around = Around(report=self._turn.emit, new_id=self._turn.means.new_id)
        nest = Nest(
            servers=servers,
            client=mind.client,
            account=account,
            control=control,
            budget=mind.budget,
            around=around,
            thread_id=thread_id,
        )
        handlers = Handlers(
            {
                "the page": ClientTools(client_tools(self._turn.conversation)),
                "the agent itself": SubagentTools(nest),
            }
        )
        given = LoopInput(
            system=mind.system,
            history=past.before,
            grants=mind.grants,
            thread_id=thread_id,
            model=self._model,
        )
        return await AgentLoop.prepare(servers, given, handlers, around=around)

    def _resumption(self, loop: AgentLoop, kept: SuspendedTurn | None) -> Resumption:
        return Resumption(
            loop=loop,
            report=self._turn.emit,
            thread_id=self._turn.conversation.thread_id,
            now=self._turn.means.now,
            store=self._mind.store,
            kept=kept,
        )

    async def _show(self, server: str, state: JsonValue) -> None:
        """Put what a server shows under its name, beside what others show."""
        self._app = {**(self._app if isinstance(self._app, dict) else {}), server: state}
        await self._turn.set_app_state(self._app)

    async def _end(self, loop: AgentLoop, outcome: Outcome) -> TurnEnd:
        match outcome.status:
            case Status.COMPLETED:
                return TurnCompleted()
            case Status.CANCELLED:
                return TurnCancelled()
            case Status.SUSPENDED:
                asked = [waiting.call for waiting in outcome.waiting if waiting.decision]
                if not asked:  # the client runs them and comes back with the answers
                    return TurnCompleted()
                await self._suspend(loop, asked)
                return self._paused(loop, asked)
            case status:
                return TurnError(self._cut(status), status.upper())

    def _cut(self, status: Status) -> str:
        budget = self._mind.budget
        words = CUTS[status].format(
            steps=budget.max_steps, tokens=budget.max_tokens, seconds=budget.seconds or 0.0
        )
        return f"{words} What it said so far is kept."

    def _paused(self, loop: AgentLoop, calls: Sequence[ToolCall]) -> TurnPaused:
        return TurnPaused(tuple(question_about(call, loop.spec(call.name)) for call in calls))

    async def _suspend(self, loop: AgentLoop, calls: Sequence[ToolCall]) -> SuspendedTurn | None:
        if self._mind.store is None:
            return None
        turn = SuspendedTurn(
            id=self._turn.means.new_id(),
            thread=self._turn.conversation.thread_id,
            model=loop.model,
            entries=_since_the_last_line(loop.transcript),
            questions=tuple(Asked(question_id(call), call) for call in calls),
        )
        await self._mind.store.suspend(turn)
        return turn


def _since_the_last_line(transcript: Sequence[Entry]) -> tuple[Entry, ...]:
    last = max((at for at, entry in enumerate(transcript) if isinstance(entry, UserEntry)), default=-1)
    return tuple(transcript[last + 1 :])


def _same(kept: ToolCall, made: ToolCall | None) -> bool:
    """Compare a kept call with the history's; a client may write the same arguments another way."""
    if made is None or made.name != kept.name:
        return False
    return read_arguments(made.arguments) == read_arguments(kept.arguments)
