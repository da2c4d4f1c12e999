"""Between stored questions and decisions and what the agent reads: which answers a question takes, and their form."""

import json
from collections.abc import Sequence
from datetime import datetime

from pydantic import JsonValue

from chat_app.agui import Interrupt, ResumeBuilder, ResumeEntry, actions_of
from chat_app.data.records import DecisionRecord, InterruptRecord
from chat_app.services.rows import iso


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


def actions(asked: InterruptRecord) -> list[str]:
    """Return the kinds of answers a question takes, most natural first; abandoning it is always possible."""
    takes = actions_of(interrupt_of(asked))
    offered = {"approve": takes.approve, "reject": takes.reject, "respond": takes.respond, "cancel": True}
    return [kind for kind, possible in offered.items() if possible]


def response(asked: InterruptRecord, text: str) -> JsonValue:
    """Return what a person typed: text where the schema wants text or the text is no JSON, else the JSON value."""
    schema = asked.response_schema
    if isinstance(schema, dict) and schema.get("type") == "string":
        return text
    try:
        parsed: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return text
    return text if parsed is None else parsed  # an answer is any JSON but null


def entries_of(
    asked: Sequence[InterruptRecord], decided: Sequence[DecisionRecord], *, now: datetime
) -> tuple[ResumeEntry, ...]:
    """Return one entry for each question of a run, in their order.

    A question that nobody decided is abandoned, and so is one that has expired by `now`: its answer would be refused
    for ever, and those beside it with it.

    Raises:
        UsageError: an answer does not fit its question.
    """
    by_question = {decision.interrupt: decision for decision in decided}
    builder = ResumeBuilder([interrupt_of(question) for question in asked])
    for question in asked:
        decision = None if is_over(question, now) else by_question.get(question.id)
        _put(builder, question.wire_id, decision)
    return builder.build()


def is_over(asked: InterruptRecord, now: datetime) -> bool:
    """Return whether a question has expired."""
    return asked.expires_at is not None and asked.expires_at <= now


def _put(builder: ResumeBuilder, question: str, decision: DecisionRecord | None) -> None:
    if decision is None or decision.kind == "cancel":
        builder.cancel(question)
    elif decision.kind == "reject":
        builder.reject(question, note=decision.note)
    elif decision.kind == "respond":
        builder.resolve(question, decision.payload)
    else:
        edited = decision.edited_args if isinstance(decision.edited_args, dict) else None
        builder.approve(question, edited=edited, note=decision.note)
