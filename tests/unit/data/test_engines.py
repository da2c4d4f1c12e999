import os
import sqlite3

import pytest
from sqlalchemy import make_url, text

from chat_app.data import engines
from chat_app.data.errors import DatabaseUnreachable, ReadOnlyDatabase, UnsupportedDatabase

pytest_plugins = ("tests.support.postgres",)

SECRET = "hunter2"


def built(address):
    return engines.build(engines.parse(address), wait_s=5)


@pytest.fixture
def nobody():
    """The rights of somebody who owns nothing; root would be let in everywhere."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    yield
    os.seteuid(before)


@pytest.mark.parametrize(
    ("given", "driver"),
    [
        ("sqlite:///x/parley.db", "sqlite+pysqlite"),
        ("sqlite+pysqlite:///x/parley.db", "sqlite+pysqlite"),
        ("postgresql://me@there/parley", "postgresql+psycopg"),
        ("postgresql+psycopg://me@there/parley", "postgresql+psycopg"),
    ],
)
def test_an_address_gets_the_driver_we_test_with(given, driver):
    assert engines.parse(given).drivername == driver


@pytest.mark.parametrize(
    "given",
    [
        f"not an address {SECRET}",
        f"mysql://me:{SECRET}@there/parley",
        f"postgresql+asyncpg://me:{SECRET}@there/parley",
        "sqlite+aiosqlite:///parley.db",
        "sqlite://",
        "sqlite:///:memory:",
        "sqlite:///file:x?mode=memory&uri=true",
    ],
)
def test_what_we_do_not_speak_is_refused_without_repeating_a_password(given):
    with pytest.raises(UnsupportedDatabase) as caught:
        engines.parse(given)

    assert SECRET not in str(caught.value)


def test_a_missing_folder_is_made_for_its_owner_alone(tmp_path):
    engine = built(f"sqlite:///{tmp_path}/new/parley.db")
    with engine.connect() as connection:
        connection.execute(text("SELECT 1"))
    engine.dispose()

    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "new" / "parley.db").exists()


def test_a_folder_that_is_a_file_is_explained(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(DatabaseUnreachable, match="cannot be reached or read"):
        built(f"sqlite:///{tmp_path}/file/parley.db")


def test_a_folder_without_the_right_to_write_is_explained(tmp_path, nobody):
    with pytest.raises(ReadOnlyDatabase, match="cannot be written to"):
        engines.prepare_folder(tmp_path.parent / "sealed", "there")


def test_sqlite_connections_are_tuned(tmp_path):
    engine = built(f"sqlite:///{tmp_path}/parley.db")
    asked = ("journal_mode", "synchronous", "busy_timeout", "foreign_keys")
    with engine.connect() as connection:
        found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in asked]
    engine.dispose()

    assert found == ["wal", 1, 5000, 1]


def test_a_driver_level_address_makes_no_folder(tmp_path):
    file = tmp_path / "there" / "parley.db"
    engine = built(f"sqlite:///file:{file}?mode=ro&uri=true")
    engine.dispose()

    assert not file.parent.exists()


def test_postgres_waits_for_locks_as_long_as_sqlite(postgres):
    engine = built(postgres.url("postgres"))
    with engine.connect() as connection:
        waits = connection.exec_driver_sql("SHOW lock_timeout").scalar_one()
        called = connection.exec_driver_sql("SHOW application_name").scalar_one()
    engine.dispose()

    assert (waits, called) == ("5s", "parley")


def test_the_address_may_say_how_to_connect(postgres):
    engine = built(f"{postgres.url('postgres')}&application_name=other")
    with engine.connect() as connection:
        called = connection.exec_driver_sql("SHOW application_name").scalar_one()
    engine.dispose()

    assert called == "other"


def test_a_place_is_named_without_its_password():
    assert SECRET not in engines.parse(f"postgresql://me:{SECRET}@there/parley").render_as_string()


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ({"ü": ["日本", 1.5, None]}, '{"ü":["日本",1.5,null]}'),
        ("a\x00b", '"a\\u0000b"'),
        ("\ud800", '"\\ud800"'),
    ],
)
def test_json_is_compact_and_survives_odd_characters(value, written):
    assert engines.to_json(value) == written


def test_json_has_no_infinity():
    with pytest.raises(ValueError, match="not JSON compliant"):
        engines.to_json({"a": float("inf")})


def test_only_an_address_without_a_file_is_in_memory():
    assert not engines.in_memory(make_url("sqlite:///parley.db"))
    assert engines.in_memory(make_url("sqlite://"))


class TurnedAway:
    """A cursor of SQLite that turns the first so many switches to WAL away, with an error code."""

    def __init__(self, times: int, code: int = sqlite3.SQLITE_BUSY) -> None:
        self.times, self.code, self.asked = times, code, []

    def execute(self, statement: str) -> None:
        self.asked.append(statement)
        if "journal_mode" in statement and self.times:
            self.times -= 1
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = self.code
            raise error


def test_who_is_turned_away_waits_for_the_other_and_switches_again():
    cursor = TurnedAway(1)
    engines.switch_to_wal(cursor)

    switch = "PRAGMA journal_mode=WAL"
    assert cursor.asked == [switch, "BEGIN EXCLUSIVE", "END", switch]


@pytest.mark.parametrize("cursor", [TurnedAway(99), TurnedAway(1, sqlite3.SQLITE_NOTADB)])
def test_a_switch_that_cannot_be_made_is_not_tried_for_ever(cursor):
    with pytest.raises(sqlite3.OperationalError):
        engines.switch_to_wal(cursor, attempts=3)

    assert cursor.asked.count("PRAGMA journal_mode=WAL") <= 4
