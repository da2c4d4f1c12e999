"""Prints how long the server takes for a page of everybody's threads, among a hundred thousand of them (SQLite)."""

import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy.orm import Session

from chat_app.data import agents, oversight, sql, users
from chat_app.data.db import Database
from chat_app.data.migrate import upgrade
from chat_app.data.oversight import Wanted
from chat_app.data.records import AgentRecord, ThreadMark, ThreadRecord, UserRecord
from chat_app.data.tables import Thread, table_of
from chat_app.data.threads import Place

MANY = 100_000
PEOPLE = 100
MARKS: tuple[ThreadMark, ...] = ("", "", "", "", "running", "waiting", "failed")
NOW = datetime(2030, 1, 1, tzinfo=UTC)
LIMIT_MS = 150


def main() -> None:
    """Print a line per question."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'parley.db'}")
        upgrade(database)
        with database.transaction() as session:
            _fill(session)
        print(f"a page of {MANY:,} threads        ms  (limit {LIMIT_MS})")
        for name, wanted, before in _questions():
            print(f"{name:<28}{_took(database, wanted, before):8.1f}")
        database.dispose()


def _questions() -> tuple[tuple[str, Wanted, Place | None], ...]:
    middle = Place(NOW - timedelta(minutes=MANY // 2), "")
    return (
        ("first page", Wanted(), None),
        ("page in the middle", Wanted(), middle),
        ("of one person", Wanted(owner="u7"), None),
        ("with an agent", Wanted(agent="a"), None),
        ("failed ones", Wanted(mark="failed"), None),
        ("words in the title", Wanted(words="thread 777"), None),
        ("words that are nowhere", Wanted(words="nowhere"), None),
        ("with a tool nobody called", Wanted(tool="refund"), None),
    )


def _took(database: Database, wanted: Wanted, before: Place | None) -> float:
    began = time.perf_counter()
    with database.reading() as session:
        oversight.page(session, wanted, before=before, limit=51)
    return (time.perf_counter() - began) * 1000


def _fill(session: Session) -> None:
    for number in range(PEOPLE):
        name = f"u{number}"
        users.create(session, UserRecord(id=name, name=name, display_name=name, created=NOW))
    agents.create(session, AgentRecord(id="a", name="A", url="http://agent", created=NOW, updated=NOW))
    sql.add(session, table_of(Thread), [_thread(number) for number in range(MANY)])


def _thread(number: int) -> ThreadRecord:
    return ThreadRecord(
        id=f"t{number:06}",
        owner=f"u{number % PEOPLE}",
        agent="a",
        wire_id=f"t{number}",
        title=f"Thread {number}",
        mark=MARKS[number % len(MARKS)],
        created=NOW,
        updated=NOW - timedelta(minutes=number),
    )


if __name__ == "__main__":
    main()
