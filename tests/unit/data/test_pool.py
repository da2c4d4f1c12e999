import gc
import logging
import sqlite3

import psycopg
import pytest
from sqlalchemy import event, text

from chat_app.data.db import Database

pytest_plugins = ("tests.support.databases",)

DRIVER_ERRORS = (psycopg.OperationalError, sqlite3.ProgrammingError)


def test_a_connection_in_use_is_closed_when_it_comes_back_after_the_end(database):
    with database.reading() as session:
        driver = session.connection().connection.dbapi_connection
        database.dispose()
        assert session.execute(text("SELECT 1")).scalar_one() == 1
    with pytest.raises(DRIVER_ERRORS):
        driver.execute("SELECT 1")


def test_a_connection_on_its_way_back_is_closed_when_the_end_overtakes_it(database):
    with database.reading() as session:
        connection = session.connection().connection
        driver = connection.dbapi_connection
        event.listen(session.get_bind(), "checkin", lambda *_: database.dispose(), once=True)
    with pytest.raises(DRIVER_ERRORS):
        driver.execute("SELECT 1")


def test_what_was_opened_after_the_end_is_closed_when_nobody_has_the_database_any_more(database_url):
    late = Database(database_url)
    late.dispose()
    with late.reading() as session:
        driver = session.connection().connection.dbapi_connection
    assert driver.execute("SELECT 1").fetchone() == (1,)
    del session, late
    gc.collect()
    with pytest.raises(DRIVER_ERRORS):
        driver.execute("SELECT 1")


def test_connections_are_kept_for_the_next_one_after_the_end_as_before(database):
    drivers = []
    for _ in range(3):
        database.dispose()
        for _ in range(2):
            with database.reading() as session:
                drivers.append(session.connection().connection.dbapi_connection)
    assert [one is two for one, two in zip(drivers[::2], drivers[1::2], strict=True)] == [True] * 3


def test_nothing_is_said_of_a_pool_that_is_left(database, caplog):
    caplog.set_level(logging.INFO)
    with database.reading() as session:
        session.execute(text("SELECT 1"))
    database.dispose()
    assert caplog.messages == []
