"""From stored records to the rows the page draws. Pure: the same records give the same rows, live or after a reload."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic import JsonValue

from chat_app.data.records import DecisionRecord, InterruptRecord, MessageRecord, RunRecord
from chat_app.services.activities import CONSENT_TOOLS, consent, known
from chat_app.services.answers import actions
from chat_app.services.changes import changes, sendable
from chat_app.services.content import Stored, as_stored
from chat_app.services.digest import facts, fingerprint, proposal
from chat_app.services.rows import SPOKEN, Change, Fact, File, Part, Row, iso

STOPPED = "CANCELLED"
KINDS = {"user": "user", "subagent": "lane"}
"""The kind of row by the role of its message; any other is the agent's turn."""


@dataclass(frozen=True, slots=True)
class Yes:
    """Who said yes to a question that two people must answer alike, and when."""

    by: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Question:
    """An interrupt with its decision, who made it, and whether its answer is still owed to the agent.

    `holds` says that its thread waits for somebody to decide it. `batch` are the questions that are answered with it,
    `answered` of which have an answer, and `place` is its own among them. `carrier` is the run that took the decision
    to the agent. `endorsed` are who said yes while a second person has to.
    """

    interrupt: InterruptRecord
    decision: DecisionRecord | None = None
    decided_by: str = ""
    owed: bool = False
    holds: bool = False
    batch: int = 0
    place: int = 0
    answered: int = 0
    carrier: RunRecord | None = None
    endorsed: tuple[Yes, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """What the status of a call depends on besides the call: the questions about it, the runs, and the live run."""

    questions: Mapping[str, Question] = field(default_factory=dict)
    runs: Mapping[str, RunRecord] = field(default_factory=dict)
    live_run: str | None = None


def by_call(questions: Iterable[Question]) -> dict[str, Question]:
    """Return the newest question about each call, by the call's wire id."""
    return {q.interrupt.tool_call: q for q in questions if q.interrupt.tool_call}


def in_batches(questions: Sequence[Question]) -> list[Question]:
    """Return the questions with their places among those of the same run that wait with them, two or more."""
    waiting: dict[str, list[Question]] = {}
    for question in questions:
        if question.holds:
            waiting.setdefault(question.interrupt.run, []).append(question)
    return [_in_batch(one, waiting.get(one.interrupt.run, ()) if one.holds else ()) for one in questions]


def _in_batch(question: Question, batch: Sequence[Question]) -> Question:
    if len(batch) <= 1:
        return question
    answered = sum(one.decision is not None or one.interrupt.status == "expired" for one in batch)
    place = next(place for place, one in enumerate(batch, 1) if one is question)
    return replace(question, batch=len(batch), place=place, answered=answered)


def message_row(message: MessageRecord, context: Context) -> Row:
    """Return the row of a person's line or an agent's turn."""
    return Row(
        key=message.key,
        kind=KINDS.get(message.role, "turn"),
        position=message.position,
        at=iso(message.created),
        run=message.run or "",
        lane=_text(as_stored(message.content[0]), "lane") if message.content else "",
        parts=[drawn for part in message.content for drawn in _parts(as_stored(part), message, context)],
    )


def approval_row(question: Question) -> Row:
    """Return the card of one question; one that expired stays open as long as somebody has to give it up."""
    asked, decision = question.interrupt, question.decision
    carrier = question.carrier
    return Row(
        key=f"ask:{asked.id}",
        kind="approval",
        position=asked.position,
        at=iso(asked.created),
        run=asked.run,
        interrupt_id=asked.id,
        reason=asked.reason,
        message=asked.message or "",
        tool=asked.tool_name or "",
        arguments=facts(asked.args or ""),
        digest=asked.args_digest or "",
        expires_at=iso(asked.expires_at),
        status="pending" if question.holds else asked.status,
        decision=decision.kind if decision else "",
        decided_by=question.decided_by,
        decided_at=iso(decision.at) if decision else "",
        note=decision.note if decision else "",
        actions=_offered(question),
        owed=question.owed,
        risk=said_in(asked.metadata, "risk"),
        risk_reason=said_in(asked.metadata, "riskReason"),
        form=has_form(asked),
        answer=_answer(decision),
        changes=_edits(asked, decision),
        sealed=_sealed(decision),
        batch=question.batch,
        place=question.place,
        answered=question.answered,
        endorsed_by=", ".join(yes.by for yes in question.endorsed),
        endorsed_at=iso(question.endorsed[-1].at) if question.endorsed else "",
        resumed=iso(carrier.started) if carrier else "",
        finished=iso(carrier.ended) if carrier else "",
    )


def has_form(asked: InterruptRecord) -> bool:
    """Whether the answer to a question is filled in, not written: its schema asks for more than a text."""
    schema = asked.response_schema
    return isinstance(schema, dict) and bool(schema) and schema != {"type": "string"}


def said_in(metadata: JsonValue, name: str) -> str:
    """Return a text that the agent sent beside its question, empty without one."""
    value = metadata.get(name) if isinstance(metadata, dict) else None
    return sendable(value) if isinstance(value, str) else ""


def _answer(decision: DecisionRecord | None) -> list[Fact]:
    """Return what a person answered, value by value."""
    return facts(json.dumps(decision.payload)) if decision is not None and decision.kind == "respond" else []


def _edits(asked: InterruptRecord, decision: DecisionRecord | None) -> list[Change]:
    """Return what a person changed of what was proposed."""
    if decision is None or decision.kind != "edit":
        return []
    return changes(proposal(asked.args or ""), decision.edited_args)


def _sealed(decision: DecisionRecord | None) -> str:
    """Return the fingerprint of the arguments that were approved instead of those proposed."""
    return fingerprint(json.dumps(decision.edited_args)) if decision and decision.kind == "edit" else ""


def _offered(question: Question) -> list[str]:
    """Return what a person can still do: an expired question, as long as it holds its thread up, can be given up."""
    asked = question.interrupt
    if asked.status == "pending":
        return [*actions(asked)]
    return ["cancel"] if asked.status == "expired" and question.holds else []


def note_row(run: RunRecord, *, newest: bool) -> Row:
    """Return the note a failed, stopped or cancelled run ended with; `newest` runs can be tried again."""
    return Row(
        key=f"note:{run.id}",
        kind="note",
        position=run.note_position or 0,
        at=iso(run.ended),
        run=run.id,
        code=note_code(run),
        detail=run.error_message or "",
        retry=newest,
    )


def note_code(run: RunRecord) -> str:
    """Return the kind of a run's end: our own kind of trouble where it is known, else the agent's code."""
    kind = run.diagnostics.get("problem") if isinstance(run.diagnostics, dict) else None
    if run.status == "cancelled" or (run.error_code or "").upper() == STOPPED:
        return STOPPED
    return str(kind or run.error_code or "agent_error")


def with_heads(rows: Sequence[Row]) -> list[Row]:
    """Return the rows with `head` set on the first turn after a person's line, or at the start."""
    spoken = [row for row in rows if row.kind in SPOKEN and not row.lane]
    pairs = zip([None, *spoken], spoken, strict=False)
    heads = {
        row.key for prior, row in pairs if row.kind != "user" and (prior is None or prior.kind == "user")
    }
    return [replace(row, head=True) if row.key in heads else row for row in rows]


def call_status(stored: str, question: Question | None, run: RunRecord | None, *, live: bool) -> str:
    """Return the word for how a tool call stands, from its status, the question about it and the run's end."""
    if question is not None and (asked := _asked_status(stored, question)):
        return asked
    if stored == "complete":
        return "done"
    if live and stored != "failed":
        return "preparing" if stored == "streaming_arguments" else "running"
    return _ended_status(stored, run)


def _asked_status(stored: str, question: Question) -> str:
    status, decision = question.interrupt.status, question.decision
    if status in ("pending", "expired"):
        return "waiting" if status == "pending" else "expired"
    if status in ("cancelled", "superseded", "withdrawn"):
        return "cancelled"
    if decision is not None and decision.kind in ("reject", "cancel"):
        return "denied" if decision.kind == "reject" else "cancelled"
    if question.owed:
        return "waiting"
    return "done" if stored == "complete" else ""


def _ended_status(stored: str, run: RunRecord | None) -> str:
    if run is None or run.status in ("success", "interrupted"):
        # the agent kept the result to itself, or hands the call on to a later run
        return "failed" if stored in ("failed", "streaming_arguments") else "done"
    return "cancelled" if note_code(run) == STOPPED else "failed"


def _parts(stored: Stored, message: MessageRecord, context: Context) -> Iterable[Part]:
    part = _part(stored, message, context)
    yield part
    if part.name in CONSENT_TOOLS and part.kind == "tool" and (asked := consent(part.text)):
        yield Part(key=f"{part.key}:consent", kind="consent", text=asked)


def _part(stored: Stored, message: MessageRecord, context: Context) -> Part:
    part = Part(
        key=_text(stored, "key"),
        kind=_text(stored, "kind"),
        text=_text(stored, "text"),
        streaming=bool(stored.get("streaming")),
        name=_text(stored, "name"),
        result=_text(stored, "result"),
        started=_text(stored, "started"),
        ended=_text(stored, "ended"),
        files=_files(stored),
    )
    if part.kind == "activity" and (seen := known(part.name, part.text)):
        return replace(part, kind=seen[0], text=seen[1])
    if part.kind != "tool":
        return replace(part, status=_text(stored, "status")) if part.kind in ("lane", "file") else part
    question = context.questions.get(_text(stored, "call"))
    resumed = question.decision.resume_run if question is not None and question.decision is not None else None
    live = context.live_run is not None and context.live_run in (message.run, resumed)
    run = context.runs.get(message.run or "")
    return replace(part, status=call_status(_text(stored, "status"), question, run, live=live))


def _files(stored: Stored) -> list[File]:
    found = stored.get("files")
    listed = [as_stored(one) for one in found] if isinstance(found, list) else []
    return [File(*(_text(one, field) for field in ("name", "mime", "source", "link"))) for one in listed]


def _text(stored: Stored, name: str) -> str:
    value = stored.get(name)
    return value if isinstance(value, str) else ""
