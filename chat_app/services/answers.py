"""Between stored questions and decisions and what the agent reads: which answers a question takes, and their form."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue

from chat_app.agui import Interrupt, ResumeBuilder, ResumeEntry, actions_of
from chat_app.data.records import DecisionKind, DecisionRecord, InterruptRecord
from chat_app.services.rows import iso

CONSENT = "consent"
"""The reason of a call that runs here when a person says yes; every other `ask` call is answered by words."""

DISMISSED = "The person dismissed this question and went on."
DENIED = "The person said no."


@dataclass(frozen=True, slots=True)
class CallAnswer:
    """What a person said to a call of ours: start it (`perform`), or this text, which may be a refusal."""

    call: str
    perform: bool = False
    content: str = ""
    refused: bool = False


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


def actions(asked: InterruptRecord) -> list[DecisionKind]:
    """Return the kinds of answers a question takes, most natural first; abandoning it is always possible."""
    if asked.kind == "ask":
        return ["approve", "reject", "cancel"] if asked.reason == CONSENT else ["respond", "cancel"]
    takes = actions_of(interrupt_of(asked))
    offered: dict[DecisionKind, bool] = {
        "approve": takes.approve,
        "edit": takes.edit,
        "reject": takes.reject,
        "respond": takes.respond,
        "cancel": True,
    }
    return [kind for kind, possible in offered.items() if possible]


def may_be_dropped(asked: InterruptRecord) -> bool:
    """Return whether abandoning a question cannot be taken for a yes by the agent that asked."""
    return asked.kind == "ask" or actions_of(interrupt_of(asked)).cancel_is_safe


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
    """Return one entry for each interrupt of a run, in their order; calls that ask are answered by `call_answers`.

    A question that nobody decided is abandoned, and so is one that has expired by `now`: its answer would be refused
    for ever, and those beside it with it.

    Raises:
        UsageError: an answer does not fit its question.
    """
    by_question = {decision.interrupt: decision for decision in decided}
    asked = [question for question in asked if question.kind == "interrupt"]
    builder = ResumeBuilder([interrupt_of(question) for question in asked])
    for question in asked:
        decision = None if is_over(question, now) else by_question.get(question.id)
        _put(builder, question.wire_id, decision)
    return builder.build()


def call_answers(
    asked: Sequence[InterruptRecord], decided: Sequence[DecisionRecord]
) -> tuple[CallAnswer, ...]:
    """Return what the calls of ours that a run waits for are answered with; one that nobody decided is dismissed."""
    by_question = {decision.interrupt: decision for decision in decided}
    return tuple(
        _call_answer(question.tool_call or "", by_question.get(question.id))
        for question in asked
        if question.kind == "ask"
    )


def is_over(asked: InterruptRecord, now: datetime) -> bool:
    """Return whether a question has expired."""
    return asked.expires_at is not None and asked.expires_at <= now


def _call_answer(call: str, decision: DecisionRecord | None) -> CallAnswer:
    if decision is None or decision.kind == "cancel":
        return CallAnswer(call, content=DISMISSED, refused=True)
    if decision.kind == "reject":
        return CallAnswer(call, content=f"{DENIED} {decision.note}".strip(), refused=True)
    if decision.kind == "approve":
        return CallAnswer(call, perform=True)
    said = decision.payload
    return CallAnswer(call, content=said if isinstance(said, str) else json.dumps(said, ensure_ascii=False))


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
