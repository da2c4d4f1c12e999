"""Agno: a paused run ends like a success, with the paused calls left open.

The message the calls hang on says what it waits for. A confirmation is answered by a tool message
``{"accepted": …, "note": …}``, a question for missing values by ``{"values": {…}}``.
"""

from collections.abc import Sequence

from ag_ui.core import Interrupt
from pydantic import JsonValue

from chat_app.agui.adapters.base import Delivery, RunRecord, SeenCall, Shape, metadata_of, noted

_PAUSED = "I have tools to execute, but I need "
_CONFIRMATION = "confirmation"
_VALUES = "user input"


def find(record: RunRecord) -> Sequence[Interrupt]:
    """Return what a paused run waits for."""
    announced = tuple(_PAUSED + need for need in (_CONFIRMATION, _VALUES))
    return [_question(call) for call in record.calls if call.said.startswith(announced)]


def _question(call: SeenCall) -> Interrupt:
    confirms = call.said.removeprefix(_PAUSED).startswith(_CONFIRMATION)
    return Interrupt(
        id=call.call_id,
        reason=_CONFIRMATION if confirms else "input_required",
        message=f"Run {call.name}?" if confirms else f"{call.name} needs more before it can run.",
        tool_call_id=call.call_id,
        metadata={"agno": {"paused": call.name}} | noted(Delivery.TOOL_MESSAGE, call_id=call.call_id),
    )


def _reject(_interrupt: Interrupt, note: str) -> JsonValue:
    return {"accepted": False, "note": note} if note else {"accepted": False}


SHAPE = Shape(
    name="agno",
    fits=lambda interrupt: metadata_of(interrupt, "agno") is not None and interrupt.reason == _CONFIRMATION,
    approve=lambda _interrupt, _edits, _note: {"accepted": True},
    reject=_reject,
)
