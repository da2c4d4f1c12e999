"""Sign-ins. A browser holds a token; we hold its SHA-256, so a stolen database opens no door."""

from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import AuthSessionRecord
from chat_app.data.tables import AuthSession, User, table_of

auth_session = table_of(AuthSession)
user = table_of(User)
_all = select(*sql.columns_of(AuthSessionRecord, auth_session))


def create(session: Session, record: AuthSessionRecord) -> None:
    """Store a new sign-in."""
    sql.add(session, auth_session, [record])


def find(session: Session, token_hash: str, *, now: datetime) -> AuthSessionRecord | None:
    """Return the sign-in of a token, unless it is over, was revoked, or its user may no longer come in."""
    live = _all.join(user, user.c.id == auth_session.c.user).where(
        auth_session.c.token_hash == token_hash,
        auth_session.c.expires_at > now,
        auth_session.c.revoked_at.is_(None),
        user.c.active.is_(True),
    )
    return sql.one(session, AuthSessionRecord, live)


def touch(session: Session, session_id: str, *, now: datetime, expires_at: datetime) -> bool:
    """Note that a sign-in is in use and until when it lasts; False when it was revoked meanwhile."""
    live = auth_session.c.id == session_id, auth_session.c.revoked_at.is_(None)
    return (
        sql.changed(session, update(auth_session).where(*live).values(last_seen=now, expires_at=expires_at))
        == 1
    )


def revoke(session: Session, session_id: str, *, now: datetime) -> bool:
    """End a sign-in; False when it is unknown or was ended before."""
    live = auth_session.c.id == session_id, auth_session.c.revoked_at.is_(None)
    return sql.changed(session, update(auth_session).where(*live).values(revoked_at=now)) == 1


def revoke_all(session: Session, user_id: str, *, now: datetime) -> int:
    """End every sign-in of a user; return how many were open."""
    live = auth_session.c.user == user_id, auth_session.c.revoked_at.is_(None)
    return sql.changed(session, update(auth_session).where(*live).values(revoked_at=now))


def of_user(session: Session, user_id: str) -> tuple[AuthSessionRecord, ...]:
    """Return every sign-in of a user that is still kept, oldest first."""
    return sql.many(
        session, AuthSessionRecord, _all.where(auth_session.c.user == user_id).order_by(auth_session.c.id)
    )


def purge(session: Session, *, before: datetime) -> int:
    """Erase the sign-ins whose time was over at a moment; return how many."""
    return sql.changed(session, delete(auth_session).where(auth_session.c.expires_at < before))
