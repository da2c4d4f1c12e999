"""Questions a run stopped on: which answers may be sent, and how they are put together.

All questions of a run are answered in one request. Leaving one out would lose it to the agent, which
then asks again for ever or, worse, goes on without the answer; so a list that does not cover every
open question, names another, or answers one twice never leaves this side.
"""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, validator_for
from pydantic import JsonValue
from referencing import Registry
from referencing.exceptions import Unresolvable

from chat_app.agui.errors import (
    DuplicateAnswer,
    InterruptExpired,
    NotInterrupted,
    UncoveredInterrupts,
    UnknownInterrupt,
    UsageError,
)
from chat_app.agui.events import Interrupt, ResumeEntry


def check_answers(entries: Sequence[ResumeEntry], pending: Sequence[Interrupt], now: datetime) -> None:
    """Refuse a list of answers that may not be sent.

    Raises:
        NotInterrupted: Nothing is open.
        DuplicateAnswer: A question is answered twice.
        UnknownInterrupt: An answer is to no open question.
        UncoveredInterrupts: A question is left out.
        InterruptExpired: An expired question is answered instead of cancelled.
        UsageError: An answer does not fit the question's schema.
    """
    if not pending:
        raise NotInterrupted
    _refuse_bad_ids([entry.interrupt_id for entry in entries], [one.id for one in pending])
    questions = {one.id: one for one in pending}
    for entry in entries:
        if entry.status == "resolved":
            _refuse_late(questions[entry.interrupt_id], now)
            _refuse_unfit(questions[entry.interrupt_id], entry.payload)


def _refuse_bad_ids(answered: Sequence[str], pending: Sequence[str]) -> None:
    twice = [one for one, times in Counter(answered).items() if times > 1]
    if twice:
        raise DuplicateAnswer(f"Answered twice in one request: {_names(twice)}.")
    unknown = [one for one in answered if one not in pending]
    if unknown:
        raise UnknownInterrupt(f"No such question is open: {_names(unknown)}.")
    missing = [one for one in pending if one not in answered]
    if missing:
        raise UncoveredInterrupts(f"Still without an answer: {_names(missing)}.", missing=tuple(missing))


def _names(ids: Sequence[str]) -> str:
    return ", ".join(map(repr, ids))


def _refuse_late(interrupt: Interrupt, now: datetime) -> None:
    if is_expired(interrupt, now):
        raise InterruptExpired(
            f"The question {interrupt.id!r} expired at {interrupt.expires_at}; it can only be cancelled."
        )


def _refuse_unfit(interrupt: Interrupt, payload: JsonValue) -> None:
    complaint = misfit(interrupt, payload)
    if complaint:
        raise UsageError(f"The answer to {interrupt.id!r} does not fit its schema: {complaint}.")


def expires_at(interrupt: Interrupt) -> datetime | None:
    """Return when the question expires, aware; None when it never does or its time cannot be read.

    A time without a zone counts as UTC.
    """
    if interrupt.expires_at is None:
        return None
    try:
        at = datetime.fromisoformat(interrupt.expires_at.strip())
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def is_expired(interrupt: Interrupt, now: datetime) -> bool:
    """Tell whether the question can no longer be answered, only cancelled."""
    at = expires_at(interrupt)
    return at is not None and at <= now


def misfit(interrupt: Interrupt, payload: JsonValue) -> str:
    """Return why ``payload`` does not fit the question's schema, ``""`` when it does.

    A schema that is itself broken, or that refers to something outside of it, judges nothing: it is
    the agent's, and must not keep a person from answering. References are never fetched.
    """
    if interrupt.response_schema is None:
        return ""
    try:
        first = next(_validator(interrupt.response_schema).iter_errors(payload), None)
    except (SchemaError, Unresolvable):
        return ""
    return "" if first is None else _complaint(first)


def _validator(schema: dict[str, JsonValue]) -> Validator:
    kind = validator_for(schema, default=Draft202012Validator)
    kind.check_schema(schema)
    return kind(schema, registry=Registry())


def _complaint(error: ValidationError) -> str:
    place = "/".join(map(str, error.absolute_path))
    return f"{place}: {error.message}" if place else error.message
