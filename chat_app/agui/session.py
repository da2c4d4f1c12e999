"""The session: one thread with one agent, from what a person says to what is drawn.

A session holds a transport, the history a request carries, the transcript a page draws, the shared
state, the frontend tools and the open questions. One exchange runs at a time; a second caller waits its
turn. The transport belongs to whoever made it and is never closed here.
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Generic, TypedDict, TypeVar, Unpack

from ag_ui.core import ContentPart, Context, Tool
from pydantic import BaseModel, JsonValue

from chat_app.agui.conversation import Conversation
from chat_app.agui.driver import RunDriver, Wiring
from chat_app.agui.errors import UsageError
from chat_app.agui.events import (
    Event,
    Interrupt,
    LocalMessage,
    LogEntry,
    Message,
    ResumeEntry,
    RunErrorEvent,
    RunStartedEvent,
    UserMessage,
)
from chat_app.agui.exchange import Exchange
from chat_app.agui.history import HistoryCall
from chat_app.agui.ids import Ids
from chat_app.agui.outbox import Outbox, Plan
from chat_app.agui.profiles import TOLERANT, Profile
from chat_app.agui.remote import RemoteAgent
from chat_app.agui.requests import RunParams
from chat_app.agui.runner import STOPPED
from chat_app.agui.tools import FrontendTool, RunTool, ToolContext, ToolRegistry, execute
from chat_app.agui.transport.base import Transport
from chat_app.agui.typed_state import TypedState
from chat_app.agui.updates import (
    Diagnostic,
    Done,
    RowChange,
    RunEnd,
    RunEnded,
    Running,
    Success,
    Trouble,
    Update,
)
from chat_app.agui.view import SessionReader

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


class Session(SessionReader[S]):
    """One thread with one agent.

    ``tools`` are frontend tools, which this side answers for, and bare declarations, which the caller
    does. ``on_event`` hears every event after it was folded, in order, with the rows it changed; the
    client's own closing of a run is among them, as RUN_ERROR. ``on_local`` hears the messages that were
    added on this side. A log of both folds to the same thread again: see ``restore``.

    >>> from chat_app.agui.transport import ReplayTransport
    >>> agent = ReplayTransport([{"type": "RUN_ERROR", "message": "closed on Sundays", "code": "CLOSED"}])
    >>> session = Session(agent, "t")
    >>> async def talk():
    ...     return await session.send("Hello?")
    >>> asyncio.run(talk())
    Failed(run_id='t-run-1', message='closed on Sundays', code='CLOSED', error=None)
    >>> [row.parts[0].text for row in session.transcript.messages]
    ['Hello?']

    An agent whose tools call for one run after another is stopped after ``max_follow_ups``:

    >>> def calling(request):
    ...     run, call = {"threadId": "t", "runId": request.run_id}, {"toolCallId": request.run_id}
    ...     yield {"type": "RUN_STARTED", **run}
    ...     yield {"type": "TOOL_CALL_START", "toolCallName": "look", **call}
    ...     yield {"type": "TOOL_CALL_END", **call}
    ...     yield {"type": "RUN_FINISHED", **run}
    >>> async def look(arguments, context):
    ...     return "nothing yet"
    >>> from chat_app.agui.tools import AnyArguments
    >>> tool = RunTool(name="look", description="Looks", arguments=AnyArguments, execute=look)
    >>> session = Session(ReplayTransport(calling, calling), "t", tools=[tool], max_follow_ups=1)
    >>> asyncio.run(talk()).code == TOO_MANY_FOLLOW_UPS
    True

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
        self._profile = profile
        self._on_event = on_event
        self._on_local = on_local
        self._report = on_diagnostic or _logged
        self._now = now
        self._max_follow_ups = max_follow_ups
        self._lock = asyncio.Lock()
        self._ids = Ids(thread_id, new_id)
        self._typed: TypedState[S] = TypedState(state_type)
        declared, registry = _sorted(tools)
        self._conversation = Conversation(messages, state, waits=self._waits, report=self._report)
        self._outbox = Outbox(
            thread_id,
            self._conversation,
            ids=self._ids,
            context=context,
            forwarded_props=forwarded_props,
            tap=self._tap,
            report=self._report,
        )
        self._outbox.offer(declared, registry)
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

        It is the same but for one thing no log tells, the id of a run that failed before it started: see
        ``TranscriptReducer``.

        >>> from chat_app.agui.transport import ReplayTransport
        >>> log = []
        >>> heard = lambda entry, rows: log.append(entry)
        >>> agent = ReplayTransport([{"type": "RUN_ERROR", "message": "closed on Sundays"}])
        >>> before = Session(agent, "t", on_event=heard, on_local=heard)
        >>> async def talk():
        ...     return await before.send("Hello?")
        >>> _ = asyncio.run(talk())
        >>> after = Session.restore(ReplayTransport(), "t", log)
        >>> after.messages == before.messages, after.transcript.messages == before.transcript.messages
        (True, True)

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
        plan = Plan(params, say=lambda: self._line(content, message_id), dismisses=True)
        return Exchange(lambda: self._exchange(plan))

    def send_message(self, message: Message, params: RunParams = NO_PARAMS) -> Exchange:
        """Add a message of any role and run the agent on it."""
        return Exchange(lambda: self._exchange(Plan(params, say=lambda: message, dismisses=True)))

    def run(self, params: RunParams = NO_PARAMS) -> Exchange:
        """Run the agent on the thread as it stands: a retry, or after a message was pushed."""
        return Exchange(lambda: self._exchange(Plan(params)))

    def resume(
        self, entries: Sequence[ResumeEntry], params: RunParams = NO_PARAMS, *, then: str | None = None
    ) -> Exchange:
        """Answer the open questions, all of them; with ``then``, say something in the same request."""
        say = None if then is None else lambda: self._line(then, None)
        plan = Plan(params, entries=tuple(entries), say=say, dismisses=then is not None)
        return Exchange(lambda: self._exchange(plan))

    async def _exchange(self, plan: Plan) -> AsyncGenerator[Update, None]:
        async with self._lock:
            self._outbox.admit(plan, self._now())
            for update in self._outbox.speak(plan):
                yield update
            async with aclosing(self._runs(plan.params)) as updates:
                async for update in updates:
                    yield update
            yield Done(self._ended())

    async def _runs(self, params: RunParams) -> AsyncGenerator[Update, None]:
        """Run the agent, and again as long as tools have answers it waits for."""
        for _ in range(self._max_follow_ups + 1):
            async with aclosing(self._driver(params).drive()) as updates:
                async for update in updates:
                    yield update
            if not self._follows_up():
                return
            params = replace(params, run_id=None)
        for update in self._give_up():
            yield update

    # ------------------------------------------------------------ between exchanges

    def push_message(self, message: Message) -> None:
        """Add a message without running: the answer to a call, a note of the application.

        Raises:
            UsageError: A run is under way.
        """
        self._refuse_when_busy()
        self._outbox.add(message)

    async def perform(self, call_id: str) -> None:
        """Execute a call that waits for consent, now that a person gave it; ``run`` sends its answer.

        Raises:
            UsageError: A run is under way, or this call waits for no consent.
        """
        self._refuse_when_busy()
        call = self._conversation.applier.call(call_id)
        tool = None if call is None else self._outbox.registry.starts_by_consent(call.name)
        if call is None or tool is None or call_id not in self.asked_calls:
            raise UsageError(f"The call {call_id!r} does not wait for consent.")
        async with self._lock:
            await self._execute(tool, call)

    async def _execute(self, tool: RunTool[BaseModel], call: HistoryCall) -> None:
        answer, run_id = STOPPED, self._ended().run_id
        try:
            answer = await execute(tool, call.arguments, ToolContext(self._thread_id, run_id, call.call_id))
        finally:  # a tool that was stopped may have acted, so it answers too
            self._outbox.add(answer.message(self._ids.message(), call.call_id))

    def set_state(self, value: JsonValue) -> None:
        """Replace the shared state that the next request carries.

        Raises:
            UsageError: A run is under way.
        """
        self._refuse_when_busy()
        self._conversation.applier.state = value

    def set_tools(self, tools: Iterable[FrontendTool | Tool]) -> None:
        """Offer these tools from the next run on; a call that arrives from now on is drawn by them.

        Raises:
            ConfigError: Two frontend tools share a name.
        """
        self._outbox.offer(*_sorted(tools))

    @property
    def agent(self) -> RemoteAgent:
        """The agent without the session: its events as they come, unfolded."""
        return RemoteAgent(self._transport, self._profile, new_id=self._ids.message, report=self._report)

    # ------------------------------------------------------------ running

    def _driver(self, params: RunParams) -> RunDriver:
        request, carried = self._outbox.request(params)
        wiring = Wiring(
            transport=self._transport,
            conversation=self._conversation,
            profile=self._profile,
            registry=self._outbox.registry,
            ids=self._ids,
            tap=self._tap,
            report=self._report,
            typed=self._typed.heed,
        )
        return RunDriver(wiring, request, carried)

    def _follows_up(self) -> bool:
        """Tell whether answers of the run that ended call for another run."""
        conversation = self._conversation
        if not isinstance(conversation.end, Success) or conversation.ledger.asked:
            return False
        calls = map(conversation.applier.call, conversation.unsent)
        return any(call is None or self._outbox.registry.follows_up(call.name) for call in calls)

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

    def _refuse_when_busy(self) -> None:
        if self.busy:
            raise UsageError("A run is under way; wait for it to end.")

    def _line(self, content: str | Sequence[ContentPart], message_id: str | None) -> UserMessage:
        said = content if isinstance(content, str) else list(content)
        return UserMessage(id=message_id or self._ids.message(), role="user", content=said)

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
        if isinstance(self.reducer.run, Running):  # the process died in mid-run
            self._conversation.ledger.abandon()
        if self.state_seen:
            self._typed.adopt(self.raw_state)

    def _waits(self, name: str) -> bool:
        return self._outbox.registry.waits_for_a_person(name)


def _sorted(tools: Iterable[FrontendTool | Tool]) -> tuple[list[Tool], ToolRegistry]:
    """Return bare declarations and the tools this side answers for."""
    given = list(tools)
    held = (tool for tool in given if not isinstance(tool, Tool))
    return [tool for tool in given if isinstance(tool, Tool)], ToolRegistry(held)


def _checked(transport: Transport) -> Transport:
    if not isinstance(transport, Transport):
        kind = type(transport).__name__
        raise TypeError(f"A session needs a transport, not a {kind}; for an address, HttpTransport(url).")
    return transport


def _logged(diagnostic: Diagnostic) -> None:
    _log.warning("%s: %s", diagnostic.code, diagnostic.message)
