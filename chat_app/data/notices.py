"""PostgreSQL's LISTEN and NOTIFY, and the lock that tells whether a process is the only one on a database."""

from typing import LiteralString

import psycopg
from sqlalchemy import text
from sqlalchemy.orm import Session

from chat_app.data.db import Database
from chat_app.data.errors import DatabaseUnreachable
from chat_app.data.faults import SENTENCES, reason_of

CHANNEL = "parley"
PRESENCE = 0x7061726C65
"""Key of the advisory lock that every process holds while it is on the database: "parle" in ASCII."""


def notify(session: Session, payloads: list[str]) -> None:
    """Send payloads to all who listen, when the transaction is committed."""
    statement = text("SELECT pg_notify(:channel, :payload)")
    session.execute(statement, [{"channel": CHANNEL, "payload": payload} for payload in payloads])


async def listening(database: Database) -> psycopg.AsyncConnection:
    """Open a connection of its own that hears what is notified from now on.

    Raises:
        DatabaseUnreachable: nobody answers.
    """
    return await _opened(database, f"LISTEN {CHANNEL}")


async def returned(database: Database) -> psycopg.AsyncConnection:
    """Open a connection as `listening` does, after one broke; it is present beside others from the beginning.

    Raises:
        DatabaseUnreachable: nobody answers.
    """
    return await _opened(database, f"LISTEN {CHANNEL}; SELECT pg_advisory_lock_shared({PRESENCE})")


async def _opened(database: Database, first_words: LiteralString) -> psycopg.AsyncConnection:
    try:
        connection = await psycopg.AsyncConnection.connect(autocommit=True, **database.connect_arguments())
        try:
            await connection.execute(first_words)
        except BaseException:
            await connection.close()
            raise
    except psycopg.Error as error:
        sentence = SENTENCES[DatabaseUnreachable]
        raise DatabaseUnreachable(sentence.format(place=database.place, reason=reason_of(error))) from error
    return connection


async def is_first(connection: psycopg.AsyncConnection) -> bool:
    """Take the presence lock alone, when nobody holds it; returns whether that was so."""
    cursor = await connection.execute(f"SELECT pg_try_advisory_lock({PRESENCE})")
    row = await cursor.fetchone()
    return row is not None and bool(row[0])


async def be_present(connection: psycopg.AsyncConnection, *, first: bool) -> None:
    """Hold the presence lock together with others, for as long as the connection lives."""
    await connection.execute(f"SELECT pg_advisory_lock_shared({PRESENCE})")
    if first:
        await connection.execute(f"SELECT pg_advisory_unlock({PRESENCE})")
