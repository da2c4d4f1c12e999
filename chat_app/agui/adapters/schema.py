"""Questions that say what they want: by a response schema, or by a reason everybody knows.

The protocol's convention is an object with ``approved``; frameworks also say ``accepted`` and
``confirmed``, or want a bare boolean. A note goes under the name the schema gives it.
"""

from collections.abc import Mapping

from pydantic import JsonValue

from chat_app.agui.adapters.base import Edits, Shape
from chat_app.agui.events import Interrupt

_VERDICTS = ("approved", "accepted", "confirmed")
_NOTES = ("reason", "note", "feedback", "comment", "message")
_APPROVABLE = frozenset({"tool_call", "confirmation"})


def _properties(interrupt: Interrupt) -> Mapping[str, JsonValue]:
    found = (interrupt.response_schema or {}).get("properties")
    return found if isinstance(found, dict) else {}


def _kind(schema: JsonValue) -> JsonValue:
    return schema.get("type") if isinstance(schema, dict) else None


def _verdict_key(interrupt: Interrupt) -> str | None:
    properties = _properties(interrupt)
    return next((key for key in _VERDICTS if _kind(properties.get(key)) == "boolean"), None)


def _note_in(interrupt: Interrupt, note: str) -> dict[str, JsonValue]:
    properties = _properties(interrupt)
    key = next((key for key in _NOTES if _kind(properties.get(key)) == "string"), None)
    return {key: note} if key is not None and note else {}


def _approve_by_key(interrupt: Interrupt, edits: Edits | None, note: str) -> JsonValue:
    edited: dict[str, JsonValue] = {} if edits is None else {"editedArgs": dict(edits)}
    return {str(_verdict_key(interrupt)): True, **edited, **_note_in(interrupt, note)}


def _reject_by_key(interrupt: Interrupt, note: str) -> JsonValue:
    return {str(_verdict_key(interrupt)): False, **_note_in(interrupt, note)}


KEYED = Shape(
    name="keyed",
    fits=lambda interrupt: _verdict_key(interrupt) is not None,
    approve=_approve_by_key,
    reject=_reject_by_key,
    edit=lambda interrupt: "editedArgs" in _properties(interrupt),
)
"""An object with a boolean verdict."""

BOOLEAN = Shape(
    name="boolean",
    fits=lambda interrupt: _kind(interrupt.response_schema) == "boolean",
    approve=lambda _interrupt, _edits, _note: True,
    reject=lambda _interrupt, _note: False,
)
"""A bare yes or no."""

PLAIN = Shape(
    name="plain",
    fits=lambda interrupt: interrupt.response_schema is None and interrupt.reason in _APPROVABLE,
    approve=lambda _interrupt, _edits, _note: {"approved": True},
    reject=lambda _interrupt, _note: {"approved": False},
)
"""No schema, but a reason that can only mean an approval."""

OPEN = Shape(name="open", fits=lambda _: True)
"""Anything else: the person answers in text or JSON, or cancels."""
