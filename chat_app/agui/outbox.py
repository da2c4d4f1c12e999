"""What goes out next: who may speak, what is said first, and the request that carries it all.

Everything here happens before a byte leaves. What would break the protocol is refused before anything
is drawn; calls that still lack an answer get one before the person's line is added.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from ag_ui.core import Context, RunAgentInput, Tool
from pydantic import JsonValue

from chat_app.agui.conversation import Conversation
from chat_app.agui.driver import Tap
from chat_app.agui.enforcement import Report
from chat_app.agui.errors import ThreadInterrupted, UsageError
from chat_app.agui.events import LocalMessage, Message, ResumeEntry, ToolMessage
from chat_app.agui.ids import Ids
from chat_app.agui.interrupts import check_answers
from chat_app.agui.requests import Answers, RunParams, adjacent, commanded, sort_answers
from chat_app.agui.tools import Answer, ToolRegistry
from chat_app.agui.updates import Diagnostic, Update
from chat_app.agui.versions import PROTOCOL_VERSION


@dataclass(frozen=True, slots=True)
class Plan:
    """What an exchange is asked to do. ``entries`` is None where nobody answers questions."""

    params: RunParams
    entries: tuple[ResumeEntry, ...] | None = None
    say: Callable[[], Message] | None = None
    dismisses: bool = False


class Outbox:
    """The outgoing side of one thread."""

    def __init__(  # noqa: PLR0913 - what a request is made of
        self,
        thread_id: str,
        conversation: Conversation,
        *,
        ids: Ids,
        context: Sequence[Context],
        forwarded_props: Mapping[str, JsonValue],
        tap: Tap,
        report: Report,
    ) -> None:
        self._thread_id = thread_id
        self._conversation = conversation
        self._ids = ids
        self._context = tuple(context)
        self._forwarded_props = dict(forwarded_props)
        self._tap = tap
        self._report = report
        self._declared: tuple[Tool, ...] = ()
        self.registry = ToolRegistry()

    def offer(self, declared: Iterable[Tool], registry: ToolRegistry) -> None:
        """Offer these tools from the next request on."""
        self._declared, self.registry = tuple(declared), registry
        self._conversation.reducer.ask_with(registry.asking)
        self._conversation.ledger.advertise(frozenset(tool.name for tool in self._tools(RunParams())))

    # ------------------------------------------------------------ admitting

    def admit(self, plan: Plan, now: datetime) -> None:
        """Refuse what would break the protocol, before anything is drawn or sent.

        Raises:
            UsageError: Questions are open, the answers do not cover them, a call waits for a person, or
                the run id was used before.
        """
        asked = self._conversation.ledger.asked
        if asked and not plan.dismisses:
            raise UsageError(f"These calls wait for a person's answer: {', '.join(map(repr, asked))}.")
        run_id = plan.params.run_id
        if run_id is not None and self._ids.is_seen(run_id):
            raise UsageError(f"The run id {run_id!r} was used on this thread before.")
        if plan.entries is None:
            self._refuse_open_questions(now)
        else:
            self._accept(plan.entries, now)

    def _accept(self, entries: tuple[ResumeEntry, ...], now: datetime) -> None:
        if entries or self._conversation.pending:
            check_answers(entries, self._conversation.pending, now)
            self._conversation.owed = entries

    def _refuse_open_questions(self, now: datetime) -> None:
        conversation = self._conversation
        if not conversation.pending:
            return
        if not conversation.owed:
            raise ThreadInterrupted(
                "The agent waits for answers. Running it without them would be refused, or would go past its"
                " questions; resume carries them."
            )
        check_answers(conversation.owed, conversation.pending, now)

    # ------------------------------------------------------------ speaking

    def speak(self, plan: Plan) -> Iterator[Update]:
        """Answer the calls that are still owed an answer, then add what the person says."""
        ledger = self._conversation.ledger
        if plan.dismisses:
            ledger.dismiss()
        for call_id, answer in list(ledger.owed.items()):
            ledger.answered(call_id)
            if not self._conversation.is_answered(call_id):
                self._report_default(call_id, answer)
                yield from self.add(answer.message(self._ids.message(), call_id))
        self._conversation.send_answers()
        if plan.say is not None:
            yield from self.add(plan.say())

    def _report_default(self, call_id: str, answer: Answer) -> None:
        words = f"Call {call_id!r} was answered for nobody: {answer.content}"
        self._report(Diagnostic("answered-by-default", words))

    def add(self, message: Message) -> tuple[Update, ...]:
        """Add a message of this side: fold it, tell of it, return what changed."""
        self._ids.seen(message.id)
        entry = LocalMessage(message)
        folded = self._conversation.fold(entry)
        self._tap(entry, folded.rows)
        return folded.updates

    # ------------------------------------------------------------ requesting

    def request(self, params: RunParams) -> tuple[RunAgentInput, tuple[ToolMessage, ...]]:
        """Return the next request, and the tool messages in it that the thread does not hold yet."""
        self._conversation.send_answers()
        answers = sort_answers(self._conversation.owed, self._conversation.pending)
        carried = tuple(
            ToolMessage(id=self._ids.message(), role="tool", tool_call_id=call_id, content=content)
            for call_id, content in answers.by_call.items()
        )
        return self._request(params, answers, carried), carried

    def _request(self, params: RunParams, answers: Answers, carried: Sequence[ToolMessage]) -> RunAgentInput:
        tools = self._tools(params)
        self._advertise([tool.name for tool in tools])
        state = self._conversation.applier.state
        return RunAgentInput(
            thread_id=self._thread_id,
            run_id=self._run_id(params),
            protocol_version=PROTOCOL_VERSION,
            messages=adjacent((*self._conversation.applier.outgoing(), *carried)),
            state={} if state is None else state,
            tools=tools,
            context=[*self._context, *params.context],
            forwarded_props=commanded({**self._forwarded_props, **params.forwarded_props}, answers),
            resume=list(answers.entries) or None,
        )

    def _run_id(self, params: RunParams) -> str:
        if params.run_id is None:
            return self._ids.run()
        self._ids.seen(params.run_id)
        return params.run_id

    def _tools(self, params: RunParams) -> list[Tool]:
        return [*params.tools, *self._declared, *self.registry.declarations]

    def _advertise(self, names: Sequence[str]) -> None:
        self._conversation.ledger.advertise(frozenset(names))
        for name, times in Counter(names).items():
            if times > 1:
                self._report(Diagnostic("duplicate-tool", f"The tool {name!r} is offered {times} times"))
