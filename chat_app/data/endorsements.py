"""Answers to questions that two people must answer alike, until they do: one of each person."""

from collections.abc import Sequence

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import EndorsementRecord
from chat_app.data.tables import Endorsement, table_of

endorsement = table_of(Endorsement)
_all = select(*sql.columns_of(EndorsementRecord, endorsement))


def put(session: Session, record: EndorsementRecord) -> None:
    """Store what a person says to a question, in place of what they said before. Call `runs.lock` first."""
    withdraw(session, record.interrupt, by=record.by)
    sql.add(session, endorsement, [record])


def of_interrupt(session: Session, interrupt_id: str) -> tuple[EndorsementRecord, ...]:
    """Return what people said to a question so far, oldest first."""
    return of_interrupts(session, [interrupt_id])


def of_interrupts(session: Session, interrupt_ids: Sequence[str]) -> tuple[EndorsementRecord, ...]:
    """Return what people said to these questions so far, oldest first."""
    if not interrupt_ids:
        return ()
    said = _all.where(endorsement.c.interrupt.in_(interrupt_ids))
    return sql.many(session, EndorsementRecord, said.order_by(endorsement.c.at, endorsement.c.id))


def withdraw(session: Session, interrupt_id: str, *, by: str) -> bool:
    """Take back what a person said; False when they said nothing."""
    mine = endorsement.c.interrupt == interrupt_id, endorsement.c.by == by
    return sql.changed(session, delete(endorsement).where(*mine)) == 1


def by_user(session: Session, user_id: str) -> tuple[EndorsementRecord, ...]:
    """Return every answer of this kind a person gave, oldest first."""
    mine = _all.where(endorsement.c.by == user_id).order_by(endorsement.c.id)
    return sql.many(session, EndorsementRecord, mine)
