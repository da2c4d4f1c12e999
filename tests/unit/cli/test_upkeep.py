import json
from pathlib import Path

import pytest
from sqlalchemy import update

from chat_app.cli import main
from chat_app.data import audit, exchanges, threads
from chat_app.data.db import Database
from chat_app.data.messages import message
from tests.support.records import NOON, stored_exchange, stored_thread
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def database(fresh_url, monkeypatch) -> Database:
    """The database the commands find in their environment."""
    url = fresh_url("sqlite")
    monkeypatch.setenv("PARLEY_DATABASE_URL", url)
    opened = Database(url)
    yield opened
    opened.dispose()


@pytest.fixture
def thread(database) -> str:
    """A chat of Ada's with a line in it, told by its log."""
    world = World(database)
    record = world.thread()
    with database.transaction() as session:
        run = world.opener.open(session, record, kind="send", by=world.ada.id)
        world.opener.say(session, record.id, run, "Hello")
        exchanges.end(session, run.exchange, worker_id=world.worker, now=NOON)
        audit.append(session, audit.Act(action="a", object="o", actor=None, at=NOON))
    return record.id


def test_what_is_as_its_log_says_is_verified(database, thread, capsys):
    assert main(["db", "verify"]) == 0
    assert capsys.readouterr().out == "1 chats with 1 rows compared with their logs.\n"


def test_what_differs_is_named(database, thread, capsys):
    with database.transaction() as session:
        session.execute(update(message).values(role="assistant"))
        live = stored_exchange(session, stored_thread(session))
        session.connection().exec_driver_sql("DROP TRIGGER audit_is_kept_UPDATE")
        session.execute(update(audit.audit).values(reason="changed"))
    assert live
    assert main(["db", "verify"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines()[-2:] == [
        "audit: entry 1 is not as it was written, or one before it is missing",
        "1 chats with 1 rows compared with their logs; 1 with a live answer were left out.",
    ]
    assert f"chat {thread}, branch 0: row {thread}-msg-1 differs from the log" in said.out
    assert said.err.startswith("2 differences; ")


def test_a_backup_holds_everything_and_replaces_nothing(database, thread, tmp_path, capsys):
    target = tmp_path / "backup.db"
    assert main(["db", "backup", str(target)]) == 0
    assert capsys.readouterr().out == f"Backed up to {target}; every page was checked.\n"
    copied = Database(f"sqlite:///{target}")
    with copied.reading() as session:
        assert threads.every_id(session) == [thread]
    copied.dispose()
    assert main(["db", "backup", str(target)]) == 1
    assert capsys.readouterr().err == f"There is something at {target} already.\n"


def test_a_copy_to_postgres_and_back_is_the_same(thread, postgres, tmp_path, monkeypatch, capsys):
    server = postgres.url(postgres.new())
    assert main(["db", "copy", server]) == 0
    there = capsys.readouterr().out.splitlines()
    assert there[-1].endswith("counts and checksums of both sides agree.")
    monkeypatch.setenv("PARLEY_DATABASE_URL", server)
    assert main(["db", "backup", str(tmp_path / "back.db")]) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == there[:-1]
    assert main(["db", "copy", server]) == 1
    assert "is not empty" in capsys.readouterr().err


def test_tables_of_an_older_version_are_left_alone(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("PARLEY_DATABASE_URL", f"sqlite:///{tmp_path}/new.db")
    assert main(["db", "verify"]) == 1
    assert "run `parley db upgrade`" in capsys.readouterr().err


def test_a_person_is_exported_and_erased(database, thread, tmp_path: Path, capsys):
    file = tmp_path / "ada.jsonl"
    assert main(["user", "export", "ada", str(file)]) == 0
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert capsys.readouterr().out == f"Wrote {len(lines)} lines to {file}.\n"
    assert [line["kind"] for line in lines] == ["user", "thread", "message", "run", "event"]
    assert main(["user", "export", "ada", str(file)]) == 1
    assert capsys.readouterr().err == f"There is something at {file} already.\n"
    assert main(["user", "erase", "ada"]) == 1  # nobody is there to say yes
    capsys.readouterr()
    assert main(["user", "erase", "ada", "--yes"]) == 0
    assert capsys.readouterr().out == "Erased ada with 1 chats.\n"
    for command in (["export", "ada", str(tmp_path / "x")], ["erase", "ada", "--yes"]):
        assert main(["user", *command]) == 1
        assert capsys.readouterr().err == "Nobody signs in as ada.\n"


def test_nobody_is_erased_while_an_answer_is_under_way(database, thread, capsys):
    world = World(database)
    with database.transaction() as session:
        world.opener.open(session, threads.get(session, thread), kind="send", by=world.ada.id)
    assert main(["user", "erase", "ada", "--yes"]) == 1
    assert capsys.readouterr().err == "An answer for ada is under way; stop it first.\n"
