"""Tools that run only after a person's yes: the question, its answer, and what follows from it.

Nothing is remembered between the question and the answer. The id of a question names the call it is about and
when it expires; the call itself, with its arguments, stands unanswered in the history the client sends back.
That makes a question answerable after a restart, by another process, and again after a resume that failed.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias, TypeVar, assert_never

from ag_ui.core import ResumeEntry
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from chat_app.agent.conversation import PastCall
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn, TurnFailed
from chat_app.agent.turn_events import Question, TurnPaused

logger = logging.getLogger(__name__)

INVALID_ANSWER: Final = "INVALID_ANSWER"
EXPIRED: Final = "INTERRUPT_EXPIRED"

_Model = TypeVar("_Model", bound=BaseModel)
_QUESTION_ID: Final = re.compile(r"^approval:(?P<expires>\d{0,11}):(?P<call>.+)$", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class GatedTool:
    """A tool behind a person's yes.

    Attributes:
        arguments: What the arguments must be, before and after an edit; complete, nothing else allowed.
        question: Words the question for given arguments.
        perform: Does it. Called again for the same call it must give the same, since a client that lost the
            answer resumes again.
        metadata: Goes with the question, for whoever decides.
    """

    name: str
    arguments: type[BaseModel]
    question: Callable[[Mapping[str, JsonValue]], str]
    perform: Callable[[str, Any], Mapping[str, JsonValue]]
    metadata: Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Approved:
    """The call may run with these arguments, edited or as they were."""

    arguments: BaseModel


@dataclass(frozen=True, slots=True)
class Rejected:
    """A person said no."""

    reason: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Nobody decided; the question was dropped."""


Decision: TypeAlias = Approved | Rejected | Abandoned


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True)

    approved: bool
    edited_args: dict[str, JsonValue] | None = Field(default=None, alias="editedArgs")
    reason: str | None = None


async def ask(
    turn: Turn, tool: GatedTool, arguments: Mapping[str, JsonValue], *, expires_at: datetime | None = None
) -> Question:
    """Make the call and word its question. The caller pauses the turn with it."""
    async with turn.tool_call(tool.name) as call:
        await call.arguments(arguments)
    return _question(tool, call.id, arguments, expires_at)


async def settle(turn: Turn, tools: Mapping[str, GatedTool]) -> TurnPaused | None:
    """Carry out the decisions that came with the request, before anything else of the turn.

    Every answer is read before the first is acted on, so a bad one among good ones changes nothing.

    Returns:
        The pause that asks again for what is still open; None when nothing is.

    Raises:
        TurnFailed: An answer is malformed, given twice, or too late. It may be given again.
    """
    open_calls = [call for call in turn.conversation.calls if call.answer is None and call.name in tools]
    entries = _entries_by_call(turn.conversation.resume, {call.id for call in open_calls})
    decisions = {
        call.id: _decision(entries[call.id], tools[call.name], call, turn.now())
        for call in open_calls
        if call.id in entries
    }
    for call in open_calls:
        if call.id in decisions:
            await _carry_out(turn, tools[call.name], call, decisions[call.id])
    still_open = [call for call in open_calls if call.id not in decisions]
    return await _ask_again(turn, tools, still_open) if still_open else None


def response_schema(tool: GatedTool) -> Mapping[str, JsonValue]:
    """Describe the answer a question about this tool takes; ``editedArgs`` replaces the arguments whole."""
    return {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean", "description": "Whether the call may run."},
            "editedArgs": tool.arguments.model_json_schema(),
            "reason": {"type": "string", "description": "Said to the agent when the call is rejected."},
        },
        "required": ["approved"],
    }


def question_id(call_id: str, expires_at: datetime | None = None) -> str:
    """Make the id of the question about a call; it carries what the answer needs to be judged."""
    expires = "" if expires_at is None else str(int(expires_at.timestamp()))
    return f"approval:{expires}:{call_id}"


def _question(
    tool: GatedTool, call_id: str, arguments: Mapping[str, JsonValue], expires_at: datetime | None
) -> Question:
    return Question(
        id=question_id(call_id, expires_at),
        reason="tool_call",
        message=tool.question(arguments),
        call_id=call_id,
        response_schema=response_schema(tool),
        expires_at=expires_at,
        metadata={"tool": tool.name, **tool.metadata},
    )


def _entries_by_call(resume: Sequence[ResumeEntry], open_ids: set[str]) -> dict[str, ResumeEntry]:
    """Sort the answers by call. Those to no open question answer nothing and are left out with a warning."""
    found: dict[str, ResumeEntry] = {}
    for entry in resume:
        match = _QUESTION_ID.match(entry.interrupt_id)
        if match is None or match["call"] not in open_ids:
            logger.warning("Ignored an answer to %r, which is no open question.", entry.interrupt_id)
        elif match["call"] in found:
            raise TurnFailed("One question was answered twice.", code=INVALID_ANSWER)
        else:
            found[match["call"]] = entry
    return found


def _decision(entry: ResumeEntry, tool: GatedTool, call: PastCall, now: datetime) -> Decision:
    if entry.status == "cancelled":
        return Abandoned()
    if _expired(entry.interrupt_id, now):
        raise TurnFailed("The time to decide is over. Cancel the question and ask again.", code=EXPIRED)
    payload = _read(_Payload, entry.payload, "The answer")
    if not payload.approved:
        return Rejected(payload.reason or "")
    return Approved(_arguments(tool, call, payload.edited_args))


def _expired(interrupt_id: str, now: datetime) -> bool:
    match = _QUESTION_ID.match(interrupt_id)
    expires = match["expires"] if match is not None else ""
    return bool(expires) and datetime.fromtimestamp(int(expires), UTC) <= now


def _arguments(tool: GatedTool, call: PastCall, edited: dict[str, JsonValue] | None) -> BaseModel:
    if edited is not None:
        return _read(tool.arguments, edited, "The edited arguments")
    return _read(tool.arguments, _json_or_text(call.arguments), "The arguments of the call")


def _read(model: type[_Model], value: JsonValue, what: str) -> _Model:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        where = f" at {place!r}" if place else ""
        raise TurnFailed(f"{what} cannot be used{where}: {first['msg']}.", code=INVALID_ANSWER) from error


def _json_or_text(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value


async def _carry_out(turn: Turn, tool: GatedTool, call: PastCall, decision: Decision) -> None:
    """Answer the original call; it is not made again (spec: interrupt-resume)."""
    match decision:
        case Approved(arguments):
            await turn.answer(call.id, compact_json(tool.perform(call.id, arguments)))
        case Rejected(reason):
            await turn.block(call.id, compact_json({"status": "rejected", "reason": reason}))
        case Abandoned():
            await turn.block(call.id, compact_json({"status": "cancelled"}))
        case _ as never:
            assert_never(never)


async def _ask_again(turn: Turn, tools: Mapping[str, GatedTool], calls: Sequence[PastCall]) -> TurnPaused:
    """Pause with the questions nobody has answered yet, under the ids they can have without a memory."""
    await turn.say("Before I go on, I still need a decision on what I asked.")
    return TurnPaused(tuple(_repeated(tools[call.name], call) for call in calls))


def _repeated(tool: GatedTool, call: PastCall) -> Question:
    arguments = _json_or_text(call.arguments)
    return _question(tool, call.id, arguments if isinstance(arguments, dict) else {}, None)
