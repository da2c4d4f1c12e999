"""From an address to an engine: which databases Parley speaks, and how each of them is tuned."""

import json
import sqlite3
import tempfile
from functools import partial
from pathlib import Path

from pydantic import JsonValue
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.exc import ArgumentError
from sqlalchemy.pool import ConnectionPoolEntry

from chat_app.data import faults
from chat_app.data.errors import UnsupportedDatabase
from chat_app.data.pool import LeavablePool

DRIVERS = {"sqlite": "pysqlite", "postgresql": "psycopg"}
"""The databases we speak, each with the one driver it is tested with."""

PRAGMAS = ("synchronous=NORMAL", "foreign_keys=ON")

NETWORK = {
    "application_name": "parley",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A server that vanished is noticed in seconds, not in TCP's hours. The address may say otherwise."""

READING = "parley_reading"
"""Execution option that tells the SQLite engine to open a snapshot instead of taking the writer's place."""


def parse(url: str) -> URL:
    """Return the address with the driver we use for it.

    Raises:
        UnsupportedDatabase: it is no address, names another database or driver, or SQLite in memory.
    """
    try:
        parsed = make_url(url)
    except ArgumentError as error:
        raise UnsupportedDatabase(
            "The database address cannot be read; write sqlite:///folder/file.db or"
            " postgresql+psycopg://user:password@host/name."
        ) from error
    backend = parsed.get_backend_name()
    name = f"{backend}+{DRIVERS.get(backend)}"
    if backend not in DRIVERS or parsed.drivername not in {backend, name}:
        raise UnsupportedDatabase(
            f"Parley does not speak {parsed.drivername}; use sqlite:/// or postgresql+psycopg:// instead."
        )
    if backend == "sqlite" and in_memory(parsed):
        raise UnsupportedDatabase("A SQLite database in memory would be empty for every thread; name a file.")
    return parsed.set(drivername=name)


def in_memory(url: URL) -> bool:
    """Say whether the SQLite address names no file."""
    return url.database in {None, "", ":memory:"} or url.query.get("mode") == "memory"


def build(url: URL, *, wait_s: float) -> Engine:
    """Return the engine for a parsed address. No connection is made, but a missing SQLite folder is.

    `wait_s` is how long a statement waits for a lock and a caller for a connection.

    Raises:
        ReadOnlyDatabase, DatabaseUnreachable: the folder of the SQLite file cannot be made or written to.
    """
    make = sqlite_engine if url.get_backend_name() == "sqlite" else postgres_engine
    return make(url, wait_s)


def reading(engine: Engine) -> Engine:
    """Return a view of the engine whose transactions see one snapshot and cannot write."""
    if engine.dialect.name == "sqlite":
        return engine.execution_options(**{READING: True})
    return engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)


def sqlite_engine(url: URL, wait_s: float) -> Engine:
    """Return the engine of a SQLite file in WAL mode, whose transactions begin as we say."""
    if not str(url.database).startswith("file:"):
        prepare_folder(Path(str(url.database)).parent, url.render_as_string())
    engine = create_engine(
        url,
        json_serializer=to_json,
        poolclass=LeavablePool,
        pool_size=5,
        max_overflow=20,
        pool_timeout=wait_s,
    )
    event.listen(engine, "connect", partial(tune_sqlite, wait_s))
    event.listen(engine, "begin", begin_sqlite)
    return engine


def postgres_engine(url: URL, wait_s: float) -> Engine:
    """Return the engine of a PostgreSQL server, whose connections are tried before use."""
    network = {name: value for name, value in NETWORK.items() if name not in url.query}
    engine = create_engine(
        url,
        json_serializer=to_json,
        connect_args=network,
        poolclass=LeavablePool,
        pool_size=10,
        max_overflow=10,
        pool_timeout=wait_s,
        pool_pre_ping=True,
        pool_recycle=1800,
    )
    event.listen(engine, "connect", partial(tune_postgres, wait_s))
    return engine


def prepare_folder(folder: Path, place: str) -> None:
    """Make the folder of a SQLite file, for its owner alone, and try to write in it.

    SQLite keeps its journal beside the file, so a folder that cannot be written to makes the file read-only.

    Raises:
        ReadOnlyDatabase, DatabaseUnreachable: it cannot be made, or not be written to.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise faults.of_folder(error, place) from error


def tune_sqlite(wait_s: float, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Set a new SQLite connection up, and keep the driver from beginning transactions by itself."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={round(wait_s * 1000)}")
    switch_to_wal(cursor)
    for pragma in PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")


def switch_to_wal(cursor: DBAPICursor, *, attempts: int = 10) -> None:
    """Put a new SQLite file into WAL mode; one that is in it stays.

    Of several who switch at once SQLite turns all but one away without waiting (sqlite.org/wal.html, "busy").
    An empty exclusive transaction does wait, until that one is done.
    """
    try:
        cursor.execute("PRAGMA journal_mode=WAL")
    except sqlite3.OperationalError as error:
        if attempts == 0 or error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
            raise
        cursor.execute("BEGIN EXCLUSIVE")
        cursor.execute("END")
        switch_to_wal(cursor, attempts=attempts - 1)


def begin_sqlite(connection: Connection) -> None:
    """Begin as a reader or in the one writer's place; a deferred writer would fail where it should wait."""
    is_reading = connection.get_execution_options().get(READING, False)
    connection.exec_driver_sql(f"PRAGMA query_only={'ON' if is_reading else 'OFF'}")
    connection.exec_driver_sql("BEGIN" if is_reading else "BEGIN IMMEDIATE")


def tune_postgres(wait_s: float, connection: DBAPIConnection, _entry: ConnectionPoolEntry) -> None:
    """Let a statement of a new PostgreSQL connection wait for a lock as long as SQLite would."""
    connection.autocommit = True  # a SET inside a transaction would end with it
    connection.cursor().execute(f"SET lock_timeout = {round(wait_s * 1000)}")
    connection.autocommit = False


def to_json(value: JsonValue) -> str:
    """Return compact JSON, other alphabets as they are; NaN and lone surrogates take no part in UTF-8 JSON.

    Raises:
        ValueError: the value holds NaN or an infinity.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    return text
