from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import Column, Integer, MetaData, Table, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import StatementError

from chat_app.data.columns import Names, UtcDateTime, WireText, one_of
from chat_app.data.records import AgentRecord
from chat_app.data.tables import Agent, Thread, User, table_of
from tests.support.records import NOON, stored_thread

pytest_plugins = ("tests.support.databases",)

TOKYO = timezone(timedelta(hours=9))


def test_a_moment_comes_back_aware_and_in_utc(database):
    at = datetime(2026, 11, 30, 21, 0, 0, 123456, tzinfo=TOKYO)
    with database.transaction() as session:
        thread = stored_thread(session, created=at)
    with database.reading() as session:
        column = table_of(Thread).c.created
        found = session.execute(select(column).where(column == at)).scalar_one()

    assert found == at
    assert found.tzinfo is UTC or found.utcoffset() == timedelta(0)
    assert thread.created == at


def test_a_time_without_a_zone_is_refused(database):
    with database.transaction() as session, pytest.raises(StatementError, match="without time zone"):
        stored_thread(session, created=NOON.replace(tzinfo=None))


def test_absent_moments_and_texts_stay_absent(database):
    with database.transaction() as session:
        stored_thread(session)
        row = session.execute(select(table_of(Thread))).one()
        agent = session.execute(select(table_of(Agent))).one()

    assert row.deleted_at is None
    assert agent.headers_encrypted is None


def test_characters_no_database_holds_are_replaced_and_still_found(database):
    with database.transaction() as session:
        stored_thread(session, title="a\x00b\ud800c")
        title = table_of(Thread).c.title
        found = session.execute(select(title).where(title == "a\x00b\ud800c")).scalar_one()

    assert found == "a\ufffdb\ufffdc"


def test_names_come_back_as_a_tuple(database):
    with database.transaction() as session:
        stored_thread(session)
        roles = session.execute(select(table_of(User).c.roles)).scalar_one()

    assert roles == ()


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect()])
@pytest.mark.parametrize("kind", [UtcDateTime(), WireText(), Names()])
def test_null_passes_through_every_type(kind, dialect):
    assert kind.process_bind_param(None, dialect) is None


@pytest.mark.parametrize("kind", [UtcDateTime(), Names()])
def test_null_is_read_as_null(kind):
    assert kind.process_result_value(None, sqlite.dialect()) is None


def test_a_status_constraint_lists_its_words():
    table = Table("t", MetaData(), Column("n", Integer), one_of("mood", ["", "good"]))

    assert [str(c.sqltext) for c in table.constraints if c.name == "mood"] == ["mood IN ('', 'good')"]


def test_records_share_the_columns_of_an_agent():
    assert set(AgentRecord.__dataclass_fields__) == set(table_of(Agent).c.keys())
