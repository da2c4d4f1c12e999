"""Prints how long the server takes for pages of what admins look back on, among a hundred thousand rows (SQLite)."""

import asyncio
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy.orm import Session

from chat_app.data import agents, audit, oversight, sql, users
from chat_app.data.audit import Sought
from chat_app.data.db import Database
from chat_app.data.migrate import upgrade
from chat_app.data.oversight import Wanted
from chat_app.data.records import (
    AgentRecord,
    AuditRecord,
    ExchangeRecord,
    MessageRecord,
    RunRecord,
    SearchEntryRecord,
    ThreadMark,
    ThreadRecord,
    ToolCallRecord,
    UserRecord,
)
from chat_app.data.tables import Audit, Exchange, Message, Run, SearchEntry, Thread, ToolCall, table_of
from chat_app.data.threads import Place
from chat_app.services.policy import Person, Policy
from chat_app.services.usage import Usage

MANY = 100_000
PEOPLE = 100
MARKS: tuple[ThreadMark, ...] = ("", "", "", "", "running", "waiting", "failed")
NOW = datetime(2030, 1, 1, tzinfo=UTC)
LIMIT_MS = 150
DAYS = 30


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
        print(f"a page of {MANY:,} entries        ms")
        for name, sought in _sought():
            print(f"{name:<28}{_found(database, sought):8.1f}")
        print(f"usage of {DAYS} days, {MANY:,} runs{_counted(database):9.1f}")
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
        ("with a tool all called", Wanted(tool="search"), None),
        ("words in messages", Wanted(texts=("order", "77777")), None),
        ("words in no message", Wanted(texts=("nowhere",)), None),
    )


def _took(database: Database, wanted: Wanted, before: Place | None) -> float:
    began = time.perf_counter()
    with database.reading() as session:
        found = oversight.page(session, wanted, before=before, limit=51)
        oversight.holds(session, [one.id for one in found])
    return (time.perf_counter() - began) * 1000


def _sought() -> tuple[tuple[str, Sought], ...]:
    return (
        ("newest", Sought()),
        ("of one person", Sought(actor="u7")),
        ("of one thread", Sought(thread="t000007")),
        ("with a tool nobody called", Sought(tool="refund")),
        ("what failed, which nothing did", Sought(actions=("question.fail",))),
        ("of an agent all talk to", Sought(agent="a")),
        ("of an agent nobody talks to", Sought(agent="b")),
    )


def _found(database: Database, sought: Sought) -> float:
    began = time.perf_counter()
    with database.reading() as session:
        audit.newest(session, sought, limit=101)
    return (time.perf_counter() - began) * 1000


def _counted(database: Database) -> float:
    usage = Usage(database, Policy(), now=lambda: NOW)
    began = time.perf_counter()
    asyncio.run(usage.report(Person("u0", "Admin", ("admin",))))
    return (time.perf_counter() - began) * 1000


def _fill(session: Session) -> None:
    for number in range(PEOPLE):
        name = f"u{number}"
        users.create(session, UserRecord(id=name, name=name, display_name=name, created=NOW))
    agents.create(session, AgentRecord(id="a", name="A", url="http://agent", created=NOW, updated=NOW))
    everything = range(MANY)
    sql.add(session, table_of(Thread), [_thread(number) for number in everything])
    sql.add(session, table_of(Exchange), [_exchange(number) for number in everything])
    sql.add(session, table_of(Run), [_run(number) for number in everything])
    sql.add(session, table_of(Message), [_message(number) for number in everything])
    sql.add(session, table_of(ToolCall), [_call(number) for number in everything])
    sql.add(session, table_of(SearchEntry), [_entry(number) for number in everything])
    sql.add(session, table_of(Audit), [_act(number) for number in everything])


def _at(number: int) -> datetime:
    """Return when the thread of a number was used: all within the days that usage is counted for."""
    return NOW - timedelta(days=DAYS - 1) * number / MANY


def _exchange(number: int) -> ExchangeRecord:
    return ExchangeRecord(
        id=f"e{number}",
        thread=f"t{number:06}",
        kind="send",
        by=f"u{number % PEOPLE}",
        worker_id="w",
        lease_until=NOW,
        started=_at(number),
        ended=NOW,
    )


def _run(number: int) -> RunRecord:
    return RunRecord(
        id=f"r{number}",
        exchange=f"e{number}",
        thread=f"t{number:06}",
        wire_run_id="r",
        status="success",
        usage=[{"model": "m", "inputTokens": 100, "outputTokens": number % 50}],
        started=_at(number),
        ended=NOW,
    )


def _message(number: int) -> MessageRecord:
    return MessageRecord(
        id=f"m{number}",
        thread=f"t{number:06}",
        position=1,
        key="k",
        wire_id="k",
        role="assistant",
        content=[],
        run=f"r{number}",
        created=NOW,
        updated=NOW,
    )


def _call(number: int) -> ToolCallRecord:
    return ToolCallRecord(id=f"c{number}", message=f"m{number}", wire_id="c", name="search", started=NOW)


def _entry(number: int) -> SearchEntryRecord:
    text = f"where is order {number}? " + "it left the house this morning and is on its way to you. " * 8
    owner, thread = f"u{number % PEOPLE}", f"t{number:06}"
    return SearchEntryRecord(
        id=f"m{number}", owner=owner, thread=thread, message=f"m{number}", at=NOW, folded=text
    )


def _act(number: int) -> AuditRecord:
    """Return an entry as far as it is looked for; nobody compares these with their hashes."""
    return AuditRecord(
        seq=number + 1,
        at=_at(number),
        actor=f"u{number % PEOPLE}",
        action="question.approve",
        object=f"interrupt:i{number}",
        reason="",
        detail={"thread": f"t{number:06}", "run": f"r{number}", "tool": "search", "digest": "d" * 64},
        previous="",
        hash=str(number),
    )


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
