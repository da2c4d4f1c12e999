"""Browsers on their way through a sign-in provider. Each way back is taken once."""

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import SignInAttemptRecord
from chat_app.data.tables import SignInAttempt, table_of

attempt = table_of(SignInAttempt)


def begin(session: Session, record: SignInAttemptRecord, *, now: datetime) -> None:
    """Store an attempt, and forget those nobody came back from."""
    session.execute(delete(attempt).where(attempt.c.expires_at < now))
    sql.add(session, attempt, [record])


def take(session: Session, state_hash: str, *, now: datetime) -> SignInAttemptRecord | None:
    """Return an attempt that is in time and forget it; None for everybody but the first who asks."""
    found = sql.one(
        session,
        SignInAttemptRecord,
        select(*sql.columns_of(SignInAttemptRecord, attempt)).where(attempt.c.state_hash == state_hash),
    )
    gone = sql.changed(session, delete(attempt).where(attempt.c.state_hash == state_hash)) == 1
    return found if found is not None and gone and found.expires_at > now else None
