"""A call that waits for a person while its run goes on: said as state and as an event, decided at the desk (C17)."""

from typing import Final

from ag_ui.core import ResumeEntry
from pydantic import JsonValue

from chat_app.agent.desk import Desk
from chat_app.agent.projection import RUNNING, WAITING
from chat_app.agent.servers import ToolSpec
from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import PermissionRequest, StateChanged, UiResolved
from chat_app.agent.verdicts import Allowed, Verdict, question_about, read_verdict

CANCELLED: Final = "cancel"


async def decided_live(turn: Turn, desk: Desk, call: ToolCall, spec: ToolSpec | None) -> Verdict:
    """Ask whether a call may run and wait until somebody says so; the run goes on meanwhile."""
    question = question_about(call, spec)
    detail: dict[str, JsonValue] = {
        "toolCallId": call.id,
        "message": question.message,
        "arguments": call.arguments,
        "responseSchema": dict(question.response_schema or {}),
    }
    with desk.question(turn.conversation.thread_id, question.id, judge=_judged) as decided:
        await turn.emit(StateChanged(status=WAITING))
        await turn.emit(PermissionRequest(question.id, call.name, detail))
        word, verdict = await decided
    await turn.emit(UiResolved(question.id, word))
    await turn.emit(StateChanged(status=RUNNING))
    return verdict


def _judged(entry: ResumeEntry) -> tuple[str, Verdict]:
    verdict = read_verdict(entry)
    if entry.status == "cancelled":
        return CANCELLED, verdict
    return ("allow" if isinstance(verdict, Allowed) else "deny"), verdict
