import errno
import sqlite3

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from chat_app.data import errors, faults


class SqliteError(sqlite3.OperationalError):
    def __init__(self, code: int, text: str = "said") -> None:
        super().__init__(text)
        self.sqlite_errorcode = code


def postgres_error(state: str | None, kind: type[psycopg.Error] = psycopg.OperationalError) -> psycopg.Error:
    error = kind("said.\nDETAIL: more")
    error.sqlstate = state
    return error


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, errors.DatabaseBusy),
        (sqlite3.SQLITE_READONLY_DBMOVED, errors.ReadOnlyDatabase),
        (sqlite3.SQLITE_FULL, errors.DatabaseFull),
        (sqlite3.SQLITE_CANTOPEN, errors.DatabaseUnreachable),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, errors.ConstraintBroken),
        (sqlite3.SQLITE_MISUSE, None),
    ],
)
def test_sqlite_codes_are_read_by_their_primary_part(code, kind):
    assert faults.kind_of(SqliteError(code)) is kind


@pytest.mark.parametrize("text", ["no such table: thread", "no such column: thread.mood"])
def test_a_missing_table_of_sqlite_asks_for_a_migration(text):
    assert faults.kind_of(SqliteError(sqlite3.SQLITE_ERROR, text)) is errors.MigrationNeeded


def test_a_sqlite_error_without_a_code_is_a_mistake_of_ours():
    assert faults.kind_of(sqlite3.ProgrammingError("bound twice")) is None


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("08006", errors.DatabaseUnreachable),
        ("57P01", errors.DatabaseUnreachable),
        ("3D000", errors.DatabaseUnreachable),
        ("28P01", errors.DatabaseUnreachable),
        ("25006", errors.ReadOnlyDatabase),
        ("53100", errors.DatabaseFull),
        ("55P03", errors.DatabaseBusy),
        ("40P01", errors.DatabaseBusy),
        ("42P01", errors.MigrationNeeded),
        ("23505", errors.ConstraintBroken),
        ("42601", None),
        (None, errors.DatabaseUnreachable),
    ],
)
def test_postgres_states_are_read_by_their_class(state, kind):
    assert faults.kind_of(postgres_error(state)) is kind


def test_a_postgres_error_without_a_state_that_is_not_operational_is_a_mistake_of_ours():
    assert faults.kind_of(postgres_error(None, psycopg.ProgrammingError)) is None


def test_something_else_is_no_trouble_of_the_database():
    assert faults.kind_of(ValueError()) is None


def test_trouble_is_raised_with_a_sentence_that_names_the_place():
    full = pytest.raises(errors.DatabaseFull, match="at there has no room left: said")

    with full as caught, faults.translated("there"):
        raise OperationalError("select", {}, postgres_error("53100"))

    assert isinstance(caught.value.__cause__, OperationalError)


def test_a_mistake_in_a_statement_passes_unchanged():
    mistake = DBAPIError("selct", {}, postgres_error("42601"))

    with pytest.raises(DBAPIError) as caught, faults.translated("there"):
        raise mistake

    assert caught.value is mistake


def test_an_exhausted_pool_is_busy():
    with pytest.raises(errors.DatabaseBusy, match="for too long"), faults.translated("there"):
        raise PoolTimeout("QueuePool limit")


def test_a_block_without_trouble_is_left_alone():
    with faults.translated("there"):
        done = True

    assert done


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (errno.EACCES, errors.ReadOnlyDatabase),
        (errno.EROFS, errors.ReadOnlyDatabase),
        (errno.ENOTDIR, errors.DatabaseUnreachable),
    ],
)
def test_a_folder_that_cannot_be_made_is_explained(code, kind):
    error = faults.of_folder(OSError(code, "said"), "there")

    assert type(error) is kind
    assert "there" in str(error)


def test_every_kind_a_driver_can_lead_to_has_a_sentence():
    kinds = {*faults.SQLITE.values(), *(kind for _, kind in faults.SQLSTATES)}

    assert kinds == set(faults.SENTENCES)


def test_trouble_that_passes_is_found_behind_what_it_led_to():
    full = OperationalError("INSERT", {}, SqliteError(sqlite3.SQLITE_FULL))
    gone = OperationalError("ROLLBACK TO", {}, SqliteError(sqlite3.SQLITE_ERROR))
    gone.__context__ = full
    assert faults.passing_trouble(gone) is full
    assert faults.passing_trouble(ValueError("no JSON")) is None
