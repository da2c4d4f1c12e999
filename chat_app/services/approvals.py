"""Answers to what agents ask: collected until every question of a run has one, then sealed once and sent once.

Until a run is sealed, an answer is a draft its author may change. The answer that completes the set seals the run by
a conditional update in the same transaction that opens the resuming exchange, so a double click, a second tab or a
replayed request finds it sealed and changes nothing.
"""

import asyncio
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import UsageError, misfit
from chat_app.data import decisions, interrupts, runs, threads
from chat_app.data.db import Database
from chat_app.data.errors import ThreadBusy
from chat_app.data.records import DecisionKind, DecisionRecord, InterruptRecord, ThreadRecord
from chat_app.services.answers import actions, entries_of, interrupt_of, is_over, response
from chat_app.services.eventlog import DECISION
from chat_app.services.openings import Opener, launch_of
from chat_app.services.policy import Action, Person, Policy
from chat_app.services.problems import Busy, DoesNotFit, Expired, Late, NotOffered, Restarting
from chat_app.services.supervisor import Launch, Supervisor
from chat_app.services.threads import Threads

KINDS: dict[str, DecisionKind] = {
    "approve": "approve",
    "reject": "reject",
    "respond": "respond",
    "cancel": "cancel",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said to a question: the kind of answer, and a note or, for `respond`, the response itself."""

    kind: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What a decision led to: the thread that changed, and the exchange to start when it was the last answer."""

    owner: str
    thread: str
    launch: Launch | None


class Approvals:
    """Decide what agents ask."""

    def __init__(
        self,
        database: Database,
        policy: Policy,
        opener: Opener,
        threads_service: Threads,
        supervisor: Supervisor,
    ) -> None:
        """Decide in `database`."""
        self._database = database
        self._policy = policy
        self._opener = opener
        self._threads = threads_service
        self._supervisor = supervisor

    async def decide(self, person: Person, interrupt_id: str, answer: Answer) -> str:
        """Commit an answer; the one that completes the run's questions starts exactly one resume.

        Returns the id of the thread.

        Raises:
            Late: the question is answered and sealed already; nothing changed.
            Expired, NotOffered, DoesNotFit, Busy, Restarting: as their names say; nothing changed.
            Refused: there is no such question for this person.
        """
        if self._supervisor.is_closing():
            raise Restarting
        outcome = await asyncio.to_thread(self._decide, person, interrupt_id, answer)
        try:
            await self._threads.changed(outcome.owner, outcome.thread)
        finally:
            # what was committed runs, whether or not anybody could be told
            if outcome.launch is not None:
                self._supervisor.launch(outcome.launch)
        return outcome.thread

    def _decide(self, person: Person, interrupt_id: str, answer: Answer) -> _Outcome:
        try:
            with self._database.transaction() as session:
                asked, thread = self._open_question(session, person, interrupt_id)
                self._record(session, person, asked, answer)
                launch = self._seal(session, person, asked, thread)
        except ThreadBusy as error:
            raise Busy from error
        return _Outcome(thread.owner, thread.id, launch)

    def _open_question(
        self, session: Session, person: Person, interrupt_id: str
    ) -> tuple[InterruptRecord, ThreadRecord]:
        found = interrupts.get(session, interrupt_id)
        thread = threads.get(session, found.thread) if found else None
        self._policy.require(person, Action.DECIDE, owner=thread.owner if thread else None)
        assert found is not None  # the policy lets nobody near what is not there
        assert thread is not None
        runs.lock(session, found.run)
        # read again under the lock: it may have been sealed while we waited
        asked = interrupts.get(session, interrupt_id)
        if asked is None or asked.status != "pending":
            raise Late
        return asked, thread

    def _record(self, session: Session, person: Person, asked: InterruptRecord, answer: Answer) -> None:
        kind = KINDS.get(answer.kind)
        if kind is None or kind not in actions(asked):
            raise NotOffered
        if kind != "cancel" and is_over(asked, self._opener.now()):
            raise Expired
        record = DecisionRecord(
            id=self._opener.new_id(),
            interrupt=asked.id,
            by=person.id,
            kind=kind,
            payload=_payload(asked, answer) if kind == "respond" else None,
            digest=asked.args_digest,
            note="" if kind == "respond" else answer.note,
            at=self._opener.now(),
        )
        _check(asked, record)
        if not (decisions.record(session, record) or decisions.revise(session, record)):
            raise Late

    def _seal(
        self, session: Session, person: Person, asked: InterruptRecord, thread: ThreadRecord
    ) -> Launch | None:
        """Seal the run when every open question has an answer; expired ones need none and go out as cancelled."""
        now = self._opener.now()
        if interrupts.undecided(session, asked.run, now=now):
            return None
        if not runs.seal(session, asked.run, now=now):
            raise Late
        run = self._opener.open(session, thread, kind="resume", by=person.id)
        answered = [decision.interrupt for decision in decisions.of_run(session, asked.run)]
        questions = interrupts.of_run(session, asked.run)
        late = [one.id for one in questions if is_over(one, now) and one.id != asked.id]
        interrupts.set_status(session, late, status="expired")
        interrupts.set_status(session, answered, status="answered")
        self._opener.note(session, run, DECISION, {"by": person.id, "interrupts": list(answered)})
        return launch_of(run, thread)


def _payload(asked: InterruptRecord, answer: Answer) -> JsonValue:
    payload = response(asked, answer.note)
    complaint = misfit(interrupt_of(asked), payload)
    if complaint:
        raise DoesNotFit(complaint)
    return payload


def _check(asked: InterruptRecord, record: DecisionRecord) -> None:
    """Refuse now what the client would refuse to send later, when nobody could change it any more."""
    try:
        entries_of([asked], [record], now=record.at)
    except UsageError as error:
        raise DoesNotFit(str(error).rstrip(".")) from error
