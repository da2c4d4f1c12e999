"""People who may sign in."""

from sqlalchemy import select, update
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


def lock(session: Session, user_id: str) -> None:
    """Keep others who call this from going on until the transaction ends: what is counted per person stays true.

    Rows that point at the person can be written meanwhile.
    """
    session.execute(select(user.c.id).where(user.c.id == user_id).with_for_update(key_share=True))


def named(session: Session, name: str) -> UserRecord | None:
    """Return a user by the name they sign in with."""
    return sql.one(session, UserRecord, _all.where(user.c.name == name))


def make_nameless(session: Session, user_id: str) -> bool:
    """Leave of a user the row that others point at: nobody can sign in as it. False when there is none."""
    empty = {"name": f"erased:{user_id}", "display_name": "", "roles": (), "active": False}
    return sql.changed(session, update(user).where(user.c.id == user_id).values(empty)) == 1
