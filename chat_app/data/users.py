"""People who may sign in."""

from collections.abc import Sequence

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import UserRecord
from chat_app.data.tables import User, table_of

user = table_of(User)
_all = select(*sql.columns_of(UserRecord, user))

ERASED = "erased:"
"""How the name of an erased user begins."""


def ensure(session: Session, record: UserRecord) -> UserRecord:
    """Return the user of that name, created from the record when there is none yet."""
    sql.add_unless(session, user, record)
    found = named(session, record.name)
    assert found is not None  # just added, or in the way of adding
    return found


def create(session: Session, record: UserRecord) -> bool:
    """Store a new user; False when the name is taken."""
    return sql.add_unless(session, user, record)


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
    empty = {"name": f"{ERASED}{user_id}", "display_name": "", "roles": (), "active": False}
    return sql.changed(session, update(user).where(user.c.id == user_id).values(empty)) == 1


def every(session: Session) -> tuple[UserRecord, ...]:
    """Return all users that were not erased, by name."""
    known = _all.where(user.c.name.not_like(f"{ERASED}%")).order_by(user.c.name)
    return sql.many(session, UserRecord, known)


def active_with(session: Session, role: str) -> tuple[UserRecord, ...]:
    """Return the users with a role who may sign in."""
    return tuple(one for one in every(session) if one.active and role in one.roles)


def lock_admins(session: Session) -> None:
    """Keep others who call this from going on until the transaction ends: the last admin cannot go twice."""
    session.execute(select(user.c.id).where(user.c.active.is_(True)).order_by(user.c.id).with_for_update())


def set_roles(session: Session, user_id: str, roles: Sequence[str]) -> bool:
    """Give a user exactly these roles; False when there is no such user."""
    return sql.changed(session, update(user).where(user.c.id == user_id).values(roles=tuple(roles))) == 1


def set_active(session: Session, user_id: str, *, active: bool) -> bool:
    """Let a user in, or keep them out; False when there is no such user."""
    return sql.changed(session, update(user).where(user.c.id == user_id).values(active=active)) == 1


def set_display_name(session: Session, user_id: str, display_name: str) -> bool:
    """Change what a user is called on the page; False when there is no such user."""
    changed = update(user).where(user.c.id == user_id).values(display_name=display_name)
    return sql.changed(session, changed) == 1
