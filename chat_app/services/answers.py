"""From stored questions and decisions to what the agent reads: one resume entry for each question of a run."""

from pydantic import JsonValue

from chat_app.agui import Interrupt, ResumeEntry
from chat_app.data.records import DecisionRecord, InterruptRecord
from chat_app.services.projection import iso, schema_properties

NOTE_KEYS = ("reason", "note", "comment", "message", "feedback")
"""Names under which schemas in use ask for the words that go with a no; the first one a schema has is used."""


def interrupt_of(asked: InterruptRecord) -> Interrupt:
    """Return the question as the agent asked it."""
    schema, metadata = asked.response_schema, asked.metadata
    return Interrupt(
        id=asked.wire_id,
        reason=asked.reason,
        message=asked.message,
        tool_call_id=asked.tool_call,
        response_schema=schema if isinstance(schema, dict) else None,
        expires_at=iso(asked.expires_at) or None,
        metadata=metadata if isinstance(metadata, dict) else None,
    )


def entry_of(asked: InterruptRecord, decision: DecisionRecord | None) -> ResumeEntry:
    """Return the answer to one question; without a decision, and for `cancel`, it is abandoned (*reject, cancel*)."""
    if decision is None or decision.kind == "cancel":
        return ResumeEntry(interrupt_id=asked.wire_id, status="cancelled")
    return ResumeEntry(interrupt_id=asked.wire_id, status="resolved", payload=_payload(asked, decision))


def _payload(asked: InterruptRecord, decision: DecisionRecord) -> JsonValue:
    if decision.kind == "respond":
        return decision.payload
    if decision.kind == "reject":
        return {"approved": False, **_note(asked, decision.note)}
    edited: dict[str, JsonValue] = {"editedArgs": decision.edited_args} if decision.kind == "edit" else {}
    return {"approved": True, **edited}


def _note(asked: InterruptRecord, note: str) -> dict[str, JsonValue]:
    named = schema_properties(asked.response_schema)
    key = next((name for name in NOTE_KEYS if name in named), None)
    return {key: note} if note and key else {}
