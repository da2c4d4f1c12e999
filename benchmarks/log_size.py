"""How much room a conversation takes: bytes of the log, of the rows and of the file per 1,000 tokens.

Each is measured on a SQLite file of its own, with answers of 1,000 tokens (a word each) that arrive
one word an event, at 100 a second: 22 events a commit with the default of 220 ms.
"""

import asyncio
import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from chat_app.agui import TranscriptReducer, parse_stored
from chat_app.data import agents, exchanges, runs, threads, users
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.migrate import upgrade
from chat_app.data.records import AgentRecord, ExchangeRecord, RunRecord, ThreadRecord, UserRecord
from chat_app.services.batch import ClosedRun
from chat_app.services.hub import Channel
from chat_app.services.ledger import write_batch
from chat_app.services.live import LiveThread
from chat_app.services.projection import Context
from chat_app.services.recorder import Ground, Recorder
from chat_app.services.rows import View

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANSWERS, TOKENS, PER_COMMIT = 20, 1000, 25
SENTENCE = "an answer is made of words which are of many lengths and come one after the other"
WORDS = SENTENCE.split(" ")


def spoken(run: str, number: int, *, raw: bool) -> dict:
    word = WORDS[number % len(WORDS)]
    event = {"type": "TEXT_MESSAGE_CONTENT", "messageId": f"m-{run}", "delta": f"{word} "}
    copy = {"rawEvent": {"chunk": {"id": f"chatcmpl-{run}", "index": number, "delta": word}}}
    return {**event, **copy} if raw else event


def stream(run: str, *, raw: bool) -> list[dict]:
    base = {"threadId": "t", "runId": run}
    said = [spoken(run, number, raw=raw) for number in range(TOKENS)]
    opened = {"type": "TEXT_MESSAGE_START", "messageId": f"m-{run}", "role": "assistant"}
    closed = {"type": "TEXT_MESSAGE_END", "messageId": f"m-{run}"}
    return [{"type": "RUN_STARTED", **base}, opened, *said, closed, {"type": "RUN_FINISHED", **base}]


def written(database: Database, *, raw: bool) -> None:
    with database.transaction() as session:
        user = UserRecord(id=new_id(), name="u", display_name="U", created=NOW)
        users.ensure(session, user)
        agent = AgentRecord(id=new_id(), name="a", url="http://a", builtin=True, created=NOW, updated=NOW)
        agents.ensure_builtin(session, agent)
        thread = ThreadRecord(
            id=new_id(), owner=user.id, agent=agent.id, wire_id="t", created=NOW, updated=NOW
        )
        threads.create(session, thread)
    reducer, last_seq, leaf = TranscriptReducer(), 0, None
    for number in range(ANSWERS):
        last_seq, leaf = answer(database, thread, user, reducer, (number, last_seq, leaf), raw=raw)


def answer(database, thread, user, reducer, start, *, raw: bool):
    number, last_seq, leaf = start
    exchange = ExchangeRecord(
        id=new_id(), thread=thread.id, kind="send", by=user.id, worker_id="w", lease_until=NOW, started=NOW
    )
    run = RunRecord(
        id=new_id(), exchange=exchange.id, thread=thread.id, wire_run_id=f"t-run-{number}", started=NOW
    )
    with database.transaction() as session:
        exchanges.start(session, exchange)
        runs.create(session, run)
    ground = Ground(
        exchange=exchange.id, run=run, last_seq=last_seq, leaf=leaf, places={}, spans={}, context=Context()
    )
    channel = Channel(LiveThread("t", "e", View()), lambda: 0.0)
    recorder = Recorder(ground, reducer, channel, now=lambda: NOW, new_id=new_id, raw=raw)
    for count, item in enumerate(stream(run.wire_run_id, raw=raw), 1):
        event = parse_stored(item)
        recorder.record(event, reducer.apply(event))
        if count % PER_COMMIT == 0:
            last_seq, leaf = flushed(database, recorder)
    recorder.close_run(ClosedRun(run=run.id, status="success", at=NOW + timedelta(seconds=10)))
    recorder.end("", None)
    return flushed(database, recorder)


def flushed(database, recorder):
    batch = recorder.take()
    with database.transaction() as session:
        write_batch(session, batch, worker="w")
    return batch.last_seq, batch.leaf


def measured(*, raw: bool) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'parley.db'}")
        upgrade(database)
        empty = pages(database)
        written(database, raw=raw)
        with database.reading() as session:
            connection = session.connection()
            log = connection.exec_driver_sql("SELECT sum(length(payload)), count(*) FROM run_event").one()
            rows = connection.exec_driver_sql("SELECT sum(length(content)) FROM message").scalar_one()
        size = pages(database) - empty
        database.dispose()
    return {
        "entries": log[1] // ANSWERS,
        "log": log[0] // ANSWERS,
        "rows": rows // ANSWERS,
        "file": size // ANSWERS,
    }


def pages(database: Database) -> int:
    with database.reading() as session:
        connection = session.connection()
        used = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        return used * connection.exec_driver_sql("PRAGMA page_size").scalar_one()


async def main() -> None:
    """Print the table; a recorder tells its channel, which wants a running loop."""
    text = sum(len(WORDS[n % len(WORDS)]) + 1 for n in range(TOKENS))
    print(f"per 1,000 tokens ({text} characters of text), in bytes:")
    for name, raw in (("as it is", False), ("PARLEY_STORE_RAW", True)):
        print(f"  {name:18} {json.dumps(measured(raw=raw))}")


if __name__ == "__main__":
    asyncio.run(main())
