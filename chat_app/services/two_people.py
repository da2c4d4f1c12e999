"""Answers that count only when two distinct people give them.

What lets an action happen (approve, edit, respond) needs two who say exactly the same: kind, response, arguments, of
the same digest. Until then each has one endorsement, which they may change. Both must still be entitled when the
second comes: a person who lost the role or was disabled meanwhile counts no more. To refuse, one is enough.
"""

import json
from collections.abc import Callable

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import decisions, endorsements, users
from chat_app.data.records import DecisionRecord, EndorsementRecord
from chat_app.services.digest import fingerprint
from chat_app.services.policy import Person
from chat_app.services.problems import Late

LETS_HAPPEN = frozenset({"approve", "edit", "respond"})


def endorse(
    session: Session, record: DecisionRecord, *, entitled: Callable[[Person], bool]
) -> EndorsementRecord | None:
    """Note what a person says; return the other person's endorsement when the two agree, else None.

    A decision that stood on an endorsement of this person is taken back first: they say something else now. Call
    `runs.lock` before, so that two who come at once come one after the other.

    Raises:
        Late: two others have decided.
    """
    assert record.by is not None  # an answer without author is the policy's, and needs no second one
    said = endorsements.of_interrupt(session, record.interrupt)
    _take_back(session, record, {one.by for one in said})
    if record.kind not in LETS_HAPPEN:
        endorsements.withdraw(session, record.interrupt, by=record.by)
        return None
    mine = _endorsement_of(record, record.by)
    endorsements.put(session, mine)
    agreeing = (one for one in said if one.by != record.by and _same(one, mine))
    return next((one for one in agreeing if _still(session, one.by, entitled)), None)


def _take_back(session: Session, record: DecisionRecord, endorsers: set[str]) -> None:
    (decided,) = decisions.of_interrupts(session, [record.interrupt]) or (None,)
    if decided is None:
        return
    if record.by not in {*endorsers, decided.by}:
        raise Late(name_of(session, decided.by), decided.kind)
    decisions.withdraw(session, record.interrupt)


def name_of(session: Session, user_id: str | None) -> str:
    """Return what a person is called on the page; empty for nobody, and when they were erased."""
    user = users.get(session, user_id) if user_id is not None else None
    return user.display_name if user is not None else ""


def _still(session: Session, user_id: str, entitled: Callable[[Person], bool]) -> bool:
    user = users.get(session, user_id)
    return user is not None and user.active and entitled(Person(user.id, user.display_name, user.roles))


def _endorsement_of(record: DecisionRecord, by: str) -> EndorsementRecord:
    return EndorsementRecord(
        id=record.id,
        interrupt=record.interrupt,
        by=by,
        kind=record.kind,
        payload=record.payload,
        edited_args=record.edited_args,
        digest=record.digest,
        note=record.note,
        at=record.at,
    )


def _same(one: EndorsementRecord, other: EndorsementRecord) -> bool:
    return _said(one) == _said(other)


def _said(each: EndorsementRecord) -> tuple[object, ...]:
    return each.kind, _print_of(each.payload), _print_of(each.edited_args), each.digest


def _print_of(value: JsonValue) -> str:
    """Return what two equal values have in common: true is not 1, and 1.0 is not 1."""
    return fingerprint(json.dumps(value))
