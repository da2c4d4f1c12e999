"""Migrations up and down on both databases, as the application and as a person at a terminal run them."""

import os
import subprocess
import sys

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import inspect

from alembic import command
from chat_app.agent import store
from chat_app.data import migrate
from chat_app.data.db import Database
from chat_app.data.tables import Base

pytest_plugins = ("tests.support.databases",)

METADATA = [Base.metadata, store.METADATA]
NAMES = {name for metadata in METADATA for name in metadata.tables}


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path) -> str:
    """The address of a database without any table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/parley.db"
    cluster = request.getfixturevalue("postgres")
    return cluster.url(cluster.new())


@pytest.fixture
def empty(url):
    database = Database(url)
    yield database
    database.dispose()


def tables(database) -> set[str]:
    with database.migrating() as connection:
        return set(inspect(connection).get_table_names()) - {"alembic_version"}


def downgrade(database) -> None:
    with database.migrating() as connection:
        config = Config(attributes={"connection": connection})
        config.set_main_option("script_location", str(migrate.FOLDER))
        command.downgrade(config, "base")


def shape(database) -> dict[str, object]:
    """Return what the database says of its tables, in an order that can be compared."""
    with database.migrating() as connection:
        seen = inspect(connection)
        return {
            name: {
                "checks": sorted(check["name"] for check in seen.get_check_constraints(name)),
                "indexes": sorted(index["name"] for index in seen.get_indexes(name)),
                "unique": sorted(unique["name"] for unique in seen.get_unique_constraints(name)),
                "keys": sorted(
                    (key["name"], key["options"]["ondelete"]) for key in seen.get_foreign_keys(name)
                ),
                "columns": [(column["name"], column["nullable"]) for column in seen.get_columns(name)],
            }
            for name in sorted(NAMES)
        }


def test_tables_come_and_go_and_come_again(empty):
    assert migrate.upgrade(empty)
    assert tables(empty) == NAMES
    downgrade(empty)
    assert tables(empty) == set()
    assert migrate.upgrade(empty)
    assert tables(empty) == NAMES


def test_autogenerate_finds_no_difference(empty):
    migrate.upgrade(empty)
    with empty.migrating() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})

        assert compare_metadata(context, METADATA) == []


def test_migrations_make_every_constraint_that_the_tables_declare(empty):
    migrate.upgrade(empty)
    migrated = shape(empty)
    downgrade(empty)
    with empty.migrating() as connection:
        for metadata in METADATA:
            metadata.create_all(connection)

    assert shape(empty) == migrated


def alembic(url: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command a person would type in the checkout."""
    command_line = [sys.executable, "-m", "alembic", *arguments]
    env = os.environ | {"PARLEY_DATABASE_URL": url}
    return subprocess.run(
        command_line, cwd=migrate.FOLDER.parent, env=env, capture_output=True, text=True, check=False
    )


def test_a_person_at_a_terminal_gets_the_same_tables(url, empty):
    up = alembic(url, "upgrade", "head")

    assert up.returncode == 0, up.stderr
    assert migrate.heads_match(empty)
    assert alembic(url, "check").returncode == 0


def test_sql_scripts_are_refused_in_a_sentence(url):
    done = alembic(url, "upgrade", "head", "--sql")

    assert done.returncode == 1
    assert (
        done.stderr.strip() == "Migrations of Parley run on a database; SQL scripts (--sql) are not written."
    )
