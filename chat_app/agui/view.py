"""Reading a session: what a page or a report needs, without anything that could run the agent."""

import asyncio
from typing import Generic, Protocol, TypeVar

from pydantic import JsonValue

from chat_app.agui.conversation import Conversation
from chat_app.agui.events import Interrupt, Message, ReasoningMessage, ResumeEntry
from chat_app.agui.history import Applier
from chat_app.agui.subagents import Subagent
from chat_app.agui.transcript import Transcript, TranscriptReducer
from chat_app.agui.typed_state import TypedState
from chat_app.agui.updates import RunEnd
from chat_app.agui.usage import UsageLedger

S = TypeVar("S")
S_co = TypeVar("S_co", covariant=True)


class SessionView(Protocol[S_co]):
    """What helpers that only read should ask for: no transport is needed to stand in for it.

    >>> from types import SimpleNamespace
    >>> def title(session: SessionView[object]) -> str:
    ...     return session.messages[0].content if session.messages else session.thread_id
    >>> title(SimpleNamespace(messages=(), thread_id="t"))
    't'
    """

    @property
    def thread_id(self) -> str:
        """The thread the session talks on."""
        ...

    @property
    def transcript(self) -> Transcript:
        """What is drawn."""
        ...

    @property
    def messages(self) -> tuple[Message, ...]:
        """The history, oldest first."""
        ...

    @property
    def state(self) -> S_co | None:
        """The last state that fits its type."""
        ...

    @property
    def raw_state(self) -> JsonValue:
        """The state as JSON."""
        ...

    @property
    def pending_interrupts(self) -> tuple[Interrupt, ...]:
        """The questions that are open."""
        ...

    @property
    def end(self) -> RunEnd | None:
        """How the last run ended."""
        ...


class SessionReader(Generic[S]):
    """The reading half of a session; true at any time, during a run as far as it has been folded."""

    _thread_id: str
    _lock: asyncio.Lock
    _conversation: Conversation
    _typed: TypedState[S]

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
    def usage(self) -> UsageLedger:
        """What the runs cost, as far as the agent said."""
        return self._conversation.applier.usage

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
