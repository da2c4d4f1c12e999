"""Files that people bring: their names, types and contents' hashes. The bytes are kept by `services.vault`."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import delete, exists, func, select, update
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import AttachmentRecord
from chat_app.data.tables import Attachment, table_of

attachment = table_of(Attachment)
_all = select(*sql.columns_of(AttachmentRecord, attachment))


def add(session: Session, record: AttachmentRecord) -> None:
    """Store a file that was brought and not sent yet."""
    sql.add(session, attachment, [record])


def get(session: Session, attachment_id: str) -> AttachmentRecord | None:
    """Return a file by id, whosoever it is."""
    return sql.one(session, AttachmentRecord, _all.where(attachment.c.id == attachment_id))


def some(session: Session, ids: Collection[str]) -> dict[str, AttachmentRecord]:
    """Return files by their ids; ids nobody has are left out."""
    found = sql.many(session, AttachmentRecord, _all.where(attachment.c.id.in_(list(ids))))
    return {record.id: record for record in found}


def unsent_size(session: Session, by: str) -> int:
    """Return how many bytes a person has brought and not sent."""
    mine = attachment.c.by == by, attachment.c.thread.is_(None)
    held: int = session.execute(
        select(func.coalesce(func.sum(attachment.c.size), 0)).where(*mine)
    ).scalar_one()
    return int(held)


def send(session: Session, ids: Sequence[str], *, thread: str, message: str | None) -> None:
    """Give files to a thread, and to the message that carries them."""
    mine = update(attachment).where(attachment.c.id.in_(list(ids)))
    session.execute(mine.values(thread=thread, message=message))


def forget(session: Session, attachment_id: str, *, by: str) -> bool:
    """Remove a file of this person that was not sent; False when there is none."""
    mine = attachment.c.id == attachment_id, attachment.c.by == by, attachment.c.thread.is_(None)
    return sql.changed(session, delete(attachment).where(*mine)) == 1


def forget_unsent(session: Session, *, before: datetime) -> int:
    """Remove files that were brought before a moment and never sent; return how many."""
    old = attachment.c.thread.is_(None), attachment.c.created < before
    return sql.changed(session, delete(attachment).where(*old))


def is_kept(session: Session, sha256: str) -> bool:
    """Return whether any file has this content."""
    found: bool = session.execute(select(exists().where(attachment.c.sha256 == sha256))).scalar_one()
    return found
