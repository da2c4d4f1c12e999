import sqlite3
from datetime import UTC, datetime

import pytest
from sqlalchemy import event, select, update

from chat_app.agent.store import METADATA, PROJECTIONS
from chat_app.data import audit, events, messages, state_versions, transfer
from chat_app.data.db import Database
from chat_app.data.errors import CopyDiffers, NotEmpty
from chat_app.data.messages import message
from chat_app.data.records import StateVersionRecord
from chat_app.data.tables import Base
from tests.support.records import (
    NOON,
    an_event,
    stored_exchange,
    stored_message,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)
TABLES = (*Base.metadata.sorted_tables, *METADATA.sorted_tables)
KINDS = [("sqlite", "postgresql"), ("postgresql", "sqlite")]


@pytest.fixture(params=KINDS, ids="-to-".join)
def ends(request, fresh_url):
    """A database with something in it, and an empty one of the other kind."""
    opened = [Database(fresh_url(kind)) for kind in request.param]
    fill(opened[0])
    yield opened
    for database in opened:
        database.dispose()


def fill(database) -> None:
    with database.transaction() as session:
        thread = stored_thread(session, title="Ä 😀", state={"n": [1, 2.5, None, True], "nul": "\x00"})
        run = stored_run(session, stored_exchange(session, thread, ended=NOON), status="interrupted")
        stored_question(session, run, expires_at=NOON)
        parent = stored_message(session, thread, id="z", position=1, run=run.id)
        stored_message(session, thread, id="a", position=2, parent=parent.id, content=[{"half": "\ud83d"}])
        log = [an_event(thread=thread.id, seq=n, run=run.id, payload={"n": n}) for n in range(1, 1201)]
        events.append(session, log)
        version = StateVersionRecord(thread=thread.id, seq=1, document=None, at=NOON)
        state_versions.add(session, version)
        session.execute(PROJECTIONS.insert(), [{"thread": "t", "document": {"a": 1}, "updated": NOON}])
        audit.append(session, audit.Act(action="a", object="o", actor=None, at=NOON))


def test_every_row_arrives_and_is_counted(ends):
    source, target = ends
    arrived = {one.table: one for one in transfer.copy(source, target, TABLES)}

    assert (arrived["run_event"].rows, arrived["message"].rows, arrived["feedback"].rows) == (1200, 2, 0)
    with source.reading() as there, target.reading() as here:
        assert transfer.counts(there, TABLES) == transfer.counts(here, TABLES) == tuple(arrived.values())
        assert audit.broken_at(here) is None
        moment = here.execute(select(PROJECTIONS.c.updated)).scalar_one()
    assert moment.replace(tzinfo=moment.tzinfo or UTC) == NOON


def test_rows_are_never_mixed_with_others(ends):
    source, target = ends
    transfer.copy(source, target, TABLES)
    with pytest.raises(NotEmpty, match="is not empty: "):
        transfer.copy(source, target, TABLES)


def test_a_difference_is_noticed_and_leaves_nothing_behind(ends):
    source, target = ends

    def spoil(connection, _cursor, statement, *_rest) -> None:
        if statement.startswith("INSERT INTO audit"):
            connection.execute(update(message).values(role="nobody"))

    event.listen(target._engine, "before_cursor_execute", spoil)
    with pytest.raises(CopyDiffers, match=r"in message\."):
        transfer.copy(source, target, [table for table in TABLES if table.name != "audit"] + [audit.audit])

    with target.reading() as session:
        assert [one.table for one in transfer.counts(session, TABLES) if one.rows] == []


def test_a_checksum_tells_rows_apart_and_not_their_order(sqlite):
    fill(sqlite)
    with sqlite.transaction() as session:
        (before,) = transfer.counts(session, [message])
        session.execute(
            update(message).where(message.c.id == "a").values(updated=datetime(2031, 1, 1, tzinfo=UTC))
        )
        (after,) = transfer.counts(session, [message])

    assert before.rows == after.rows
    assert before.checksum != after.checksum


def test_a_file_in_use_is_backed_up_as_it_is(sqlite, tmp_path):
    fill(sqlite)
    with sqlite.transaction() as session:
        stored_thread(session)
        transfer.back_up(sqlite.file, tmp_path / "backup.db")

    copied = Database(f"sqlite:///{tmp_path}/backup.db")
    with copied.reading() as session:
        assert (
            len(messages.of_thread(session, session.execute(select(message.c.thread)).scalars().first())) == 2
        )
        assert {one.table: one.rows for one in transfer.counts(session, TABLES)}["thread"] == 1
    copied.dispose()


def test_a_backup_never_replaces_anything(sqlite, tmp_path):
    (tmp_path / "backup.db").write_text("mine")
    with pytest.raises(NotEmpty):
        transfer.back_up(sqlite.file, tmp_path / "backup.db")

    assert (tmp_path / "backup.db").read_text() == "mine"


def test_a_copy_that_does_not_hold_together_is_no_backup(tmp_path):
    with sqlite3.connect(tmp_path / "torn.db") as torn:
        torn.execute("CREATE TABLE t (a UNIQUE)")
        torn.execute("INSERT INTO t VALUES (1), (2)")
        torn.execute("PRAGMA writable_schema=ON")
        torn.execute(
            "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a UNIQUE, b NOT NULL)' WHERE name = 't'"
        )
    torn.close()
    with pytest.raises(CopyDiffers, match="does not hold together"):
        transfer.back_up(tmp_path / "torn.db", tmp_path / "backup.db")

    assert not (tmp_path / "backup.db").exists()
