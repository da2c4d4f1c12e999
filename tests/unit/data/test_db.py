import sqlite3
import threading

import psycopg
import pytest
from sqlalchemy import inspect, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from chat_app.data import threads
from chat_app.data.db import Database
from chat_app.data.errors import (
    DatabaseBusy,
    DatabaseFull,
    DatabaseUnreachable,
    MigrationFailed,
    MigrationNeeded,
    ReadOnlyDatabase,
)
from chat_app.data.tables import Thread, table_of
from tests.support.records import stored_thread

pytest_plugins = ("tests.support.databases",)

DRIVER_ERRORS = (psycopg.OperationalError, sqlite3.ProgrammingError)


class PowerCutError(Exception):
    pass


def everything(database) -> list[str]:
    with database.reading() as session:
        return list(session.execute(select(table_of(Thread).c.id)).scalars())


def test_work_of_a_transaction_is_there_afterwards(database):
    with database.transaction() as session:
        thread = stored_thread(session)

    assert everything(database) == [thread.id]


def test_an_exception_leaves_nothing(database):
    def work():
        with database.transaction() as session:
            stored_thread(session)
            raise PowerCutError

    with pytest.raises(PowerCutError):
        work()

    assert everything(database) == []


def test_a_refused_statement_leaves_nothing_of_what_came_before(database):
    def work():
        with database.transaction() as session:
            stored_thread(session)
            session.execute(text("SELECT no_such_function()"))

    with pytest.raises(DBAPIError, match="no_such_function"):
        work()

    assert everything(database) == []


