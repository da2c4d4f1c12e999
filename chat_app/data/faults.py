"""Turns what a driver raises into our errors, by its code, never by its wording where a code exists."""

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError, StatementError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from chat_app.data.errors import (
    ConstraintBroken,
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnreachable,
    DataError,
    MigrationNeeded,
    ReadOnlyDatabase,
)

SQLITE = {
    sqlite3.SQLITE_BUSY: DatabaseBusy,
    sqlite3.SQLITE_LOCKED: DatabaseBusy,
    sqlite3.SQLITE_READONLY: ReadOnlyDatabase,
    sqlite3.SQLITE_FULL: DatabaseFull,
    sqlite3.SQLITE_CANTOPEN: DatabaseUnreachable,
    sqlite3.SQLITE_IOERR: DatabaseUnreachable,
    sqlite3.SQLITE_CORRUPT: DatabaseUnreachable,
    sqlite3.SQLITE_NOTADB: DatabaseUnreachable,
    sqlite3.SQLITE_CONSTRAINT: ConstraintBroken,
}
"""By primary result code: the low byte of what SQLite reports (sqlite.org/rescode.html)."""

SQLSTATES: tuple[tuple[str, type[DataError]], ...] = (
    ("08", DatabaseUnreachable),  # connection exception
    ("57P", DatabaseUnreachable),  # shut down, or starting up
    ("3D", DatabaseUnreachable),  # no such database
    ("28", DatabaseUnreachable),  # refused to let us in
    ("25006", ReadOnlyDatabase),
    ("53", DatabaseFull),  # disk full, out of memory, too many connections
    ("55P03", DatabaseBusy),  # lock not available in time
    ("40", DatabaseBusy),  # deadlock, serialization failure
    ("42P01", MigrationNeeded),  # undefined table
    ("42703", MigrationNeeded),  # undefined column
    ("23", ConstraintBroken),
)
"""By the longest prefix that decides (PostgreSQL manual, appendix A)."""

SENTENCES: dict[type[DataError], str] = {
    DatabaseUnreachable: "The database at {place} cannot be reached or read: {reason}",
    ReadOnlyDatabase: "The database at {place} cannot be written to; check the rights of its folder.",
    DatabaseFull: "The database at {place} has no room left: {reason}",
    DatabaseBusy: "The database at {place} was held by somebody else for too long; try again.",
    MigrationNeeded: "The tables at {place} are older than this version ({reason}); run `parley db upgrade`.",
    ConstraintBroken: "The database at {place} refused a row that contradicts another: {reason}",
}


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Raise what the driver reports inside the block as a `DataError` that names `place`.

    Raises:
        DataError: for all trouble a person can do something about; mistakes in a statement pass unchanged.
    """
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseBusy(SENTENCES[DatabaseBusy].format(place=place)) from error
    except DBAPIError as error:
        kind = kind_of(error.orig)
        if kind is None:
            raise
        raise kind(SENTENCES[kind].format(place=place, reason=reason_of(error.orig))) from error


def passing_trouble(error: BaseException) -> StatementError | None:
    """Return the trouble behind an error that is not the statement's own fault and so passes; None when there is none.

    On a full disk SQLite undoes the whole transaction by itself (sqlite.org/lang_transaction.html, §3); giving up a
    savepoint then fails in its turn, and the trouble is behind that failure.
    """
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, StatementError) and kind_of(seen.orig) not in (None, ConstraintBroken):
            return seen
        seen = seen.__context__
    return None


def kind_of(error: BaseException | None) -> type[DataError] | None:
    """Return the class for a driver's exception, None when it is a mistake of ours rather than trouble."""
    if isinstance(error, sqlite3.Error):
        return kind_of_sqlite(error)
    if isinstance(error, psycopg.Error):
        return kind_of_postgres(error)
    return None


def kind_of_sqlite(error: sqlite3.Error) -> type[DataError] | None:
    """Return the class for an exception of sqlite3; a missing table has no code of its own."""
    if str(error).startswith(("no such table", "no such column")):
        return MigrationNeeded
    return SQLITE.get(getattr(error, "sqlite_errorcode", -1) & 0xFF)


def kind_of_postgres(error: psycopg.Error) -> type[DataError] | None:
    """Return the class for an exception of psycopg; one without a state never reached the server."""
    if error.sqlstate is None:
        return DatabaseUnreachable if isinstance(error, psycopg.OperationalError) else None
    state = error.sqlstate
    return next((kind for prefix, kind in SQLSTATES if state.startswith(prefix)), None)


def reason_of(error: BaseException | None) -> str:
    """Return the first line of what the driver said, without its closing dot."""
    return str(error).strip().partition("\n")[0].rstrip(".")


def of_folder(error: OSError, place: str) -> DataError:
    """Return the error for a database folder that cannot be made."""
    refused = error.errno in {errno.EACCES, errno.EPERM, errno.EROFS}
    kind: type[DataError] = ReadOnlyDatabase if refused else DatabaseUnreachable
    return kind(SENTENCES[kind].format(place=place, reason=error.strerror))
