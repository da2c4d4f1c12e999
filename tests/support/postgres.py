"""A throwaway PostgreSQL server for a test run: own folder, own socket, no port, gone afterwards.

Use it by `pytest_plugins = ("tests.support.postgres",)` and the fixture `postgres`. The server refuses to run
as root, so a root test run starts it as the user `postgres`. Without the binaries its tests are skipped.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import psycopg
import pytest

FAST = "-c fsync=off -c full_page_writes=off -c synchronous_commit=off -c autovacuum=off"
TABLES = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'alembic_version'"


class Cluster:
    """One server. It can be stopped hard and started again, for tests of what happens meanwhile."""

    def __init__(self, binaries: Path, folder: Path, *, user: str | None) -> None:
        self._binaries = binaries
        self._folder = folder
        self._as_user = ["runuser", "-u", user, "--"] if user else []
        self._names = count(1)

    def create(self) -> None:
        self._program("initdb", "-D", self._data, "-U", "parley", "-A", "trust", "-E", "UTF8", "--no-sync")

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories={self._folder} {FAST}"
        self._program(
            "pg_ctl", "start", "-w", "-D", str(self._data), "-l", str(self._folder / "log"), "-o", options
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stop it: `fast` closes connections and tidies up, `immediate` is a power cut."""
        self._program("pg_ctl", "stop", "-w", "-D", self._data, "-m", mode)

    def url(self, name: str) -> str:
        """Return the address of a database for `Database(url)`."""
        return f"postgresql+psycopg://parley@/{name}?host={self._folder}"

    def new(self) -> str:
        """Create an empty database and return its name."""
        name = f"parley_{next(self._names)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE template0")
        return name

    def run(self, statement: str, name: str = "postgres") -> None:
        """Run a statement in a database, as its owner and outside a transaction."""
        with self._connected(name) as connection:
            connection.execute(statement)

    def empty(self, name: str) -> None:
        """Take all rows out of a database and leave its tables.

        Only what holds rows is touched, and row by row: to truncate every table takes a hundred times as long. The
        vacuum gives the pages back, so that the planner finds the tables as small as they are.
        """
        with self._connected(name) as connection:
            connection.execute("SET session_replication_role = replica")  # in any order, whoever points at it
            tables = [row[0] for row in connection.execute(TABLES)]
            holding = " UNION ALL ".join(
                f"SELECT '{table}' WHERE EXISTS (SELECT FROM \"{table}\")" for table in tables
            )
            for (table,) in connection.execute(holding).fetchall():
                connection.execute(f'DELETE FROM "{table}"')
                connection.execute(f'VACUUM "{table}"')

    def _connected(self, name: str) -> psycopg.Connection:
        place = f"host={self._folder} user=parley dbname={name} options='-c lock_timeout=5000'"
        return psycopg.connect(place, autocommit=True)

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def _program(self, program: str, *arguments: str | Path) -> None:
        command = [*self._as_user, str(self._binaries / program), *arguments]
        # pg_ctl leaves a server behind that would keep a pipe open for ever
        with (self._folder / "out").open("ab") as out:
            done = subprocess.run(command, cwd=self._folder, stdout=out, stderr=out, check=False)
        assert done.returncode == 0, (self._folder / "out").read_text()


def binaries() -> Path | None:
    """Return the folder of the newest installed server, Debian's places first."""
    installed = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3])
    )
    found = installed[-1] if installed else shutil.which("initdb")
    return Path(found).parent if found else None


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A running server of this test run's own."""
    place = binaries()
    if place is None:
        pytest.skip("PostgreSQL is not installed here (no initdb): its half of the tests did not run")
    # not pytest's tmp_path: a socket's path may have 107 characters
    folder = Path(tempfile.mkdtemp(prefix="parley-pg-"))
    user = "postgres" if os.geteuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    cluster = Cluster(place, folder, user=user)
    cluster.create()
    cluster.start()
    yield cluster
    cluster.stop()
    shutil.rmtree(folder)
