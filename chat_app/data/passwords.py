"""Hashes of passwords. Only who compares or changes one asks here."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import PasswordRecord
from chat_app.data.tables import Password, table_of

password = table_of(Password)


def of_user(session: Session, user_id: str) -> PasswordRecord | None:
    """Return the hash of a user's password; None when they sign in otherwise."""
    mine = select(*sql.columns_of(PasswordRecord, password)).where(password.c.user == user_id)
    return sql.one(session, PasswordRecord, mine)


def put(session: Session, record: PasswordRecord) -> None:
    """Set or replace a user's password."""
    sql.add_or_change(session, password, [record], by=("user",), keep=())
