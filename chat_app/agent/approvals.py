"""Tools that run only after a person's yes: the question, its answer, and what follows from it.

The id of a question names the call it is about and when it expires; the call itself, with its arguments, stands
unanswered in the history the client sends back. That makes a question answerable after a restart and by another
process. What is remembered is the first answer that could be used: whoever sends another one after it, having
lost the reply, gets the result of the first.
"""

import json
import logging
import math
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeAlias, assert_never

import anyio
from ag_ui.core import ResumeEntry
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from chat_app.agent.conversation import PastCall
from chat_app.agent.desk import Desk
from chat_app.agent.forms import INVALID_ANSWER, is_form_question, read_answer
from chat_app.agent.projection import RUNNING, WAITING
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn, TurnFailed
from chat_app.agent.turn_events import PermissionRequest, Question, StateChanged, TurnPaused, UiResolved

logger = logging.getLogger(__name__)

EXPIRED: Final = "INTERRUPT_EXPIRED"

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
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A person said no."""

    reason: str


@dataclass(frozen=True, slots=True)
class Abandoned:
    """Nobody decided; the question was dropped."""


Decision: TypeAlias = Approved | Rejected | Abandoned

_WORDS: Final[Mapping[type, str]] = {Approved: "allow", Rejected: "deny", Abandoned: "cancel"}
_EDITED: Final = {"message": "The person changed the arguments; these are the ones that were used."}


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True)

    approved: bool
    edited_args: dict[str, JsonValue] | None = Field(default=None, alias="editedArgs")
    reason: str | None = None


async def ask(
    turn: Turn, tool: GatedTool, arguments: Mapping[str, JsonValue], *, expires_at: datetime | None = None
) -> Question | None:
    """Make the call and ask whether it may run.

    Returns:
        The question the caller pauses the turn with; None when a person decided while the turn went on, and
        the call is answered.
    """
    async with turn.tool_call(tool.name) as call:
        await call.arguments(arguments)
    question = _question(tool, call.id, arguments, expires_at)
    if turn.means.desk is None:
        return question
    made = PastCall(call.id, tool.name, compact_json(arguments), answer=None, fresh=True)
    await _decide_live(turn, turn.means.desk, _Asked(tool, made, question))
    return None


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
    answered = [call for call in open_calls if call.id in entries]
    for call in answered:
        await _read_first(turn, entries[call.id], tools[call.name], call)
    for call in answered:
        decision = await _sealed(turn, entries[call.id], tools[call.name], call)
        await _carry_out(turn, tools[call.name], call.id, decision)
    still_open = [call for call in open_calls if call.id not in entries]
    return await _ask_again(turn, tools, still_open) if still_open else None


async def _read_first(turn: Turn, entry: ResumeEntry, tool: GatedTool, call: PastCall) -> None:
    """Refuse an answer that cannot be used, unless an earlier one stands anyway."""
    if await turn.means.memory.sealed_answer(turn.conversation.thread_id, entry.interrupt_id) is None:
        _judge(entry, tool, call, turn.means.now())


async def _sealed(turn: Turn, entry: ResumeEntry, tool: GatedTool, call: PastCall) -> Decision:
    """Seal the question and give the decision that stands, which is the first one ever given."""
    given = entry.model_dump(mode="json", by_alias=True)
    stands = await turn.means.memory.seal_answer(turn.conversation.thread_id, entry.interrupt_id, given)
    if stands != given:
        logger.warning("Question %r was answered before; the first answer stands.", entry.interrupt_id)
    return _decision(ResumeEntry.model_validate(stands), tool, call)


@dataclass(frozen=True, slots=True)
class _Asked:
    tool: GatedTool
    call: PastCall
    question: Question


async def _decide_live(turn: Turn, desk: Desk, asked: _Asked) -> None:
    """Wait for the decision while the run goes on, and carry it out (behaviours C17)."""
    question, tool = asked.question, asked.tool
    detail: dict[str, JsonValue] = {
        "toolCallId": asked.call.id,
        "message": question.message,
        "arguments": asked.call.arguments,
    }
    if question.expires_at is not None:
        detail["expiresAt"] = question.expires_at.isoformat()
    thread_id = turn.conversation.thread_id
    with desk.question(thread_id, question.id, judge=partial(_judge_live, turn, asked)) as decided:
        await turn.emit(StateChanged(status=WAITING))
        await turn.emit(PermissionRequest(question.id, tool.name, detail))
        decision = await _in_time(decided, question.expires_at, turn.means.now())
    await turn.emit(UiResolved(question.id, _WORDS[type(decision)]))
    await turn.emit(StateChanged(status=RUNNING))
    await _carry_out(turn, tool, asked.call.id, decision)


def _judge_live(turn: Turn, asked: _Asked, entry: ResumeEntry) -> Decision:
    return _judge(entry, asked.tool, asked.call, turn.means.now())


async def _in_time(decided: Awaitable[Decision], expires_at: datetime | None, now: datetime) -> Decision:
    """Wait for a decision as long as it may be given; afterwards the question counts as dropped."""
    left = math.inf if expires_at is None else (expires_at - now).total_seconds()
    with anyio.move_on_after(left):
        return await decided
    return Abandoned()


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
        if is_form_question(entry.interrupt_id):
            continue  # the scenario that asked reads it
        match = _QUESTION_ID.match(entry.interrupt_id)
        if match is None or match["call"] not in open_ids:
            logger.warning("Ignored an answer to %r, which is no open question.", entry.interrupt_id)
        elif match["call"] in found:
            raise TurnFailed("One question was answered twice.", code=INVALID_ANSWER)
        else:
            found[match["call"]] = entry
    return found


def _judge(entry: ResumeEntry, tool: GatedTool, call: PastCall, now: datetime) -> Decision:
    if entry.status == "resolved" and _expired(entry.interrupt_id, now):
        raise TurnFailed("The time to decide is over. Cancel the question and ask again.", code=EXPIRED)
    return _decision(entry, tool, call)


def _decision(entry: ResumeEntry, tool: GatedTool, call: PastCall) -> Decision:
    if entry.status == "cancelled":
        return Abandoned()
    payload = read_answer(_Payload, entry.payload, "The answer")
    if not payload.approved:
        return Rejected(payload.reason or "")
    return Approved(_arguments(tool, call, payload.edited_args), edited=payload.edited_args is not None)


def _expired(interrupt_id: str, now: datetime) -> bool:
    match = _QUESTION_ID.match(interrupt_id)
    expires = match["expires"] if match is not None else ""
    return bool(expires) and datetime.fromtimestamp(int(expires), UTC) <= now


def _arguments(tool: GatedTool, call: PastCall, edited: dict[str, JsonValue] | None) -> BaseModel:
    if edited is not None:
        return read_answer(tool.arguments, edited, "The edited arguments")
    return read_answer(tool.arguments, _json_or_text(call.arguments), "The arguments of the call")


def _json_or_text(text: str) -> JsonValue:
    try:
        value: JsonValue = json.loads(text)
    except ValueError:
        return text
    return value


async def _carry_out(turn: Turn, tool: GatedTool, call_id: str, decision: Decision) -> None:
    """Answer the original call; it is not made again (spec: interrupt-resume)."""
    match decision:
        case Approved(arguments, edited):
            result = dict(tool.perform(call_id, arguments))
            await turn.answer(call_id, compact_json({**result, **(_EDITED if edited else {})}))
        case Rejected(reason):
            because = f" They said: “{reason}”." if reason else ""
            words = f"The person rejected this call, so it did not run.{because}"
            await turn.block(
                call_id, compact_json({"status": "rejected", "reason": reason, "message": words})
            )
        case Abandoned():
            words = "Nobody decided and the question was dropped, so this call did not run."
            await turn.block(call_id, compact_json({"status": "cancelled", "message": words}))
        case _ as never:
            assert_never(never)


async def _ask_again(turn: Turn, tools: Mapping[str, GatedTool], calls: Sequence[PastCall]) -> TurnPaused:
    """Pause with the questions nobody has answered yet, under the ids they can have without a memory."""
    await turn.say("Before I go on, I still need a decision on what I asked.")
    return TurnPaused(tuple(_repeated(tools[call.name], call) for call in calls))


def _repeated(tool: GatedTool, call: PastCall) -> Question:
    arguments = _json_or_text(call.arguments)
    return _question(tool, call.id, arguments if isinstance(arguments, dict) else {}, None)
