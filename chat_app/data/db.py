"""The database as one object, with the only commit of the product.

One use case is one `Database.transaction()`. On SQLite writers queue for their turn instead of failing when a
read becomes a write; on PostgreSQL they meet at row locks. `Database.reading()` sees one snapshot and refuses
to write, on both.
"""

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.orm import Session

from chat_app.data import engines, faults
from chat_app.data.errors import DatabaseBusy, MigrationFailed

MIGRATION_LOCK = 0x7061726C6579
"""Key of the PostgreSQL advisory lock under which tables are changed: "parley" in ASCII."""

MIGRATION_WAIT_S = 60
"""How long a worker waits while another one changes the tables."""


class Database:
    """Where Parley keeps its rows. One object per process, shared by threads; a session belongs to one.

    `place` is the address without its password, for sentences; `dialect` is "sqlite" or "postgresql".
    """

    def __init__(self, url: str, *, wait_s: float = 5.0) -> None:
        """Prepare the engine. Nobody is contacted, but the folder of a SQLite file is made.

        `wait_s` is how long a writer waits for another one, and a caller for a connection.

        Raises:
            UnsupportedDatabase: the address cannot be read or names something we do not speak.
            ReadOnlyDatabase, DatabaseUnreachable: the folder of the file cannot be made or written to.
        """
        address = engines.parse(url)
        self.place = address.render_as_string()
        self.dialect = address.get_backend_name()
        self._engine = engines.build(address, wait_s=wait_s)
        self._readers = engines.reading(self._engine)
        self._writer = threading.Lock()
        self._wait_s = wait_s
        # a thread that was late may have connected after `dispose`, which nobody calls a second time
        weakref.finalize(self, self._engine.dispose)

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """Open a session whose work is committed when the block ends, and undone when it raises.

        Inside the block the driver's errors are SQLAlchemy's, so that a savepoint (`session.begin_nested`) can
        give up a part and go on; they become ours at its edge.

        Raises:
            DataError: unreachable, read-only, full, busy, not migrated, or a constraint broken.
        """
        with faults.translated(self.place), self._turn(), Session(self._engine) as session:
            yield session
            session.commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session on one snapshot. It cannot write, and nothing is ever committed.

        Raises:
            DataError: as in `transaction`; ReadOnlyDatabase for an attempt to write.
        """
        with faults.translated(self.place), Session(self._readers) as session:
            yield session

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """Open a connection in one transaction that excludes other migrators; committed when the block ends.

        Raises:
            MigrationFailed: the block left SQLite rows that point at nothing; it is undone.
            DataError: as in `transaction`.
        """
        alone = alone_in_sqlite if self.dialect == "sqlite" else alone_in_postgres
        with (
            faults.translated(self.place),
            self._turn(),
            self._engine.connect() as connection,
            alone(connection),
        ):
            yield connection

    def connect_arguments(self) -> dict[str, Any]:
        """Return how the driver connects, for the one who needs a connection outside the pool."""
        return {**engines.NETWORK, **self._engine.dialect.create_connect_args(self._engine.url)[1]}

    @property
    def file(self) -> Path:
        """The file of a SQLite database; it means nothing for a server."""
        return Path(str(self._engine.url.database).removeprefix("file:").partition("?")[0])

    def dispose(self) -> None:
        """Close every pooled connection, and one in use as soon as it is given back.

        The object stays usable and would connect anew; what it opens then is closed when nobody has it any more.
        """
        self._engine.dispose()

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for this process's turn to write to SQLite, whose own waiters poll and under load starve.

        Measured with 50 threads of ten transactions each: the longest wait is 35 ms, without this 340 ms.
        """
        if self.dialect != "sqlite":
            yield
            return
        if not self._writer.acquire(timeout=self._wait_s):
            raise DatabaseBusy(faults.SENTENCES[DatabaseBusy].format(place=self.place))
        try:
            yield
        finally:
            self._writer.release()


@contextmanager
def alone_in_sqlite(connection: Connection) -> Iterator[None]:
    """Hold the writer's place, with references off and checked before the commit. It is waited for as on PostgreSQL.

    SQLite alters a table by building it anew; with references on, dropping the old one would delete every row
    that points at it.
    """
    cursor = connection.connection.cursor()
    cursor.execute("PRAGMA busy_timeout")
    ((patience_ms,),) = cursor.fetchall()
    cursor.execute(f"PRAGMA busy_timeout={MIGRATION_WAIT_S * 1000}")
    cursor.execute("PRAGMA foreign_keys=OFF")  # has no effect once a transaction has begun
    try:
        with connection.begin():
            yield
            dangling = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
            if dangling:
                raise MigrationFailed(f"The migration leaves {len(dangling)} rows that point at nothing.")
    finally:
        cursor.execute("PRAGMA foreign_keys=ON")
        cursor.execute(f"PRAGMA busy_timeout={patience_ms}")


@contextmanager
def alone_in_postgres(connection: Connection) -> Iterator[None]:
    """Hold the lock of those who change tables until the transaction ends."""
    with connection.begin():
        connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{MIGRATION_WAIT_S}s'")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})")
        yield
