"""Sign-ins. A browser holds a token; we hold its SHA-256, so a stolen database opens no door."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, delete, or_, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import AuthSessionRecord
from chat_app.data.tables import AuthSession, User, table_of

auth_session = table_of(AuthSession)
user = table_of(User)
_all = select(*sql.columns_of(AuthSessionRecord, auth_session))


def _alive(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return when a sign-in holds: in time, not revoked, and its user may come in."""
    return (
        auth_session.c.expires_at > now,
        or_(auth_session.c.ends_at.is_(None), auth_session.c.ends_at > now),
        auth_session.c.revoked_at.is_(None),
        user.c.active.is_(True),
    )


def create(session: Session, record: AuthSessionRecord) -> None:
    """Store a new sign-in."""
    sql.add(session, auth_session, [record])


def find(session: Session, token_hash: str, *, now: datetime) -> AuthSessionRecord | None:
    """Return the sign-in of a token, unless it is over, was revoked, or its user may no longer come in."""
    live = _all.join(user, user.c.id == auth_session.c.user).where(*_alive(now))
    return sql.one(session, AuthSessionRecord, live.where(auth_session.c.token_hash == token_hash))


def living(session: Session, ids: Collection[str], *, now: datetime) -> dict[str, tuple[str, ...]]:
    """Return which of these sign-ins still hold, each with the roles its person has now."""
    both = select(auth_session.c.id, user.c.roles).join(user, user.c.id == auth_session.c.user)
    held = both.where(*_alive(now), auth_session.c.id.in_(ids))
    return {row.id: row.roles for row in session.execute(held)}


def touch(session: Session, session_id: str, *, now: datetime, expires_at: datetime) -> bool:
    """Note that a sign-in is in use and until when it lasts; False when it was revoked meanwhile."""
    live = auth_session.c.id == session_id, auth_session.c.revoked_at.is_(None)
    return (
        sql.changed(session, update(auth_session).where(*live).values(last_seen=now, expires_at=expires_at))
        == 1
    )


def revoke(session: Session, session_id: str, *, user_id: str | None = None, now: datetime) -> bool:
    """End a sign-in (of `user_id`, when given); False when there is no such one or it was ended before."""
    live = [auth_session.c.id == session_id, auth_session.c.revoked_at.is_(None)]
    if user_id is not None:
        live.append(auth_session.c.user == user_id)
    return sql.changed(session, update(auth_session).where(*live).values(revoked_at=now)) == 1


def revoke_all(session: Session, user_id: str, *, now: datetime, but: str = "") -> int:
    """End every sign-in of a user, but for one; return how many were open."""
    live = auth_session.c.user == user_id, auth_session.c.revoked_at.is_(None), auth_session.c.id != but
    return sql.changed(session, update(auth_session).where(*live).values(revoked_at=now))


def of_user(session: Session, user_id: str) -> tuple[AuthSessionRecord, ...]:
    """Return every sign-in of a user that is still kept, oldest first."""
    return sql.many(
        session, AuthSessionRecord, _all.where(auth_session.c.user == user_id).order_by(auth_session.c.id)
    )


def open_of(session: Session, user_id: str, *, now: datetime) -> tuple[AuthSessionRecord, ...]:
    """Return the sign-ins of a user that hold, the one used last first."""
    held = _all.join(user, user.c.id == auth_session.c.user).where(*_alive(now))
    mine = held.where(auth_session.c.user == user_id)
    newest = auth_session.c.last_seen.desc(), auth_session.c.id.desc()
    return sql.many(session, AuthSessionRecord, mine.order_by(*newest))


def purge(session: Session, *, before: datetime) -> int:
    """Erase the sign-ins whose time was over at a moment; return how many."""
    return sql.changed(session, delete(auth_session).where(auth_session.c.expires_at < before))
