"""What a person decided about a call the model made, as a resume entry says it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from ag_ui.core import ResumeEntry
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from chat_app.agent.forms import read_answer
from chat_app.agent.servers import Observation, ToolSpec
from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn_events import Question

_PREFIX: Final = "call:"


@dataclass(frozen=True, slots=True)
class Allowed:
    """The call may run, with the person's arguments where they gave any, whole."""

    edited: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True, slots=True)
class Denied:
    """The call must not run; the observation says so in words for the model."""

    observation: Observation


Verdict: TypeAlias = Allowed | Denied


class _Payload(BaseModel):
    model_config = ConfigDict(strict=True)

    approved: bool
    edited_args: dict[str, JsonValue] | None = Field(default=None, alias="editedArgs")
    reason: str | None = None


def read_verdict(entry: ResumeEntry) -> Verdict:
    """Read an answer.

    Raises:
        TurnFailed: it cannot be used; it may be given again.
    """
    if entry.status == "cancelled":
        return Denied(
            Observation("Nobody decided and the question was dropped, so this did not run.", is_error=True)
        )
    payload = read_answer(_Payload, entry.payload, "The answer")
    if payload.approved:
        return Allowed(payload.edited_args)
    because = f" They said: “{payload.reason}”." if payload.reason else ""
    return Denied(Observation(f"The person rejected this call, so it did not run.{because}", is_error=True))


def question_about(call: ToolCall, spec: ToolSpec | None) -> Question:
    """Ask whether a call may run. The arguments themselves are the call's, which the client holds."""
    arguments = dict(spec.parameters) if spec is not None else {"type": "object"}
    description = spec.description if spec is not None else ""
    return Question(
        id=question_id(call),
        reason="tool_call",
        message=f"May {call.name} run?" + (f" {description}" if description else ""),
        call_id=call.id,
        response_schema=_schema(arguments),
        metadata={"tool": call.name},
    )


def question_id(call: ToolCall) -> str:
    """Give the id of the question about a call; it names the call, so that a lost memory is no dead end."""
    return f"{_PREFIX}{call.id}"


def _schema(arguments: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    return {
        "type": "object",
        "properties": {
            "approved": {"type": "boolean", "description": "Whether the call may run."},
            "editedArgs": dict(arguments),
            "reason": {"type": "string", "description": "Said to the agent when the call is rejected."},
        },
        "required": ["approved"],
    }
