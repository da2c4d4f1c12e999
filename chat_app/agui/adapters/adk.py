"""Google ADK: a confirmation is a call of its own, named ``adk_request_confirmation``.

By default the call is left without a result at the end of a run that looks like a success, and is
answered by a tool message; with outcomes switched on it is an interrupt of reason ``confirmation``.
Either way the answer is ``{"confirmed": …}``. The call in question is in the arguments; the hint is
written for programs.
"""

from collections.abc import Sequence

from ag_ui.core import Interrupt
from pydantic import JsonValue

from chat_app.agui.adapters.base import Delivery, RunRecord, SeenCall, Shape, metadata_of, noted
from chat_app.agui.adapters.text import json_object, object_at, text_at

NAME = "adk_request_confirmation"


def find(record: RunRecord) -> Sequence[Interrupt]:
    """Return the confirmations a run ended on."""
    return [_question(call) for call in record.calls if call.name == NAME]


def _question(call: SeenCall) -> Interrupt:
    arguments = json_object(call.arguments)
    asked = object_at(arguments, "originalFunctionCall")
    adk: dict[str, JsonValue] = {"adk": arguments}
    return Interrupt(
        id=call.call_id,
        reason="confirmation",
        message=f"Run {text_at(asked, 'name') or 'the tool'}?",
        tool_call_id=text_at(asked, "id") or call.call_id,
        metadata=adk | noted(Delivery.TOOL_MESSAGE, call_id=call.call_id),
    )


SHAPE = Shape(
    name="adk",
    fits=lambda interrupt: interrupt.response_schema is None and metadata_of(interrupt, "adk") is not None,
    approve=lambda _interrupt, _edits, _note: {"confirmed": True},
    reject=lambda _interrupt, _note: {"confirmed": False},
)
