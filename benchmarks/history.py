"""Fills a thread with a past, as if its exchanges had been lived: runs, log entries and drawn rows, all folded alike.

Rows come in pairs, a person's line and an answer of some 450 characters with a list, code or a table. They are
written through the repositories, and the drawn rows are what the transcript reducer makes of the log.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from ag_ui.core import (
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from sqlalchemy.orm import Session

from chat_app.agui import Event, LocalMessage, LogEntry, TranscriptReducer, UserMessage
from chat_app.data import agents, events, exchanges, messages, runs, threads, users
from chat_app.data.db import Database
from chat_app.data.ids import new_id
from chat_app.data.records import EventRecord, ExchangeRecord, MessageRecord, RunRecord, ThreadRecord
from chat_app.services.accounts import LOCAL_NAME
from chat_app.services.content import Spans, content_of, note_times
from chat_app.services.eventlog import USER_MESSAGE, stored

STEP = timedelta(seconds=20)
QUESTION = "Question {number}: which of the suppliers delivered on time, and what does it cost us?"
OPENING = (
    "Here is what the records say for question {number}. **Two of the three suppliers** delivered on time; the third "
    "was late twice and has been asked to explain itself, which it did in a letter we have on file. "
)
LIST = (
    "\n\n- Northwind: 14 orders, none late\n- Contoso: 9 orders, none late\n- Fabrikam: 11 orders, two late by "
    "*four days* each\n\nThe contract allows one late order a quarter, see `terms.md`, section 7.\n"
)
CODE = (
    "\n\n```python\nlate = [order for order in orders if order.arrived > order.promised]\nprint(len(late), "
    "sum(order.cost for order in late))\n```\n\nRun it on the export of last week to see the same two orders.\n"
)
TABLE = (
    "\n\n| Supplier | Orders | Late | Cost |\n|---|---|---|---|\n| Northwind | 14 | 0 | 12,400 |\n| Contoso | 9 | 0 | "
    "8,150 |\n| Fabrikam | 11 | 2 | 9,900 |\n\nThe costs are without tax.\n"
)
ENDINGS = (LIST, CODE, TABLE)


@dataclass(slots=True)
class Past:
    """One thread in the making: its counter, the newest row, and the reducer that draws it."""

    session: Session
    thread: str
    owner: str
    now: datetime
    seq: int = 0
    leaf: str | None = None
    reducer: TranscriptReducer = field(default_factory=TranscriptReducer)
    rows: list[MessageRecord] = field(default_factory=list)
    log: list[EventRecord] = field(default_factory=list)

    def live(self, number: int) -> None:
        """Live through one exchange: a line and its answer."""
        exchange, run = new_id(), new_id()
        self._open(exchange, run, number)
        line = UserMessage(id=f"{self.thread}-msg-{self.seq + 1}", content=QUESTION.format(number=number))
        self._fold(run, LocalMessage(line), act=USER_MESSAGE)
        self._draw(run, line.id, self.seq)
        for event in _answer(self.thread, f"{self.thread}-run-{number}", number):
            self._fold(run, event)
        self._draw(run, f"{self.thread}-answer-{number}", self._next())
        self.now += STEP

    def write(self) -> None:
        """Write the log and the drawn rows, and bring the thread's row in line."""
        events.append(self.session, self.log)
        messages.upsert(self.session, self.rows)
        threads.advance(self.session, self.thread, last_seq=self.seq)
        threads.change(self.session, self.thread, leaf=self.leaf, updated=self.now)

    def _open(self, exchange: str, run: str, number: int) -> None:
        span = {"started": self.now, "ended": self.now + STEP}
        lived = ExchangeRecord(
            id=exchange,
            thread=self.thread,
            kind="send",
            by=self.owner,
            worker_id=new_id(),
            lease_until=self.now,
            **span,
        )
        exchanges.start(self.session, lived)
        wire = f"{self.thread}-run-{number}"
        done = RunRecord(
            id=run, exchange=exchange, thread=self.thread, wire_run_id=wire, status="success", **span
        )
        runs.create(self.session, done)

    def _next(self) -> int:
        self.seq += 1
        return self.seq

    def _fold(self, run: str, entry: LogEntry, *, act: str = "") -> None:
        self.reducer.apply(entry)
        kind, payload = stored(entry)
        self.log.append(
            EventRecord(
                thread=self.thread, seq=self._next(), run=run, type=act or kind, payload=payload, at=self.now
            )
        )

    def _draw(self, run: str, key: str, position: int) -> None:
        drawn, spans = self.reducer.message(key), Spans()
        note_times(spans, drawn, self.now.isoformat())
        row = MessageRecord(
            id=new_id(),
            thread=self.thread,
            parent=self.leaf,
            position=position,
            key=drawn.key,
            wire_id=drawn.wire_id,
            role=drawn.role,
            content=content_of(drawn, spans),
            run=run,
            created=self.now,
            updated=self.now,
        )
        self.rows.append(row)
        self.leaf = row.id


def fill(database: Database, rows: int) -> str:
    """Store a thread of this many rows for the local user; returns its id."""
    now, thread = datetime.now(UTC), new_id()
    begun = now - STEP * (rows // 2 + 1)
    with database.transaction() as session:
        owner, agent = users.named(session, LOCAL_NAME), agents.enabled(session)[0]
        assert owner is not None, "the server makes the local user when it starts"
        record = ThreadRecord(
            id=thread,
            owner=owner.id,
            agent=agent.id,
            wire_id=thread,
            title=f"{rows:,} rows",
            created=begun,
            updated=begun,
        )
        threads.create(session, record)
        past = Past(session, thread, owner.id, begun)
        for number in range(1, rows // 2 + 1):
            past.live(number)
        past.write()
    return thread


def newest_words(rows: int) -> str:
    """Return the words by which the newest row of a thread of this many rows is known."""
    return f"for question {rows // 2}."


def _answer(thread: str, run: str, number: int) -> Iterator[Event]:
    message = f"{thread}-answer-{number}"
    text = OPENING.format(number=number) + ENDINGS[number % len(ENDINGS)]
    yield RunStartedEvent(thread_id=thread, run_id=run)
    yield TextMessageStartEvent(message_id=message, role="assistant")
    yield TextMessageContentEvent(message_id=message, delta=text)
    yield TextMessageEndEvent(message_id=message)
    yield RunFinishedEvent(thread_id=thread, run_id=run, outcome=RunFinishedSuccessOutcome())
