"""Where people read mail."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import MailAddressRecord
from chat_app.data.tables import MailAddress, table_of

mail_address = table_of(MailAddress)
_all = select(*sql.columns_of(MailAddressRecord, mail_address))


def get(session: Session, user_id: str) -> MailAddressRecord | None:
    """Return where a person reads mail."""
    return sql.one(session, MailAddressRecord, _all.where(mail_address.c.user == user_id))


def put(session: Session, record: MailAddressRecord) -> None:
    """Store where a person reads mail, in place of where they did before."""
    sql.add_or_change(session, mail_address, [record], by=("user",), keep=())


def drop(session: Session, user_id: str) -> bool:
    """Forget where a person reads mail; False when that was not known."""
    return sql.changed(session, delete(mail_address).where(mail_address.c.user == user_id)) == 1


def want(session: Session, user_id: str, *, wanted: bool, at: datetime) -> bool:
    """Note whether a person wants notices by mail; False when there is no address of theirs."""
    mine = update(mail_address).where(mail_address.c.user == user_id)
    return sql.changed(session, mine.values(wanted=wanted, changed=at)) == 1


def wanting(session: Session, user_ids: Collection[str]) -> tuple[str, ...]:
    """Return those of some people who want notices by mail, by id."""
    wants = mail_address.c.user.in_(list(user_ids)), mail_address.c.wanted.is_(True)
    return tuple(session.execute(select(mail_address.c.user).where(*wants)).scalars())
