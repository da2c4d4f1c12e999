"""The session: one thread with one agent, from what a person says to what is drawn.

A session holds a transport, the history a request carries, the transcript a page draws, the shared
state, the frontend tools and the open questions. One exchange runs at a time; a second caller waits its
turn. The transport belongs to whoever made it and is never closed here.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Generic, TypedDict, TypeVar, Unpack

from ag_ui.core import ContentPart, Context, RunAgentInput, Tool
from pydantic import JsonValue

from chat_app.agui.conversation import Conversation
from chat_app.agui.driver import RunDriver, Wiring
from chat_app.agui.errors import ThreadInterrupted, UsageError
from chat_app.agui.events import (
    Event,
    Interrupt,
    LocalMessage,
    LogEntry,
    Message,
    ReasoningMessage,
    ResumeEntry,
    RunErrorEvent,
    RunStartedEvent,
    ToolMessage,
    UserMessage,
)
from chat_app.agui.exchange import Exchange
from chat_app.agui.history import Applier
from chat_app.agui.ids import Ids
from chat_app.agui.interrupts import check_answers
from chat_app.agui.profiles import TOLERANT, Profile
from chat_app.agui.remote import RemoteAgent
from chat_app.agui.requests import Answers, RunParams, adjacent, commanded, sort_answers
from chat_app.agui.subagents import Subagent
from chat_app.agui.tools import Answer, FrontendTool, ToolRegistry
from chat_app.agui.transcript import Transcript, TranscriptReducer
from chat_app.agui.transport.base import Transport
from chat_app.agui.typed_state import TypedState
from chat_app.agui.updates import Diagnostic, Done, RowChange, RunEnd, RunEnded, Success, Trouble, Update
from chat_app.agui.versions import PROTOCOL_VERSION

S = TypeVar("S")

MAX_FOLLOW_UPS = 25
TOO_MANY_FOLLOW_UPS = "TOO_MANY_FOLLOW_UPS"
"""The code of an exchange that ended because its tools kept calling for another run."""

NO_PARAMS = RunParams()
"""An exchange without wishes of its own."""

_log = logging.getLogger(__name__)


class Options(TypedDict, Generic[S], total=False):
    """The keywords of a session, for whoever passes them on."""

    messages: Sequence[Message]
    state: JsonValue
    state_type: type[S] | None
    tools: Iterable[FrontendTool | Tool]
    context: Sequence[Context]
    forwarded_props: Mapping[str, JsonValue]
    profile: Profile
    on_event: Callable[[Event, tuple[RowChange, ...]], None] | None
    on_local: Callable[[LocalMessage, tuple[RowChange, ...]], None] | None
    on_diagnostic: Callable[[Diagnostic], None] | None
    now: Callable[[], datetime]
    new_id: Callable[[], str] | None
    max_follow_ups: int


class Session(Generic[S]):
    """One thread with one agent.

    ``tools`` are frontend tools, which this side answers for, and bare declarations, which the caller
    does. ``on_event`` hears every event after it was folded, in order, with the rows it changed; the
    client's own closing of a run is among them, as RUN_ERROR. ``on_local`` hears the messages that were
    added on this side. A log of both folds to the same thread again: see ``restore``.

    Raises:
        TypeError: ``transport`` is no transport.
    """

    def __init__(  # noqa: PLR0913 - independent, named options of one object
        self,
        transport: Transport,
        thread_id: str,
        *,
        messages: Sequence[Message] = (),
        state: JsonValue = None,
        state_type: type[S] | None = None,
        tools: Iterable[FrontendTool | Tool] = (),
        context: Sequence[Context] = (),
        forwarded_props: Mapping[str, JsonValue] = MappingProxyType({}),
        profile: Profile = TOLERANT,
        on_event: Callable[[Event, tuple[RowChange, ...]], None] | None = None,
        on_local: Callable[[LocalMessage, tuple[RowChange, ...]], None] | None = None,
        on_diagnostic: Callable[[Diagnostic], None] | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        new_id: Callable[[], str] | None = None,
        max_follow_ups: int = MAX_FOLLOW_UPS,
    ) -> None:
        self._transport = _checked(transport)
        self._thread_id = thread_id
        self._context = tuple(context)
        self._forwarded_props = dict(forwarded_props)
        self._profile = profile
        self._on_event = on_event
        self._on_local = on_local
        self._report = on_diagnostic or _logged
        self._now = now
        self._max_follow_ups = max_follow_ups
        self._lock = asyncio.Lock()
        self._ids = Ids(thread_id, new_id)
        self._typed: TypedState[S] = TypedState(state_type)
        self.set_tools(tools)
        self._conversation = Conversation(
            messages, state, waits=self._waits, report=self._report, ask_tools=self._registry.asking
        )
        self._conversation.ledger.advertise(self._names())
        for message in messages:
            self._ids.seen(message.id)

    @classmethod
    def restore(
        cls,
        transport: Transport,
        thread_id: str,
        log: Iterable[LogEntry],
        *,
        pending: Sequence[Interrupt] = (),
        owed: Sequence[ResumeEntry] = (),
        **options: Unpack[Options[S]],
    ) -> "Session[S]":
        """Return the session that a log was written by.

        ``pending`` are the questions still open and ``owed`` the answers sent but not known to have
        arrived, both as the application stored them: no log can tell what a person has decided since.
        """
        session = cls(transport, thread_id, **options)
        session._fold_log(log)
        session._conversation.reopen(pending, owed)
        return session

    # ------------------------------------------------------------ exchanges

    def send(
        self,
        content: str | Sequence[ContentPart],
        *,
        message_id: str | None = None,
        params: RunParams = NO_PARAMS,
    ) -> Exchange:
        """Say something as the person and run the agent on it."""
        plan = _Plan(params, say=lambda: self._line(content, message_id), dismisses=True)
        return Exchange(lambda: self._exchange(plan))

    def send_message(self, message: Message, params: RunParams = NO_PARAMS) -> Exchange:
        """Add a message of any role and run the agent on it."""
        return Exchange(lambda: self._exchange(_Plan(params, say=lambda: message, dismisses=True)))

    def run(self, params: RunParams = NO_PARAMS) -> Exchange:
        """Run the agent on the thread as it stands: a retry, or after a message was pushed."""
        return Exchange(lambda: self._exchange(_Plan(params)))

    def resume(
        self, entries: Sequence[ResumeEntry], params: RunParams = NO_PARAMS, *, then: str | None = None
    ) -> Exchange:
        """Answer the open questions, all of them; with ``then``, say something in the same request."""
        say = None if then is None else lambda: self._line(then, None)
        plan = _Plan(params, entries=tuple(entries), say=say, dismisses=then is not None)
        return Exchange(lambda: self._exchange(plan))

    async def _exchange(self, plan: "_Plan") -> AsyncGenerator[Update, None]:
        async with self._lock:
            self._admit(plan)
            for update in self._speak(plan):
                yield update
            params, follow_ups = plan.params, 0
            while True:
                async with aclosing(self._driver(params).drive()) as updates:
                    async for update in updates:
                        yield update
                if not self._follows_up():
                    break
                if follow_ups == self._max_follow_ups:
                    for update in self._give_up():
                        yield update
                    break
                follow_ups += 1
                params = replace(params, run_id=None)
            yield Done(self._ended())

    # ------------------------------------------------------------ between exchanges

    def push_message(self, message: Message) -> None:
        """Add a message without running: the answer to a call, a note of the application.

        Raises:
            UsageError: A run is under way.
        """
        self._refuse_when_busy()
        self._fold_local(message)

    def set_state(self, value: JsonValue) -> None:
        """Replace the shared state that the next request carries.

        Raises:
            UsageError: A run is under way.
        """
        self._refuse_when_busy()
        self._conversation.applier.state = value

    def set_tools(self, tools: Iterable[FrontendTool | Tool]) -> None:
        """Offer these tools from the next run on.

        Raises:
            ConfigError: Two frontend tools share a name.
        """
        given = tuple(tools)
        self._declared = tuple(tool for tool in given if isinstance(tool, Tool))
        self._registry = ToolRegistry(tool for tool in given if not isinstance(tool, Tool))

    # ------------------------------------------------------------ reading

    @property
    def thread_id(self) -> str:
        """The thread this session talks on, for good."""
        return self._thread_id

    @property
    def busy(self) -> bool:
        """Whether an exchange is under way, its follow-up runs and the time between them included."""
        return self._lock.locked()

    @property
    def transcript(self) -> Transcript:
        """What is drawn, frozen; messages that did not change since the last look are the same objects."""
        return self._conversation.reducer.snapshot()

    @property
    def reducer(self) -> TranscriptReducer:
        """The one reducer of the thread."""
        return self._conversation.reducer

    @property
    def applier(self) -> Applier:
        """The history and state behind the next request."""
        return self._conversation.applier

    @property
    def messages(self) -> tuple[Message, ...]:
        """The history, oldest first."""
        return self._conversation.applier.messages

    @property
    def reasoning(self) -> tuple[ReasoningMessage, ...]:
        """The agent's thoughts, oldest first."""
        return self._conversation.applier.reasoning

    @property
    def state(self) -> S | None:
        """The last state the agent sent that fits, None when it never sent one."""
        return self._typed.value

    @property
    def state_stale(self) -> bool:
        """Whether the agent sent a later state that does not fit."""
        return self._typed.stale

    @property
    def state_seen(self) -> bool:
        """Whether the agent ever sent a state."""
        return self._conversation.applier.state_seen

    @property
    def raw_state(self) -> JsonValue:
        """The state as JSON, always current."""
        return self._conversation.applier.state

    @property
    def predicted_state(self) -> JsonValue:
        """The state with previews of what running calls will make of it; only ever for showing."""
        return self._conversation.predictor.over(self.raw_state)

    @property
    def interrupts(self) -> tuple[Interrupt, ...]:
        """The questions the last run ended on."""
        return self._conversation.applier.interrupts

    @property
    def pending_interrupts(self) -> tuple[Interrupt, ...]:
        """The questions that are open: a failed run leaves them so."""
        return self._conversation.pending

    @property
    def owed(self) -> tuple[ResumeEntry, ...]:
        """The answers that were sent and are not known to have arrived; the next run carries them again."""
        return self._conversation.owed

    @property
    def asked_calls(self) -> tuple[str, ...]:
        """The calls of frontend tools that wait for a person, oldest first."""
        return self._conversation.ledger.asked

    @property
    def end(self) -> RunEnd | None:
        """How the last run ended."""
        return self._conversation.end

    @property
    def subagents(self) -> tuple[Subagent, ...]:
        """Every invocation of a subagent that was announced."""
        return tuple(self._conversation.applier.subagents)

    def subagent(self, subagent_run_id: str) -> Subagent | None:
        """Return one invocation of a subagent."""
        return self._conversation.applier.subagents.get(subagent_run_id)

    @property
    def agent(self) -> RemoteAgent:
        """The agent without the session: its events as they come, unfolded."""
        return RemoteAgent(self._transport, self._profile, new_id=self._ids.message, report=self._report)

    # ------------------------------------------------------------ admitting

    def _admit(self, plan: "_Plan") -> None:
        """Refuse what would break the protocol, before anything is drawn or sent."""
        conversation = self._conversation
        if plan.entries is None:
            self._refuse_open_questions()
        elif plan.entries or conversation.pending:
            check_answers(plan.entries, conversation.pending, self._now())
            conversation.owed = plan.entries
        if conversation.ledger.asked and not plan.dismisses:
            waiting = ", ".join(map(repr, conversation.ledger.asked))
            raise UsageError(f"These calls wait for a person's answer: {waiting}.")
        if plan.params.run_id is not None and self._ids.is_seen(plan.params.run_id):
            raise UsageError(f"The run id {plan.params.run_id!r} was used on this thread before.")

    def _refuse_open_questions(self) -> None:
        conversation = self._conversation
        if not conversation.pending:
            return
        if not conversation.owed:
            raise ThreadInterrupted(
                "The agent waits for answers. Running it without them would be refused, or would go past its"
                " questions; resume carries them."
            )
        check_answers(conversation.owed, conversation.pending, self._now())

    def _refuse_when_busy(self) -> None:
        if self.busy:
            raise UsageError("A run is under way; wait for it to end.")

    # ------------------------------------------------------------ speaking

    def _speak(self, plan: "_Plan") -> Iterator[Update]:
        """Answer the calls that are still owed an answer, then add what the person says."""
        ledger = self._conversation.ledger
        if plan.dismisses:
            ledger.dismiss()
        for call_id, answer in list(ledger.owed.items()):
            ledger.answered(call_id)
            if not self._conversation.is_answered(call_id):
                self._report_default(call_id, answer)
                yield from self._fold_local(answer.message(self._ids.message(), call_id))
        self._conversation.send_answers()
        if plan.say is not None:
            yield from self._fold_local(plan.say())

    def _report_default(self, call_id: str, answer: Answer) -> None:
        words = f"Call {call_id!r} was answered for nobody: {answer.content}"
        self._report(Diagnostic("answered-by-default", words))

    def _line(self, content: str | Sequence[ContentPart], message_id: str | None) -> UserMessage:
        said = content if isinstance(content, str) else list(content)
        return UserMessage(id=message_id or self._ids.message(), role="user", content=said)

    def _fold_local(self, message: Message) -> tuple[Update, ...]:
        self._ids.seen(message.id)
        entry = LocalMessage(message)
        folded = self._conversation.fold(entry)
        self._tap(entry, folded.rows)
        return folded.updates

    # ------------------------------------------------------------ running

    def _driver(self, params: RunParams) -> RunDriver:
        self._conversation.send_answers()
        answers = sort_answers(self._conversation.owed, self._conversation.pending)
        carried = tuple(
            ToolMessage(id=self._ids.message(), role="tool", tool_call_id=call_id, content=content)
            for call_id, content in answers.by_call.items()
        )
        wiring = Wiring(
            transport=self._transport,
            conversation=self._conversation,
            profile=self._profile,
            registry=self._registry,
            ids=self._ids,
            tap=self._tap,
            report=self._report,
            typed=self._typed.heed,
        )
        return RunDriver(wiring, self._request(params, answers, carried), carried)

    def _request(self, params: RunParams, answers: Answers, carried: Sequence[ToolMessage]) -> RunAgentInput:
        run_id = params.run_id or self._ids.run()
        self._ids.seen(run_id)
        tools = (*params.tools, *self._declared, *self._registry.declarations)
        self._advertise([tool.name for tool in tools])
        messages = adjacent((*self._conversation.applier.outgoing(), *carried))
        state = self._conversation.applier.state
        return RunAgentInput(
            thread_id=self._thread_id,
            run_id=run_id,
            protocol_version=PROTOCOL_VERSION,
            messages=messages,
            state={} if state is None else state,
            tools=list(tools),
            context=[*self._context, *params.context],
            forwarded_props=commanded({**self._forwarded_props, **params.forwarded_props}, answers),
            resume=list(answers.entries) or None,
        )

    def _advertise(self, names: Sequence[str]) -> None:
        self._conversation.ledger.advertise(frozenset(names))
        for name, times in Counter(names).items():
            if times > 1:
                self._report(Diagnostic("duplicate-tool", f"The tool {name!r} is offered {times} times"))

    def _follows_up(self) -> bool:
        """Tell whether answers of the run that ended call for another run."""
        conversation = self._conversation
        if not isinstance(conversation.end, Success) or conversation.ledger.asked:
            return False
        calls = map(conversation.applier.call, conversation.unsent)
        return any(call is None or self._registry.follows_up(call.name) for call in calls)

    def _give_up(self) -> Iterator[Update]:
        words = f"The agent's tools called for more than {self._max_follow_ups} runs in a row."
        event = RunErrorEvent(message=words, code=TOO_MANY_FOLLOW_UPS)
        folded = self._conversation.fold(event)
        self._tap(event, folded.rows)
        yield from folded.updates
        yield Trouble(UsageError(words))
        yield RunEnded(self._ended())

    def _ended(self) -> RunEnd:
        assert self._conversation.end is not None, "a run has just ended"
        return self._conversation.end

    # ------------------------------------------------------------ inside

    def _tap(self, entry: LogEntry, rows: tuple[RowChange, ...]) -> None:
        if isinstance(entry, LocalMessage):
            if self._on_local is not None:
                self._on_local(entry, rows)
        elif self._on_event is not None:
            self._on_event(entry, rows)

    def _fold_log(self, log: Iterable[LogEntry]) -> None:
        runs = 0
        for entry in log:
            self._conversation.fold(entry)
            if isinstance(entry, LocalMessage):
                self._ids.seen(entry.message.id)
            elif isinstance(entry, RunStartedEvent):
                self._ids.seen(entry.run_id)
            runs += isinstance(entry, RunStartedEvent | RunErrorEvent)
        self._ids.skip_runs(runs)
        if self.state_seen:
            self._typed.adopt(self.raw_state)

    def _waits(self, name: str) -> bool:
        return self._registry.waits_for_a_person(name)

    def _names(self) -> frozenset[str]:
        return frozenset(tool.name for tool in (*self._declared, *self._registry.declarations))


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an exchange is asked to do. ``entries`` is None where nobody answers questions."""

    params: RunParams
    entries: tuple[ResumeEntry, ...] | None = None
    say: Callable[[], Message] | None = None
    dismisses: bool = False


def _checked(transport: Transport) -> Transport:
    if not isinstance(transport, Transport):
        kind = type(transport).__name__
        raise TypeError(f"A session needs a transport, not a {kind}; for an address, HttpTransport(url).")
    return transport


def _logged(diagnostic: Diagnostic) -> None:
    _log.warning("%s: %s", diagnostic.code, diagnostic.message)
