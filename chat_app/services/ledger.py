"""What the supervisor and the journal ask of SQL: each function here is one transaction, run in a worker thread."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import structlog
from pydantic import JsonValue
from sqlalchemy.exc import StatementError
from sqlalchemy.orm import Session

from chat_app.data import (
    agents,
    branches,
    decisions,
    events,
    exchanges,
    interrupts,
    messages,
    runs,
    threads,
    tool_calls,
)
from chat_app.data.db import Database
from chat_app.data.errors import ThreadGone
from chat_app.data.faults import passing_trouble
from chat_app.data.records import (
    AgentRecord,
    DecisionRecord,
    ExchangeRecord,
    InterruptRecord,
    MessageRecord,
    RunRecord,
    ThreadRecord,
)
from chat_app.services import eventlog, questions
from chat_app.services.agents import Peer
from chat_app.services.answers import call_answers, entries_of, interrupt_of
from chat_app.services.batch import Batch, ClosedRun
from chat_app.services.content import Span, Spans, as_stored
from chat_app.services.exchange import SERVER_RESTART, Work
from chat_app.services.judging import place
from chat_app.services.openings import LEASE
from chat_app.services.recorder import Ground, Place
from chat_app.services.states import Moment, keep
from chat_app.services.supervisor import Launch
from chat_app.services.telling import Tell, nobody
from chat_app.services.two_people import LETS_HAPPEN
from chat_app.services.views import read_context

_log = structlog.get_logger(__name__)

ENDINGS = frozenset({"RUN_FINISHED", "RUN_ERROR"})
REMEMBERED = 50
"""How many of the newest messages keep the times of their parts when a later run adds to them."""


@dataclass(frozen=True, slots=True)
class SqlLedger:
    """The ledger of one worker."""

    database: Database
    worker: str
    now: Callable[[], datetime]
    peer: Callable[[AgentRecord], Peer]
    tell: Tell = nobody

    # ------------------------------------------------------------ for the supervisor

    def load(self, exchange_id: str) -> Work:
        """Return what an exchange has to do.

        Raises:
            ThreadGone: the exchange or its thread was deleted.
            BadEvent: the log holds an entry this version cannot read.
        """
        with self.database.reading() as session:
            exchange, thread, run = _subject(session, exchange_id)
            log = events.of_path(session, thread.id, branches.path(session, thread.id))
            answers = decisions.carried(session, run.id)
            asked = _asked(session, answers, thread.id)
            ground = _ground(session, exchange, thread, run)
            agent = agents.get(session, thread.agent)
        assert agent is not None, "a thread keeps its agent from being deleted"
        # a tool of ours that a person was asked by is known until they answered, whatever is offered now
        asked_by = {one.tool_name for one in asked if one.kind == "ask" and one.tool_name}
        agent = replace(agent, tools=(*agent.tools, *sorted(asked_by - set(agent.tools))))
        return Work(
            ground=ground,
            kind=exchange.kind,
            wire_thread=thread.wire_id,
            log=[entry for record in log for entry in eventlog.entries(record)],
            pending=tuple(interrupt_of(one) for one in asked if one.kind == "interrupt"),
            entries=entries_of(asked, answers, now=self.now()) if answers else (),
            finished=any(record.run == run.id and record.type in ENDINGS for record in log),
            peer=self.peer(agent),
            calls=call_answers(asked, answers) if answers else (),
            stopping=exchange.stop_requested_at is not None,
        )

    def renew(self, exchange_ids: Sequence[str]) -> tuple[frozenset[str], list[str]]:
        """Renew the leases of this worker's exchanges; return which it still holds, and which are to stop."""
        if not exchange_ids:
            return frozenset(), []
        with self.database.transaction() as session:
            held = exchanges.renew(
                session, exchange_ids, worker_id=self.worker, lease_until=self.now() + LEASE
            )
            found = [exchanges.get(session, exchange_id) for exchange_id in held]
        return held, [one.id for one in found if one is not None and one.stop_requested_at is not None]

    def orphans(self, *, everything: bool) -> list[Launch]:
        """Take over exchanges whose worker is gone: those whose lease is over, or all that are open.

        Those of deleted threads are closed here; nobody looks at how.
        """
        now = self.now()
        with self.database.transaction() as session:
            seen = exchanges.live(session) if everything else exchanges.expired(session, now=now)
            taken = [one for one in seen if self._take(session, one, now)]
            return [launch for one in taken for launch in self._launches(session, one)]

    def fail(self, exchange_id: str) -> None:
        """Close an exchange that can be neither read nor written, so that its thread is free again."""
        with self.database.transaction() as session:
            self._fail(session, exchange_id)

    # ------------------------------------------------------------ for the journal

    def write(self, batches: list[Batch]) -> list[str]:
        """Write batches in order; return the exchanges that are not ours any more or were refused for good.

        Raises:
            DataError: the database is away, busy or full; nothing was written.
        """
        with self.database.transaction() as session:
            ours = exchanges.held(session, [batch.exchange for batch in batches], worker_id=self.worker)
            return [batch.exchange for batch in batches if not self._write(session, batch, ours)]

    def _write(self, session: Session, batch: Batch, ours: frozenset[str]) -> bool:
        if batch.exchange not in ours:
            return False
        try:
            with session.begin_nested():
                write_batch(session, batch, worker=self.worker, tell=self.tell)
        except (StatementError, ValueError, RecursionError) as error:
            # the last two are what a driver says of JSON that it cannot write
            if (passing := passing_trouble(error)) is not None:
                raise passing from error
            _log.exception("batch_refused", exchange=batch.exchange)
            return False
        return True

    def _launches(self, session: Session, exchange: ExchangeRecord) -> list[Launch]:
        thread = threads.get(session, exchange.thread)
        if thread is not None:
            return [Launch(exchange.id, thread.id, thread.owner)]
        self._fail(session, exchange.id)
        return []

    def _fail(self, session: Session, exchange_id: str) -> None:
        now = self.now()
        if not exchanges.end(session, exchange_id, worker_id=self.worker, now=now):
            return
        for run in runs.running_of(session, exchange_id):
            note = threads.reserve(session, run.thread)
            runs.finish(
                session, run.id, status="failed", ended=now, error_code=SERVER_RESTART, note_position=note
            )
            threads.change(session, run.thread, mark="failed")

    def _take(self, session: Session, seen: ExchangeRecord, now: datetime) -> bool:
        return exchanges.take_over(session, seen, worker_id=self.worker, lease_until=now + LEASE)


