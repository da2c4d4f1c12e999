"""What points at a person from everywhere else: opinions, files, queued lines, identities elsewhere."""

from collections.abc import Iterator

from sqlalchemy import Table, delete, select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import (
    AttachmentRecord,
    DeliveryRecord,
    FeedbackRecord,
    IdentityRecord,
    MailAddressRecord,
    QueuedSendRecord,
)
from chat_app.data.sql import Record
from chat_app.data.tables import (
    Attachment,
    AuthSession,
    Decision,
    Delivery,
    Endorsement,
    Feedback,
    Identity,
    Invitation,
    MailAddress,
    Password,
    QueuedSend,
    table_of,
)

OWN: tuple[tuple[str, type[Record], Table, str], ...] = (
    ("identity", IdentityRecord, table_of(Identity), "user"),
    ("mail_address", MailAddressRecord, table_of(MailAddress), "user"),
    ("delivery", DeliveryRecord, table_of(Delivery), "user"),
    ("queued", QueuedSendRecord, table_of(QueuedSend), "by"),
    ("feedback", FeedbackRecord, table_of(Feedback), "by"),
    ("attachment", AttachmentRecord, table_of(Attachment), "by"),
)
"""What is a person's own, wherever it lies: its name, its record, its table, and the column that says whose it is."""


def of_user(session: Session, user_id: str) -> Iterator[tuple[str, Record]]:
    """Yield what is a person's own, each with the name of its kind."""
    for name, kind, table, whose in OWN:
        own = (
            select(*sql.columns_of(kind, table)).where(table.c[whose] == user_id).order_by(*table.primary_key)
        )
        yield from ((name, one) for one in sql.many(session, kind, own))


def erase(session: Session, user_id: str) -> None:
    """Erase what is a person's own and how they sign in, and the words they added to decisions on others' chats."""
    for _, _, table, whose in OWN:
        session.execute(delete(table).where(table.c[whose] == user_id))
    for doors in (table_of(AuthSession), table_of(Password), table_of(Invitation)):
        session.execute(delete(doors).where(doors.c.user == user_id))
    for decided in (table_of(Decision), table_of(Endorsement)):
        session.execute(decided.update().where(decided.c.by == user_id).values(note=""))
