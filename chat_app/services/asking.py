"""What a run left open for a person, as questions to store: the agent's interrupts, and calls a person answers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from chat_app.agui import AskTool, FrontendTool, Interrupt, RunTool, Session, ToolCallPart, expires_at
from chat_app.data.records import InterruptRecord, RunRecord
from chat_app.services.answers import CONSENT
from chat_app.services.digest import fingerprint

ASK = "ask"
"""The reason of a call that a person answers by words."""


def consents_of(tools: Iterable[FrontendTool]) -> frozenset[str]:
    """Return the names of the tools that run here when a person says yes."""
    return frozenset(tool.name for tool in tools if isinstance(tool, RunTool) and tool.consent)


def answers_of(tools: Iterable[FrontendTool]) -> dict[str, JsonValue]:
    """Return the JSON Schema of the answer, by name, of the tools whose answer is filled in and not written."""
    asking = (tool for tool in tools if isinstance(tool, AskTool))
    return {tool.name: tool.answer.model_json_schema(by_alias=True) for tool in asking if tool.answer}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """Makes the questions of one run; positions are taken from the thread's counter, in the order they were asked."""

    session: Session[JsonValue]
    run: RunRecord
    consents: frozenset[str]
    answers: Mapping[str, JsonValue]
    place: Callable[[], int]
    now: Callable[[], datetime]
    new_id: Callable[[], str]

    def questions(self, interrupts: Iterable[Interrupt], calls: Iterable[str]) -> tuple[InterruptRecord, ...]:
        """Return the questions of a run that ended: what it asked, and the calls of ours it waits for."""
        return (*map(self._interrupt, interrupts), *map(self._ask, calls))

    def _interrupt(self, asked: Interrupt) -> InterruptRecord:
        call = self._call(asked.tool_call_id)
        return InterruptRecord(
            id=self.new_id(),
            thread=self.run.thread,
            run=self.run.id,
            wire_id=asked.id,
            position=self.place(),
            reason=asked.reason,
            message=asked.message,
            tool_call=asked.tool_call_id,
            tool_name=call.name if call else None,
            args=call.args if call else None,
            response_schema=asked.response_schema,
            expires_at=expires_at(asked),
            metadata=asked.metadata,
            args_digest=fingerprint(call.args) if call else None,
            created=self.now(),
        )

    def _ask(self, call_id: str) -> InterruptRecord:
        call = self._call(call_id)
        name, args = (call.name, call.args) if call else ("", "")
        return InterruptRecord(
            id=self.new_id(),
            thread=self.run.thread,
            run=self.run.id,
            wire_id=f"ask:{call_id}",
            position=self.place(),
            kind="ask",
            reason=CONSENT if name in self.consents else ASK,
            tool_call=call_id,
            tool_name=name,
            args=args,
            response_schema=self.answers.get(name),
            args_digest=fingerprint(args),
            created=self.now(),
        )

    def _call(self, call_id: str | None) -> ToolCallPart | None:
        return next((part for part in self._calls() if part.wire_id == call_id), None)

    def _calls(self) -> Iterator[ToolCallPart]:
        for message in reversed(self.session.transcript.messages):
            yield from (part for part in message.parts if isinstance(part, ToolCallPart))
