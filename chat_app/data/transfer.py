"""Carry every row from one database to another, of either kind, and prove that they arrived.

Both ends are the same version's tables. The source is read in one snapshot, so it may be in use; the target is written
in one transaction, so it is complete or as it was. Counts and checksums are taken on both sides, of what was read and
of what is there afterwards. A checksum does not depend on the order of rows: databases sort text differently.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Table, select
from sqlalchemy.orm import Session

from chat_app.data.db import Database
from chat_app.data.errors import CopyDiffers, NotEmpty

BATCH = 500
BEFORE_CHILDREN: Mapping[str, tuple[str, ...]] = {
    "audit": ("seq",),
    "branch": ("thread", "number"),
    "message": ("thread", "branch", "position", "key"),
    "run": ("started", "id"),
    "state_version": ("thread", "seq"),
}
"""The order in which rows of tables that point at themselves are written: a parent before its children."""


@dataclass(frozen=True, slots=True)
class Count:
    """What a table holds: how many rows, and a checksum over all of them (hex)."""

    table: str
    rows: int
    checksum: str


def copy(source: Database, target: Database, tables: Sequence[Table]) -> tuple[Count, ...]:
    """Copy all rows of `tables`, parents first, into an empty database; return what is there now.

    Raises:
        NotEmpty: the target holds rows already; nothing was changed.
        CopyDiffers: what arrived is not what was sent; nothing was changed.
        DataError: one of the two cannot be read or written.
    """
    with source.reading() as read, target.transaction() as write:
        for table in tables:
            if write.execute(select(table).limit(1)).first() is not None:
                raise NotEmpty(f"The database at {target.place} is not empty: {table.name} holds rows.")
        sent = tuple(_send(read, write, table) for table in tables)
        arrived = counts(write, tables)
        differing = [one.table for one, other in zip(sent, arrived, strict=True) if one != other]
        if differing:
            raise CopyDiffers(f"What arrived differs from what was sent in {', '.join(differing)}.")
    return arrived


def counts(session: Session, tables: Sequence[Table]) -> tuple[Count, ...]:
    """Return the count and checksum of each table."""
    return tuple(_counted(table, _rows(session, table)) for table in tables)


def back_up(file: Path, target: Path) -> None:
    """Copy a SQLite file that may be in use, as it is at one moment, and check every page of the copy.

    Raises:
        NotEmpty: there is something at `target` already.
        CopyDiffers: the copy does not hold together; it is removed.
    """
    if target.exists():
        raise NotEmpty(f"There is something at {target} already.")
    with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(target)) as copied:
        source.backup(copied)
        found = copied.execute("PRAGMA integrity_check").fetchone()[0]
    if found != "ok":
        target.unlink()
        raise CopyDiffers(f"The copy does not hold together: {found}")


def _send(read: Session, write: Session, table: Table) -> Count:
    return _counted(table, _passed_on(write, table, _rows(read, table)))


def _passed_on(write: Session, table: Table, rows: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    while batch := list(islice(rows, BATCH)):
        write.execute(table.insert(), batch)
        yield from batch


def _rows(session: Session, table: Table) -> Iterator[dict[str, Any]]:
    order = [table.c[name] for name in BEFORE_CHILDREN.get(table.name, ())]
    found = session.execute(select(table).order_by(*order).execution_options(yield_per=BATCH))
    for row in found.mappings():
        yield {name: _aware(value) for name, value in row.items()}


def _counted(table: Table, rows: Iterator[dict[str, Any]]) -> Count:
    number, total = 0, 0
    for row in rows:
        number += 1
        text = json.dumps([row[column.name] for column in table.c], sort_keys=True, default=_plain)
        total += int.from_bytes(sha256(text.encode()).digest(), "big")
    return Count(table.name, number, f"{total % 2**256:064x}")


def _aware(value: object) -> object:
    """Return a moment in UTC, also where a table of the agent's reads it without its zone."""
    if not isinstance(value, datetime):
        return value
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _plain(value: object) -> str:
    assert isinstance(value, datetime)  # all else in our tables is JSON already
    return value.isoformat()
