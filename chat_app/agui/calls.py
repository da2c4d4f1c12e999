"""Which tool calls still lack an answer, and who owes it.

Model APIs refuse a history with a dangling call, so every request must answer the calls that are ours.
A call is ours when its name was advertised for the run, or when the agent lists it as pending. After
a run that failed or was cut, every call it completed counts, since nobody else will finish it. Calls
of other names are the server's: some servers hold them for an approval or run them later.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import (
    RunFinishedCancelledOutcome,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
)

from chat_app.agui.events import (
    Event,
    Interrupt,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from chat_app.agui.tools import Answer, failure

NO_HANDLER = failure("There is no handler for this tool on this client.")
UNFINISHED = failure("The run did not finish, so this call has no result.")
DISMISSED = failure("The person dismissed this question and went on.")


@dataclass(slots=True)
class _Call:
    name: str
    ended: bool = False


class CallLedger:
    """Follows the calls of each run and keeps those that need an answer from this side.

    ``waits`` tells whether a call of a name waits for a person.
    """

    def __init__(self, waits: Callable[[str], bool]) -> None:
        self._waits = waits
        self._calls: dict[str, _Call] = {}
        self._owed: dict[str, Answer] = {}
        self._asked: dict[str, str] = {}
        self._bound: frozenset[str] = frozenset()
        self._advertised: Collection[str] = ()
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            RunStartedEvent: lambda _: self.abandon(),  # what is left is of a run that never ended
            ToolCallStartEvent: self._begin,
            ToolCallEndEvent: self._end,
            ToolCallResultEvent: lambda event: self.answered(event.tool_call_id),
            RunFinishedEvent: self._settle,
            RunErrorEvent: lambda _: self.abandon(),
        }

    @property
    def asked(self) -> tuple[str, ...]:
        """The calls that wait for a person, oldest first."""
        return tuple(self._asked)

    @property
    def owed(self) -> dict[str, Answer]:
        """The calls this side must answer before the thread goes on, with what to say by default."""
        return self._owed

    def advertise(self, names: Collection[str]) -> None:
        """Note the tools offered for the run about to start."""
        self._advertised = names

    def bind(self, pending: Sequence[Interrupt]) -> None:
        """Note which calls open questions are about; their answers travel with those to the questions."""
        self._bound = frozenset(one.tool_call_id for one in pending if one.tool_call_id)

    def answered(self, call_id: str) -> None:
        """Note that a call has its answer."""
        for calls in (self._calls, self._owed, self._asked):
            calls.pop(call_id, None)

    def dismiss(self) -> None:
        """Give up waiting for the person: what was asked is owed as dismissed."""
        self._owed |= dict.fromkeys(self._asked, DISMISSED)
        self._asked = {}

    def observe(self, event: Event) -> None:
        """Follow one event; how a run ends decides what becomes of its open calls."""
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)

    def abandon(self) -> None:
        """Owe an answer to every completed call of a run that did not finish."""
        ended = (call_id for call_id, call in self._calls.items() if call.ended)
        self._owed |= dict.fromkeys((one for one in ended if one not in self._bound), UNFINISHED)
        self._calls = {}

    def _begin(self, event: ToolCallStartEvent) -> None:
        self._calls.setdefault(event.tool_call_id, _Call(event.tool_call_name))

    def _end(self, event: ToolCallEndEvent) -> None:
        call = self._calls.get(event.tool_call_id)
        if call is not None:
            call.ended = True

    def _settle(self, event: RunFinishedEvent) -> None:
        outcome = event.outcome
        self.bind(outcome.interrupts if isinstance(outcome, RunFinishedInterruptOutcome) else ())
        if isinstance(outcome, RunFinishedCancelledOutcome):
            self.abandon()
            return
        listed = outcome.pending_tool_call_ids if isinstance(outcome, RunFinishedSuccessOutcome) else None
        self._sort(frozenset(listed or ()))

    def _sort(self, listed: Collection[str]) -> None:
        for call_id, call in self._calls.items():
            if not call.ended or call_id in self._bound:
                continue
            if self._waits(call.name):
                self._asked[call_id] = call.name
            elif call_id in listed or call.name in self._advertised:
                self._owed[call_id] = NO_HANDLER
        self._calls = {}
