"""How an exchange comes to be: its one row per thread, its run and the acts it starts from, in one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from ag_ui.core import UserMessage
from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import LocalMessage, TranscriptReducer
from chat_app.data import (
    attachments,
    decisions,
    events,
    exchanges,
    interrupts,
    messages,
    runs,
    threads,
    users,
)
from chat_app.data.errors import ThreadGone
from chat_app.data.records import (
    AttachmentRecord,
    DecisionRecord,
    EventRecord,
    ExchangeKind,
    ExchangeRecord,
    MessageRecord,
    RunRecord,
    ThreadRecord,
)
from chat_app.services import questions
from chat_app.services.attachments import part_of
from chat_app.services.content import Content, content_of
from chat_app.services.eventlog import USER_MESSAGE
from chat_app.services.problems import Crowded, TooManyRuns
from chat_app.services.rates import Rates
from chat_app.services.supervisor import Launch

LEASE = timedelta(seconds=10)
STARTED_BY_HAND = frozenset({"send", "retry"})
"""Kinds of exchanges that a person starts at once; a resume is limited as a decision, a queued line by its queue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How many answers may be under way at once, for one person and in one process."""

    per_user: int = 20
    per_process: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Opener:
    """Opens exchanges for this worker."""

    worker: str
    now: Callable[[], datetime]
    new_id: Callable[[], str]
    limits: Limits = Limits()
    rates: Rates = field(default_factory=Rates)

    def open(self, session: Session, thread: ThreadRecord, *, kind: ExchangeKind, by: str) -> RunRecord:
        """Open an exchange with its first run, which carries the answers that are still owed.

        Raises:
            ThreadBusy: the thread has a live exchange.
            TooManyRuns, Crowded: the person, or this process, has as many as it may.
            TooFast: the person starts too many one after the other.
        """
        if kind in STARTED_BY_HAND:
            self.rates.hit("run", by)
        self._count(session, by)
        now = self.now()
        exchange = ExchangeRecord(
            id=self.new_id(),
            thread=thread.id,
            kind=kind,
            by=by,
            worker_id=self.worker,
            lease_until=now + LEASE,
            started=now,
        )
        exchanges.start(session, exchange)
        number = runs.next_number(session, thread.id)
        run = RunRecord(
            id=self.new_id(),
            exchange=exchange.id,
            thread=thread.id,
            wire_run_id=f"{thread.wire_id}-run-{number}",
            started=now,
            branch=thread.branch,
        )
        owed = decisions.owed(session, thread.id)
        runs.create(session, run)
        decisions.set_resume_run(session, [answer.id for answer in owed], resume_run=run.id)
        for answer in owed:
            self._write_down(session, answer, run, by)
        threads.change(session, thread.id, mark="running", updated=now)
        return run

    def _write_down(self, session: Session, answer: DecisionRecord, run: RunRecord, by: str) -> None:
        """Note for ever that a decision is on its way to the agent."""
        asked = interrupts.get(session, answer.interrupt)
        assert asked is not None, "an answer keeps its question"
        more: dict[str, JsonValue] = {
            "decision": answer.id,
            "carrier": run.id,
            "digest": questions.digest_of(asked, answer),
        }
        questions.note(session, asked, "resume", actor=by, at=run.started, more=more)

    def _count(self, session: Session, by: str) -> None:
        users.lock(session, by)
        if exchanges.alive(session, by=by) >= self.limits.per_user:
            raise TooManyRuns
        if exchanges.alive(session, worker_id=self.worker) >= self.limits.per_process:
            raise Crowded

    def say(
        self,
        session: Session,
        thread_id: str,
        run: RunRecord,
        text: str,
        *,
        files: Sequence[AttachmentRecord] = (),
    ) -> None:
        """Append a person's line to the log and to the transcript of a thread whose exchange was just opened.

        `files` go with it, and are the thread's from now on.
        """
        thread = threads.get(session, thread_id)
        if thread is None:
            raise ThreadGone
        now, seq = self.now(), threads.reserve(session, thread_id)
        wire_id = f"{thread.wire_id}-msg-{seq}"
        said: dict[str, JsonValue] = {"id": wire_id, "role": "user", "content": _content(text, files)}
        row = MessageRecord(
            id=self.new_id(),
            thread=thread_id,
            parent=thread.leaf,
            position=seq,
            key=wire_id,
            wire_id=wire_id,
            role="user",
            content=_drawn(said),
            run=run.id,
            created=now,
            updated=now,
            branch=run.branch,
        )
        self._append(session, run, seq, USER_MESSAGE, said)
        messages.upsert(session, [row])
        attachments.send(session, [file.id for file in files], thread=thread_id, message=row.id)
        threads.change(session, thread_id, leaf=row.id)

    def note(self, session: Session, run: RunRecord, act: str, payload: JsonValue) -> None:
        """Append an act of ours to the log of a run's thread."""
        self._append(session, run, threads.reserve(session, run.thread), act, payload)

    def _append(self, session: Session, run: RunRecord, seq: int, act: str, payload: JsonValue) -> None:
        record = EventRecord(thread=run.thread, seq=seq, run=run.id, type=act, payload=payload, at=self.now())
        events.append(session, [record])


def _content(text: str, files: Sequence[AttachmentRecord]) -> JsonValue:
    """Return a line as AG-UI has it: a text, or with files a list of parts."""
    if not files:
        return text
    words: list[JsonValue] = [{"type": "text", "text": text}] if text else []
    return [*words, *map(part_of, files)]


def _drawn(said: dict[str, JsonValue]) -> Content:
    """Return a line as its row holds it, which is what folding the log gives."""
    reducer = TranscriptReducer()
    reducer.apply(LocalMessage(UserMessage.model_validate(said)))
    return content_of(reducer.message(str(said["id"])), {})


def launch_of(run: RunRecord, thread: ThreadRecord) -> Launch:
    """Return what the supervisor needs to start an exchange that was opened with `run`."""
    return Launch(exchange=run.exchange, thread=thread.id, owner=thread.owner)
