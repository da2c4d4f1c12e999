"""LangChain's human-in-the-loop middleware: several actions under review, one decision for each.

The question carries ``action_requests`` and ``review_configs``; the answer is ``{"decisions": […]}`` in
the same order.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from chat_app.agui.adapters.base import Edits, Shape, metadata_of
from chat_app.agui.adapters.text import text_at
from chat_app.agui.events import Interrupt


def _requests(interrupt: Interrupt) -> list[JsonValue]:
    found = metadata_of(interrupt, "langgraph", "raw", "action_requests")
    return found if isinstance(found, list) else []


def _decisions(interrupt: Interrupt, decision: Mapping[str, JsonValue]) -> JsonValue:
    return {"decisions": [dict(decision) for _ in _requests(interrupt)]}


def _approve(interrupt: Interrupt, edits: Edits | None, _note: str) -> JsonValue:
    if edits is None:
        return _decisions(interrupt, {"type": "approve"})
    name = text_at(_requests(interrupt)[0], "name")
    return _decisions(interrupt, {"type": "edit", "edited_action": {"name": name, "args": dict(edits)}})


def _reject(interrupt: Interrupt, note: str) -> JsonValue:
    return _decisions(interrupt, {"type": "reject", "message": note} if note else {"type": "reject"})


def _takes_edits(interrupt: Interrupt) -> bool:
    """Tell whether the one action under review may be changed; of several, no edit says which is meant."""
    configs = metadata_of(interrupt, "langgraph", "raw", "review_configs")
    first = configs[0] if isinstance(configs, list) and configs else None
    allowed = first.get("allowed_decisions") if isinstance(first, dict) else None
    return len(_requests(interrupt)) == 1 and isinstance(allowed, list) and "edit" in allowed


SHAPE = Shape(
    name="langchain",
    fits=lambda interrupt: bool(_requests(interrupt)),
    approve=_approve,
    reject=_reject,
    edit=_takes_edits,
)
