"""Databases with our tables, fresh for each test, on every kind we support.

Use it by `pytest_plugins = ("tests.support.databases",)`: a test that asks for `database` runs once per kind.
"""

import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from chat_app.data.db import Database
from chat_app.data.migrate import upgrade

pytest_plugins = ("tests.support.postgres",)


def migrated(url: str) -> str:
    database = Database(url)
    upgrade(database)
    database.dispose()
    return url


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory) -> Path:
    """A SQLite file with our tables and nothing in them."""
    file = tmp_path_factory.mktemp("template") / "parley.db"
    migrated(f"sqlite:///{file}")
    return file


@pytest.fixture(scope="session")
def postgres_tables(postgres) -> str:
    """The name of a PostgreSQL database with our tables, emptied after each test that used it."""
    name = postgres.new()
    migrated(postgres.url(name))
    return name


@pytest.fixture(scope="session")
def sqlite_place(tmp_path_factory) -> Path:
    """Where each test that needs a SQLite file finds a fresh one."""
    return tmp_path_factory.mktemp("database") / "parley.db"


@pytest.fixture(scope="session")
def opened() -> Callable[[str], Database]:
    """Gives the `Database` at an address, the same one to every test: to compile each statement anew takes longer
    than most tests take."""
    return cache(Database)


def put_new(file: Path, template: Path) -> Path:
    """Put a copy of `template` in the place of `file`, and of what SQLite keeps beside it."""
    for leftover in file.parent.glob(f"{file.name}*"):
        leftover.unlink()
    return Path(shutil.copy(template, file))


@pytest.fixture
def fresh_url(request) -> Iterator[Callable[[str], str]]:
    """Gives the address of a database with our tables and no rows, of kind "sqlite" or "postgresql"."""
    used = []

    def give(kind: str) -> str:
        if kind == "sqlite":
            places = (request.getfixturevalue(name) for name in ("sqlite_place", "sqlite_template"))
            return f"sqlite:///{put_new(*places)}"
        used.append(request.getfixturevalue("postgres"))
        return used[-1].url(request.getfixturevalue("postgres_tables"))

    yield give
    for cluster in used:
        cluster.empty(request.getfixturevalue("postgres_tables"))


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request, fresh_url) -> str:
    """The address of a fresh database with our tables; the test runs once per kind."""
    return fresh_url(request.param)


@pytest.fixture
def database(database_url, opened) -> Iterator[Database]:
    """A fresh database with our tables; the test runs once per kind."""
    yield opened(database_url)
    opened(database_url).dispose()


@pytest.fixture
def sqlite(fresh_url, opened) -> Iterator[Database]:
    """A fresh SQLite database with our tables, for what does not depend on the kind."""
    url = fresh_url("sqlite")
    yield opened(url)
    opened(url).dispose()
