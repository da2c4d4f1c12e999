"""Who did what, for ever. Each entry holds the hash of the one before, so that none can be changed or taken out unseen.

Entries name people, threads and questions by id, tools by name and arguments by digest. They hold no text and no
argument, and outlive what they speak of (decisions, *audit and deletion*).
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from pydantic import JsonValue
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import AuditRecord
from chat_app.data.tables import Audit, table_of

audit = table_of(Audit)
_all = select(*sql.columns_of(AuditRecord, audit)).order_by(audit.c.seq)

LOCK = 0x617564697400
"""Key of the PostgreSQL advisory lock under which the chain grows; SQLite has one writer anyway."""
FIRST = "0" * 64
"""What the first entry holds as the hash before it."""
PAGE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Something that was done: by whom (None: the system), to what ("thread:<id>"), why, with which ids and digests."""

    action: str
    object: str
    actor: str | None
    at: datetime
    reason: str = ""
    detail: JsonValue = None


def append(session: Session, act: Act) -> AuditRecord:
    """Write an act down and return its entry.

    On PostgreSQL others who append wait until this transaction ends, so do it last.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    newest = select(audit.c.seq, audit.c.hash).order_by(audit.c.seq.desc()).limit(1)
    before = session.execute(newest).one_or_none()
    seq, previous = (before.seq + 1, before.hash) if before is not None else (1, FIRST)
    entry = AuditRecord(
        seq=seq,
        at=act.at,
        actor=act.actor,
        action=act.action,
        object=act.object,
        reason=act.reason,
        detail=act.detail,
        previous=previous,
        hash=hash_of(seq, act, previous),
    )
    sql.add(session, audit, [entry])
    return entry


def of_object(session: Session, name: str) -> tuple[AuditRecord, ...]:
    """Return what was done to a thing ("thread:<id>"), oldest first."""
    return sql.many(session, AuditRecord, _all.where(audit.c.object == name))


def of_actor(session: Session, actor: str) -> tuple[AuditRecord, ...]:
    """Return what a person did, oldest first."""
    return sql.many(session, AuditRecord, _all.where(audit.c.actor == actor))


def entries(session: Session, *, page: int = PAGE) -> Iterator[AuditRecord]:
    """Yield every entry, oldest first, read in pages."""
    last = 0
    while found := sql.many(session, AuditRecord, _all.where(audit.c.seq > last).limit(page)):
        yield from found
        last = found[-1].seq


def broken_at(session: Session, *, page: int = PAGE) -> int | None:
    """Return the number of the first entry that is not as it was written or not where it belongs; None: all are."""
    seq, previous = 1, FIRST
    for entry in entries(session, page=page):
        if (entry.seq, entry.previous) != (seq, previous) or entry.hash != hash_of(
            seq, _act(entry), previous
        ):
            return seq
        seq, previous = seq + 1, entry.hash
    return None


def hash_of(seq: int, act: Act, previous: str) -> str:
    """Return the SHA-256 (64 hex digits) of an entry and of the hash before it."""
    fields = [
        seq,
        act.at.astimezone(UTC).isoformat(),
        act.actor,
        act.action,
        act.object,
        act.reason,
        act.detail,
        previous,
    ]
    return sha256(json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _act(entry: AuditRecord) -> Act:
    return Act(
        action=entry.action,
        object=entry.object,
        actor=entry.actor,
        at=entry.at,
        reason=entry.reason,
        detail=entry.detail,
    )
