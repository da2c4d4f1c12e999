"""Are the stored questions what the log says was asked, and do their standings, answers and digests belong together?

A question of an agent is in the log, in the end of the run that asked it. A call that waits for a person is in the log
as a call. Whatever was asked, its digest must be the one of its arguments, an answer must be bound to that digest, and
an answer that the log says was sent must be there.
"""

from collections.abc import Iterable, Mapping, Sequence

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import Interrupt, expires_at
from chat_app.data import decisions, events, interrupts, runs
from chat_app.data.columns import UNSTORABLE
from chat_app.data.records import DecisionRecord, EventRecord, InterruptRecord
from chat_app.services import eventlog
from chat_app.services.digest import fingerprint

Calls = Mapping[str, frozenset[str]]
"""The arguments that calls have in the folded log, by the id of the call; an agent may use an id twice."""


def differences(session: Session, thread_id: str, calls: Calls) -> list[str]:
    """Return what log and tables disagree about, question by question.

    Raises:
        BadEvent: the log holds an entry that no version of this client has written.
    """
    log = events.of_thread(session, thread_id)
    stored = interrupts.of_thread(session, thread_id)
    decided = {
        answer.interrupt: answer
        for answer in decisions.of_interrupts(session, [question.id for question in stored])
    }
    sealed = {run.id for run in runs.of_thread(session, thread_id) if run.sealed_at is not None}
    return [
        *_unlike(log, stored),
        *(
            told
            for one in stored
            for told in _inside(one, decided.get(one.id), calls, sealed=one.run in sealed)
        ),
        *(f"answer to {name}" for name in _sent(log) if name not in decided),
    ]


def _unlike(log: Sequence[EventRecord], stored: Iterable[InterruptRecord]) -> list[str]:
    wanted = {(record.run, _stored(one.id)): _asked(one) for record in log for one in _questions(record)}
    held: dict[tuple[str | None, str], tuple[object, ...]]
    held = {(one.run, one.wire_id): _held(one) for one in stored if one.kind == "interrupt"}
    return [
        f"question {key[1]}" for key in sorted({*wanted, *held}, key=str) if wanted.get(key) != held.get(key)
    ]


def _questions(record: EventRecord) -> Iterable[Interrupt]:
    """Return what an entry of the log asks: the end of a run may."""
    if record.type != "RUN_FINISHED":
        return ()
    (event,) = eventlog.entries(record)
    return getattr(getattr(event, "outcome", None), "interrupts", ())


def _asked(one: Interrupt) -> tuple[object, ...]:
    texts = (one.reason, one.message, one.tool_call_id)
    return *(None if text is None else _stored(text) for text in texts), one.response_schema, expires_at(one)


def _held(one: InterruptRecord) -> tuple[object, ...]:
    return one.reason, one.message, one.tool_call, one.response_schema, one.expires_at


def _inside(
    question: InterruptRecord, answer: DecisionRecord | None, calls: Calls, *, sealed: bool
) -> Iterable[str]:
    name = question.wire_id
    known = calls.get(question.tool_call or "")
    if question.args is not None and known and question.args not in known:
        yield f"arguments of {name}"
    if question.args is not None and fingerprint(question.args) != question.args_digest:
        yield f"digest of {name}"
    if answer is not None and answer.digest != question.args_digest:
        yield f"answer to {name}"
    if not _stands(question, answer, sealed=sealed):
        yield f"standing of {name}"


def _stands(question: InterruptRecord, answer: DecisionRecord | None, *, sealed: bool) -> bool:
    if question.status == "pending":
        return not sealed
    if question.status in ("answered", "cancelled"):
        return answer is not None and (answer.kind == "cancel") == (question.status == "cancelled")
    return True


def _sent(log: Iterable[EventRecord]) -> Iterable[str]:
    """Return the questions of which the log says that their answers were sent."""
    payloads: Iterable[JsonValue] = (record.payload for record in log if record.type == eventlog.DECISION)
    for payload in payloads:
        named = payload.get("interrupts") if isinstance(payload, dict) else None
        yield from (one for one in (named if isinstance(named, list) else ()) if isinstance(one, str))


def _stored(text: str) -> str:
    return UNSTORABLE.sub("\ufffd", text)