def write_batch(session: Session, batch: Batch, *, worker: str, tell: Tell = nobody) -> None:
    """Write one batch: what came first, first."""
    for run in batch.opened:
        runs.create(session, run)
    events.append(session, batch.events)
    if batch.removed:
        messages.drop(session, batch.thread, batch.removed)
    messages.upsert(session, batch.messages)
    spoken = [message.id for message in batch.messages if message.role != "user"]
    if spoken:
        # a snapshot of the agent's may take a call out of a message
        tool_calls.drop_others(session, spoken, batch.calls)
    tool_calls.upsert(session, batch.calls)
    for closed in batch.closed:
        runs.finish(
            session,
            closed.run,
            status=closed.status,
            ended=closed.at,
            error_code=closed.error_code,
            error_message=closed.error_message,
            usage=closed.usage,
            diagnostics=closed.diagnostics,
            note_position=closed.note_position,
        )
        interrupts.add(session, closed.interrupts)
        place(session, closed.interrupts)
    threads.advance(session, batch.thread, last_seq=batch.last_seq)
    threads.change(session, batch.thread, leaf=batch.leaf, updated=batch.at)
    if batch.state is not None:
        _keep_state(session, batch, batch.state[0])
        threads.change(session, batch.thread, state=batch.state[0], state_seen=True)
    if batch.mark is not None:
        threads.change(session, batch.thread, mark=batch.mark)
        exchanges.end(session, batch.exchange, worker_id=worker, now=batch.at)
    for closed in batch.closed:
        _write_down(session, closed)
        for question in closed.interrupts:
            tell(session, "asked", question)


def _write_down(session: Session, closed: ClosedRun) -> None:
    """Note for ever what a run asked, and what became of the decisions it carried."""
    for question in closed.interrupts:
        questions.note(session, question, "propose", actor=None, at=question.created)
    for answer in decisions.carried(session, closed.run):
        asked = interrupts.get(session, answer.interrupt)
        assert asked is not None, "an answer keeps its question"
        went_well = closed.status in ("success", "interrupted")
        act = ("execute" if answer.kind in LETS_HAPPEN else "deliver") if went_well else "fail"
        more: dict[str, JsonValue] = {
            "decision": answer.id,
            "carrier": closed.run,
            "status": closed.status,
            "digest": questions.digest_of(asked, answer),
        }
        questions.note(session, asked, act, actor=None, at=closed.at, more=more)


def _keep_state(session: Session, batch: Batch, state: JsonValue) -> None:
    ended = runs.get(session, batch.closed[-1].run) if batch.closed else None
    moment = Moment(
        thread=batch.thread,
        seq=batch.last_seq,
        branch=ended.branch if ended is not None else 0,
        run=ended.id if ended is not None else None,
        at=batch.at,
    )
    keep(session, state, moment)


def _subject(session: Session, exchange_id: str) -> tuple[ExchangeRecord, ThreadRecord, RunRecord]:
    exchange = exchanges.get(session, exchange_id)
    thread = threads.get(session, exchange.thread) if exchange else None
    running = runs.running_of(session, exchange_id)
    if exchange is None or thread is None or not running:
        raise ThreadGone
    return exchange, thread, running[-1]


def _ground(session: Session, exchange: ExchangeRecord, thread: ThreadRecord, run: RunRecord) -> Ground:
    drawn = messages.of_thread(session, thread.id)
    return Ground(
        exchange=exchange.id,
        run=run,
        last_seq=thread.last_seq,
        leaf=thread.leaf,
        places={message.key: _place(message) for message in drawn},
        spans=_spans(drawn[-REMEMBERED:]),
        context=read_context(session, thread.id, drawn[-REMEMBERED:], live_run=run.id),
    )


def _place(message: MessageRecord) -> Place:
    return Place(
        id=message.id,
        position=message.position,
        created=message.created,
        parent=message.parent,
        run=message.run,
    )


def _spans(drawn: Iterable[MessageRecord]) -> Spans:
    return {
        (message.key, str(part["key"])): Span(str(part.get("started", "")), str(part.get("ended", "")))
        for message in drawn
        for part in map(as_stored, message.content)
    }


def _asked(session: Session, answers: Sequence[DecisionRecord], thread: str) -> list[InterruptRecord]:
    """Return the questions the answers belong to, with those of the same run that expired."""
    first = next((interrupts.get(session, answer.interrupt) for answer in answers), None)
    if first is not None:
        return list(interrupts.of_run(session, first.run))
    return list(interrupts.unsealed(session, thread))
