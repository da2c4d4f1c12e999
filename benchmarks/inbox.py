"""How long the first page of an inbox takes on the server, with ten thousand questions waiting.

python benchmarks/inbox.py [--questions 10000] [--database sqlite:///…]
"""

import argparse
import asyncio
import statistics
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter

from pydantic import SecretStr

from chat_app import wiring
from chat_app.data import agents, exchanges, interrupts, runs, threads, users
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.migrate import upgrade
from chat_app.data.records import (
    AgentRecord,
    ExchangeRecord,
    InterruptRecord,
    RunRecord,
    ThreadRecord,
    UserRecord,
)
from chat_app.services.inbox import Inbox, Query
from chat_app.services.policy import Person
from chat_app.settings import Settings

ROUNDS = 30
LIMIT_MS = 150
TOOLS = ("issue_refund", "send_mail", "delete_records", "reserve_stock")
NOW = datetime.now(UTC)
POLICY = {
    "decide": [
        {"tool": "issue_refund", "where": [{"at": "/amount", "is": ">", "value": 500}], "by": "two"},
        {"by": "other", "roles": ["approver"]},
    ]
}


def fill(database: Database, count: int) -> Person:
    """Store `count` waiting questions of a hundred people, and return an approver."""
    with database.transaction() as session:
        agent = AgentRecord(
            id=new_id(),
            name="Desk",
            url="http://agent",
            policy=POLICY,
            builtin=True,
            created=NOW,
            updated=NOW,
        )
        agent = agents.ensure_builtin(session, agent)
        people = [
            users.ensure(
                session,
                UserRecord(id=new_id(), name=f"p{n}", display_name=f"P {n}", roles=("user",), created=NOW),
            )
            for n in range(100)
        ]
        approver = UserRecord(id=new_id(), name="a", display_name="A", roles=("approver",), created=NOW)
        approver = users.ensure(session, approver)
        for number in range(count):
            _ask(session, people[number % 100].id, agent.id, number)
    return Person(approver.id, "A", approver.roles)


def _ask(session, owner: str, agent: str, number: int) -> None:
    at = NOW - timedelta(seconds=number)
    thread, exchange, run = new_id(), new_id(), new_id()
    row = ThreadRecord(id=thread, owner=owner, agent=agent, wire_id=thread, created=at, updated=at)
    threads.create(session, row)
    opened = ExchangeRecord(
        id=exchange, thread=thread, kind="send", by=owner, worker_id="w", lease_until=at, started=at, ended=at
    )
    exchanges.start(session, opened)
    ended = RunRecord(
        id=run,
        exchange=exchange,
        thread=thread,
        wire_run_id=run,
        status="interrupted",
        started=at,
        ended=at,
    )
    runs.create(session, ended)
    asked = InterruptRecord(
        id=new_id(),
        thread=thread,
        run=run,
        wire_id="q",
        position=2,
        reason="tool_call",
        message=f"Refund order {number}?",
        tool_call="c",
        tool_name=TOOLS[number % len(TOOLS)],
        args=f'{{"order": {number % 50}, "amount": {number}}}',
        args_digest=f"{number % 50:064d}",
        expires_at=NOW + timedelta(seconds=number + 60),
        created=at,
    )
    interrupts.add(session, [asked])


async def measure(inbox: Inbox, person: Person) -> float:
    """Return the slowest of the medians of several ways to open the inbox, in milliseconds."""
    slowest = 0.0
    for query in (
        Query(),
        Query(sort="expiry"),
        Query(tab="assigned"),
        Query(tool="send_mail", age="hour"),
        Query(tab="decided"),
    ):
        times = []
        for _ in range(ROUNDS):
            begun = perf_counter()
            page = await inbox.page(person, query)
            times.append((perf_counter() - begun) * 1000)
        middle = statistics.median(times)
        slowest = max(slowest, middle)
        print(
            f"{query.tab:9} sort={query.sort:7} tool={query.tool or '-':10} "
            f"{len(page.questions):3} shown of {page.all}: {middle:6.1f} ms, worst {max(times):6.1f} ms"
        )
    return slowest


def main() -> int:
    """Print the figures; 1 when the slowest median is over the limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--questions", type=int, default=10_000)
    parser.add_argument("--database", default="")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = asked.database or f"sqlite:///{Path(folder) / 'inbox.db'}"
        settings = Settings(data_dir=Path(folder), database_url=SecretStr(url))
        upgrade(Database(url))
        services = wiring.build(settings)
        person = fill(Database(url), asked.questions)
        begun = perf_counter()
        asyncio.run(services.inbox.page(person, Query()))
        print(f"judging {asked.questions} anew: {perf_counter() - begun:.1f} s")
        slowest = asyncio.run(measure(services.inbox, person))
    print(f"slowest median {slowest:.1f} ms, limit {LIMIT_MS} ms")
    return int(slowest > LIMIT_MS)


if __name__ == "__main__":
    raise SystemExit(main())
