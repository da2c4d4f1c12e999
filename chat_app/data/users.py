"""People who may sign in."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import UserRecord
from chat_app.data.tables import User, table_of

user = table_of(User)
_all = select(*sql.columns_of(UserRecord, user))


def ensure(session: Session, record: UserRecord) -> UserRecord:
    """Return the user of that name, created from the record when there is none yet."""
    sql.add_unless(session, user, record)
    found = named(session, record.name)
    assert found is not None  # just added, or in the way of adding
    return found


def get(session: Session, user_id: str) -> UserRecord | None:
    """Return a user by id."""
    return sql.one(session, UserRecord, _all.where(user.c.id == user_id))


def named(session: Session, name: str) -> UserRecord | None:
    """Return a user by the name they sign in with."""
    return sql.one(session, UserRecord, _all.where(user.c.name == name))
