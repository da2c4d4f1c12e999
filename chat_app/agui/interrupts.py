"""Questions a run stopped on: which answers may be sent, and how they are put together.

All questions of a run are answered in one request. Leaving one out would lose it to the agent, which
then asks again for ever or, worse, goes on without the answer; so a list that does not cover every
open question, names another, or answers one twice never leaves this side.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from jsonschema.exceptions import SchemaError, ValidationError
from jsonschema.protocols import Validator
from jsonschema.validators import Draft202012Validator, validator_for
from pydantic import JsonValue
from referencing import Registry
from referencing.exceptions import Unresolvable

from chat_app.agui.adapters import Edits, shape_of
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

    >>> asked = [Interrupt(id="a", reason="tool_call"), Interrupt(id="b", reason="tool_call")]
    >>> check_answers([ResumeEntry(interrupt_id="a", status="cancelled")], asked, datetime.now(UTC))
    Traceback (most recent call last):
    chat_app.agui.errors.UncoveredInterrupts: Still without an answer: 'b'.

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
    """Tell whether the question can no longer be answered, only cancelled.

    >>> late = Interrupt(id="i", reason="tool_call", expires_at="2026-11-30T12:00:00Z")
    >>> is_expired(late, datetime(2026, 11, 30, 12, tzinfo=UTC))
    True
    """
    at = expires_at(interrupt)
    return at is not None and at <= now


def misfit(interrupt: Interrupt, payload: JsonValue) -> str:
    """Return why ``payload`` does not fit the question's schema, ``""`` when it does.

    A schema that is itself broken, or that refers to something outside of it, judges nothing: it is
    the agent's, and must not keep a person from answering. References are never fetched.

    >>> misfit(Interrupt(id="i", reason="input_required", response_schema={"type": "integer"}), "two")
    "'two' is not of type 'integer'"
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


@dataclass(frozen=True, slots=True)
class Actions:
    """What a person can do about a question.

    Cancelling is always possible; ``cancel_is_safe`` is False where the agent may take it for a yes.
    ``respond`` means an answer in text or JSON, when no plain yes or no is known.
    """

    approve: bool
    reject: bool
    edit: bool
    respond: bool
    cancel_is_safe: bool


def actions_of(interrupt: Interrupt) -> Actions:
    """Return what can be done about a question.

    >>> actions_of(Interrupt(id="i", reason="input_required"))
    Actions(approve=False, reject=False, edit=False, respond=True, cancel_is_safe=True)
    """
    shape = shape_of(interrupt)
    return Actions(
        approve=shape.approve is not None,
        reject=shape.reject is not None,
        edit=shape.edit(interrupt),
        respond=shape.approve is None,
        cancel_is_safe=shape.cancel_is_safe,
    )


class ResumeBuilder:
    """Collects the answers to the open questions of a thread, one by one, in any order.

    >>> asked = [Interrupt(id="send", reason="tool_call"), Interrupt(id="year", reason="input_required")]
    >>> builder = ResumeBuilder(asked).approve("send")
    >>> [one.id for one in builder.missing()]
    ['year']
    >>> [entry.payload for entry in builder.resolve("year", {"year": 2026}).build()]
    [{'approved': True}, {'year': 2026}]
    """

    def __init__(self, pending: Sequence[Interrupt]) -> None:
        self._pending = {interrupt.id: interrupt for interrupt in pending}
        self._entries: dict[str, ResumeEntry] = {}

    def resolve(self, interrupt_id: str, payload: JsonValue = None) -> Self:
        """Answer with ``payload``; None is an answer without content.

        Raises:
            UnknownInterrupt: No such question is open.
            UsageError: The payload does not fit the question's schema.
        """
        _refuse_unfit(self._asked(interrupt_id), payload)
        return self._put(ResumeEntry(interrupt_id=interrupt_id, status="resolved", payload=payload))

    def approve(self, interrupt_id: str, *, edited: Edits | None = None, note: str = "") -> Self:
        """Say yes, in the words of the agent that asked; ``edited`` replaces all proposed arguments.

        Raises:
            UsageError: The question knows no plain yes, or takes no edits.
        """
        interrupt = self._asked(interrupt_id)
        shape = shape_of(interrupt)
        if shape.approve is None:
            raise UsageError(f"The question {interrupt_id!r} cannot be approved; it wants an answer.")
        if edited is not None and not shape.edit(interrupt):
            raise UsageError(f"The question {interrupt_id!r} takes no edited arguments.")
        return self.resolve(interrupt_id, shape.approve(interrupt, edited, note))

    def reject(self, interrupt_id: str, *, note: str = "") -> Self:
        """Say no, in the words of the agent that asked. The agent goes on and knows it.

        Raises:
            UsageError: The question knows no plain no.
        """
        interrupt = self._asked(interrupt_id)
        refuse = shape_of(interrupt).reject
        if refuse is None:
            raise UsageError(f"The question {interrupt_id!r} cannot be rejected; it wants an answer.")
        return self.resolve(interrupt_id, refuse(interrupt, note))

    def cancel(self, interrupt_id: str) -> Self:
        """Abandon the question without an answer, which is not a no."""
        self._asked(interrupt_id)
        return self._put(ResumeEntry(interrupt_id=interrupt_id, status="cancelled"))

    def missing(self) -> tuple[Interrupt, ...]:
        """Return the questions that have no answer yet."""
        return tuple(one for one in self._pending.values() if one.id not in self._entries)

    def build(self) -> tuple[ResumeEntry, ...]:
        """Return the answers in the order they were first given.

        Raises:
            UncoveredInterrupts: A question has no answer yet.
        """
        _refuse_bad_ids(list(self._entries), list(self._pending))
        return tuple(self._entries.values())

    def _asked(self, interrupt_id: str) -> Interrupt:
        if interrupt_id not in self._pending:
            raise UnknownInterrupt(f"No such question is open: {interrupt_id!r}.")
        return self._pending[interrupt_id]

    def _put(self, entry: ResumeEntry) -> Self:
        self._entries[entry.interrupt_id] = entry
        return self
