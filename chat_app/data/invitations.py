"""Links that let one person in once. A browser brings a token; we hold its SHA-256."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import InvitationKind, InvitationRecord
from chat_app.data.tables import Invitation, table_of

invitation = table_of(Invitation)
_all = select(*sql.columns_of(InvitationRecord, invitation))


def create(session: Session, record: InvitationRecord) -> None:
    """Store a new link."""
    sql.add(session, invitation, [record])


def find(session: Session, token_hash: str, *, now: datetime) -> InvitationRecord | None:
    """Return the link of a token, unless it was used or its time is over."""
    return sql.one(
        session, InvitationRecord, _all.where(invitation.c.token_hash == token_hash, *_usable(now))
    )


def use(session: Session, invitation_id: str, *, now: datetime) -> bool:
    """Note that a link was used; True for exactly one caller."""
    mine = update(invitation).where(invitation.c.id == invitation_id, *_usable(now))
    return sql.changed(session, mine.values(used_at=now)) == 1


def usable(session: Session, *, now: datetime) -> tuple[InvitationRecord, ...]:
    """Return the links that would still let somebody in, oldest first."""
    return sql.many(session, InvitationRecord, _all.where(*_usable(now)).order_by(invitation.c.id))


def withdraw(session: Session, invitation_id: str) -> bool:
    """Forget a link nobody used; False when there is none."""
    mine = invitation.c.id == invitation_id, invitation.c.used_at.is_(None)
    return sql.changed(session, delete(invitation).where(*mine)) == 1


def withdraw_all(session: Session, kinds: Sequence[InvitationKind], *, user_id: str | None = None) -> int:
    """Forget the unused links of these kinds (those for `user_id`, when given); return how many."""
    unused: list[ColumnElement[bool]] = [invitation.c.kind.in_(kinds), invitation.c.used_at.is_(None)]
    if user_id is not None:
        unused.append(invitation.c.user == user_id)
    return sql.changed(session, delete(invitation).where(*unused))


def _usable(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return invitation.c.used_at.is_(None), invitation.c.expires_at > now