def test_a_savepoint_undoes_its_own_part_alone(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        with pytest.raises(IntegrityError), session.begin_nested():
            stored_thread(session, mark="odd")

    assert everything(database) == [thread.id]


def test_reading_cannot_write(database):
    with pytest.raises(ReadOnlyDatabase), database.reading() as session:
        stored_thread(session)

    assert everything(database) == []


def test_a_connection_that_read_can_write_again(database):
    for _ in range(2):
        everything(database)
        with database.transaction() as session:
            stored_thread(session)

    assert len(everything(database)) == 2


def test_reading_sees_one_moment(database):
    with database.reading() as session:
        before = session.execute(select(table_of(Thread).c.id)).all()
        with database.transaction() as other:
            thread = stored_thread(other)
        after = session.execute(select(table_of(Thread).c.id)).all()

    assert before == after == []
    assert everything(database) == [thread.id]


def test_records_are_usable_after_the_transaction(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        found = threads.get(session, thread.id)
    database.dispose()

    assert found == thread


def test_a_writer_waits_for_the_one_before(sqlite):
    order = []
    began = threading.Event()

    def second():
        began.set()
        with sqlite.transaction() as session:
            stored_thread(session)
            order.append("second")

    with sqlite.transaction() as session:
        stored_thread(session)
        thread = threading.Thread(target=second)
        thread.start()
        began.wait(5)
        order.append("first")
    thread.join(5)

    assert order == ["first", "second"]


@pytest.fixture
def impatient(fresh_url):
    """The same database twice, as two processes would hold it; neither waits for the other."""
    url = fresh_url("sqlite")
    pair = Database(url, wait_s=0.01), Database(url, wait_s=0.01)
    yield pair
    for database in pair:
        database.dispose()


def test_a_writer_that_waits_too_long_for_its_own_process_is_told(impatient):
    with impatient[0].transaction(), pytest.raises(DatabaseBusy, match="held by somebody else"):
        impatient[0].transaction().__enter__()


def test_who_changes_the_tables_waits_for_another_process_that_does(impatient):
    came = []

    def second():
        with impatient[1].migrating() as connection:
            came.append(connection.exec_driver_sql("PRAGMA foreign_keys").scalar_one())

    with impatient[0].migrating():
        thread = threading.Thread(target=second)
        thread.start()
        thread.join(0.3)
        assert (thread.is_alive(), came) == (True, [])
    thread.join(10)
    assert came == [0]
    with impatient[1].reading() as session:
        assert session.execute(text("PRAGMA busy_timeout")).scalar_one() == 10


def test_a_writer_that_waits_too_long_for_another_process_is_told(impatient):
    with impatient[1].transaction() as session:
        stored_thread(session)
        with pytest.raises(DatabaseBusy, match="held by somebody else"), impatient[0].transaction() as late:
            threads.get(late, "t1")


def test_a_full_disk_is_explained_and_leaves_nothing(sqlite):
    def work():
        with sqlite.transaction() as session:
            pages = session.execute(text("PRAGMA page_count")).scalar_one()
            session.execute(text(f"PRAGMA max_page_count={pages + 1}"))
            stored_thread(session, title="x" * 100_000)

    with pytest.raises(DatabaseFull, match="no room left"):
        work()
    assert everything(sqlite) == []


def test_connections_that_died_in_the_pool_are_replaced(fresh_url, postgres):
    database = Database(fresh_url("postgresql"))
    with database.transaction() as session:
        thread = stored_thread(session)
    postgres.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'")

    assert everything(database) == [thread.id]
    database.dispose()


def test_a_server_that_dies_in_a_transaction_is_explained(fresh_url, postgres):
    database = Database(fresh_url("postgresql"))

    def work():
        with database.transaction() as session:
            stored_thread(session)
            postgres.run(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'"
            )
            stored_thread(session)

    with pytest.raises(DatabaseUnreachable):
        work()
    assert everything(database) == []
    database.dispose()


def test_a_database_without_tables_asks_for_a_migration(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/empty.db")
    with pytest.raises(MigrationNeeded, match="parley db upgrade"), database.reading() as session:
        threads.get(session, "t1")
    database.dispose()


def test_a_server_that_is_not_there_is_explained(tmp_path):
    database = Database(f"postgresql://me:secret@/parley?host={tmp_path}")
    with (
        pytest.raises(DatabaseUnreachable, match="cannot be reached") as caught,
        database.reading() as session,
    ):
        threads.get(session, "t1")
    database.dispose()

    assert "secret" not in str(caught.value)


def test_a_file_that_is_no_database_is_explained(tmp_path):
    (tmp_path / "parley.db").write_text("a letter to my mother, long enough to have a header" * 100)
    database = Database(f"sqlite:///{tmp_path}/parley.db")
    with pytest.raises(DatabaseUnreachable, match="not a database"), database.reading() as session:
        threads.get(session, "t1")
    database.dispose()


def test_a_file_that_cannot_be_written_to_is_explained(fresh_url):
    file = fresh_url("sqlite").removeprefix("sqlite:///")
    database = Database(f"sqlite:///file:{file}?mode=ro&uri=true")
    with pytest.raises(ReadOnlyDatabase), database.transaction() as session:
        stored_thread(session)
    database.dispose()


def test_a_migration_that_breaks_leaves_nothing(database):
    def work():
        with database.migrating() as connection:
            connection.exec_driver_sql("CREATE TABLE half (id INTEGER)")
            raise PowerCutError

    with pytest.raises(PowerCutError):
        work()
    with database.migrating() as connection:
        assert not inspect(connection).has_table("half")


def test_a_migration_that_rebuilds_a_table_keeps_what_points_at_it(sqlite):
    with sqlite.transaction() as session:
        thread = stored_thread(session)
    with sqlite.migrating() as connection:
        connection.exec_driver_sql('CREATE TABLE copy AS SELECT * FROM "user"')
        connection.exec_driver_sql('DELETE FROM "user"')
        connection.exec_driver_sql('INSERT INTO "user" SELECT * FROM copy')

    assert everything(sqlite) == [thread.id]


def test_a_migration_that_leaves_rows_pointing_at_nothing_is_undone(sqlite):
    with sqlite.transaction() as session:
        thread = stored_thread(session)
    with pytest.raises(MigrationFailed, match="point at nothing"), sqlite.migrating() as connection:
        connection.exec_driver_sql('DELETE FROM "user"')

    with sqlite.reading() as session:
        assert threads.owned(session, thread.id, owner=thread.owner) == thread


def test_references_hold_again_after_a_migration(sqlite):
    with sqlite.migrating() as connection:
        connection.exec_driver_sql("SELECT 1")
    with sqlite.reading() as session:
        assert session.execute(text("PRAGMA foreign_keys")).scalar_one() == 1


def test_a_database_says_where_and_what_it_is():
    database = Database("postgresql://me:secret@there/parley")

    assert (database.dialect, database.place) == ("postgresql", "postgresql+psycopg://me:***@there/parley")
