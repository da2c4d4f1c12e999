"""``CUSTOM on_interrupt``: how LangGraph and CrewAI ask by default, at the end of a plain success.

CrewAI's value is an interrupt of today's form and is answered by ``resume``. LangGraph's is whatever the
graph said, often as JSON text, and is answered by ``forwardedProps.command.resume``. That takes one
value, so of several questions without ids of their own only the last can be put.
"""

from collections.abc import Sequence

from ag_ui.core import CustomEvent, Interrupt
from pydantic import JsonValue, ValidationError

from chat_app.agui.adapters.base import Delivery, RunRecord, noted
from chat_app.agui.adapters.text import decoded, text_at

NAME = "on_interrupt"


def find(record: RunRecord) -> Sequence[Interrupt]:
    """Return the questions of a run, as many of them as can be answered apart."""
    asked = [event for event in record.customs if event.name == NAME]
    standard = [question for event in asked if (question := _standard(event)) is not None]
    if standard:
        return standard
    named = [_question(event, own_id) for event in asked if (own_id := _own_id(event))]
    if len(named) == len(asked):
        return named
    return [_question(asked[-1], f"{NAME}:{record.run_id}")]


def _standard(event: CustomEvent) -> Interrupt | None:
    value = decoded(event.value)
    if not isinstance(value, dict) or not text_at(value, "id") or not text_at(value, "reason"):
        return None
    try:
        return Interrupt.model_validate(value)
    except ValidationError:
        return None


def _own_id(event: CustomEvent) -> str:
    return text_at(event.raw_event, "id") if isinstance(event.raw_event, dict) else ""


def _question(event: CustomEvent, interrupt_id: str) -> Interrupt:
    value = decoded(event.value)
    raw: dict[str, JsonValue] = {"langgraph": {"raw": value}}
    return Interrupt(
        id=interrupt_id,
        reason=text_at(value, "reason") or "langgraph:interrupt",
        message=value
        if isinstance(value, str)
        else text_at(value, "message") or text_at(value, "question") or None,
        metadata=raw | noted(Delivery.COMMAND),
    )
