"""``confirm_changes``: a call that asks to accept another call's doing (agent-framework, ADK).

It is answered by a tool message ``{"accepted": …}``. Where the run also ends with an interrupt, only the
interrupt counts; a tool message is refused there.
"""

from collections.abc import Sequence

from ag_ui.core import Interrupt
from pydantic import JsonValue

from chat_app.agui.adapters.base import Delivery, RunRecord, SeenCall, Shape, metadata_of, noted
from chat_app.agui.adapters.text import json_object, text_at

NAME = "confirm_changes"


def find(record: RunRecord) -> Sequence[Interrupt]:
    """Return the confirmations a run ended on."""
    return [_question(call) for call in record.calls if call.name == NAME]


def _question(call: SeenCall) -> Interrupt:
    arguments = json_object(call.arguments)
    name = text_at(arguments, "function_name")
    changes: dict[str, JsonValue] = {NAME: arguments}
    return Interrupt(
        id=call.call_id,
        reason="confirmation",
        message=f"Run {name}?" if name else "Accept the changes?",
        tool_call_id=text_at(arguments, "function_call_id") or call.call_id,
        metadata=changes | noted(Delivery.TOOL_MESSAGE, call_id=call.call_id),
    )


SHAPE = Shape(
    name="confirm_changes",
    fits=lambda interrupt: metadata_of(interrupt, NAME) is not None,
    approve=lambda _interrupt, _edits, _note: {"accepted": True, "steps": []},
    reject=lambda _interrupt, _note: {"accepted": False, "steps": []},
)
