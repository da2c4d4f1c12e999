"""Who a person is at a sign-in provider: one subject there is one person here."""

from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import IdentityRecord
from chat_app.data.tables import Identity, table_of

identity = table_of(Identity)


def create(session: Session, record: IdentityRecord) -> bool:
    """Store who a person is elsewhere; False when that subject is somebody here already."""
    return sql.add_unless(session, identity, record)


def find(session: Session, issuer: str, subject: str) -> IdentityRecord | None:
    """Return who a subject of an issuer is here."""
    there = identity.c.issuer == issuer, identity.c.subject == subject
    return sql.one(session, IdentityRecord, select(*sql.columns_of(IdentityRecord, identity)).where(*there))


def of_user(session: Session, user_id: str, issuer: str) -> IdentityRecord | None:
    """Return who a person here is at an issuer."""
    theirs = identity.c.user == user_id, identity.c.issuer == issuer
    mine = select(*sql.columns_of(IdentityRecord, identity)).where(*theirs)
    return sql.one(session, IdentityRecord, mine.limit(1))


def drop(session: Session, user_id: str, issuer: str) -> bool:
    """Forget who a person here is at an issuer; False when they are nobody there."""
    theirs = identity.c.user == user_id, identity.c.issuer == issuer
    return sql.changed(session, delete(identity).where(*theirs)) > 0


def touch(session: Session, identity_id: str, *, now: datetime) -> None:
    """Note that the person came in this way."""
    session.execute(update(identity).where(identity.c.id == identity_id).values(last_seen=now))
