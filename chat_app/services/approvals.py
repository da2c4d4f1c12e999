"""Answers to what agents ask: collected until every question of a run has one, then sealed once and sent once.

Until a run is sealed, an answer is a draft its author may change. The answer that completes the set seals the run by
a conditional update in the same transaction that opens the resuming exchange, so a double click, a second tab or a
replayed request finds it sealed and changes nothing. Who may answer is the policy's to say, by the rules of the agent;
where those want two people, the answer is a draft when both said the same (`two_people.py`).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import UsageError, misfit
from chat_app.data import decisions, interrupts, runs
from chat_app.data.db import Database
from chat_app.data.records import DecisionKind, DecisionRecord, InterruptRecord, ThreadRecord
from chat_app.services import questions, two_people
from chat_app.services.answers import actions, entries_of, interrupt_of, is_over, may_be_dropped, response
from chat_app.services.deciding import ask_of, visible
from chat_app.services.eventlog import DECISION
from chat_app.services.openings import Opener, launch_of
from chat_app.services.policy import Action, Ask, Person, Policy
from chat_app.services.problems import DoesNotFit, Expired, Late, NotOffered, NotYours, Unanswered
from chat_app.services.starting import Outcome, Starter
from chat_app.services.supervisor import Launch, Supervisor
from chat_app.services.telling import Tell, nobody
from chat_app.services.threads import Threads

KINDS: dict[str, DecisionKind] = {
    "approve": "approve",
    "edit": "edit",
    "reject": "reject",
    "respond": "respond",
    "cancel": "cancel",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person said to a question: the kind of answer, and a note or, for `respond`, the response itself.

    A response is a text (`note`) or any other JSON (`response`). For `edit`, an approval of other arguments than were
    proposed, `edited` holds them all. `digest` is of what the person was shown; it may be left out.
    """

    kind: str
    note: str = ""
    response: JsonValue = None
    edited: Mapping[str, JsonValue] | None = None
    digest: str = ""


class Approvals:
    """Decide what agents ask."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        policy: Policy,
        opener: Opener,
        threads_service: Threads,
        supervisor: Supervisor,
        *,
        tell: Tell = nobody,
    ) -> None:
        """Decide in `database`; who asked hears by `tell` of what others decided."""
        self._tell = tell
        self._policy = policy
        self._opener = opener
        self._starter = Starter(database, threads_service, supervisor)

    async def decide(self, person: Person, interrupt_id: str, answer: Answer, *, hold: bool = False) -> str:
        """Commit an answer; the one that completes the run's questions starts exactly one resume.

        With `hold` nothing starts: the answer is a draft that can be changed until `send`. Returns the id of the
        thread.

        Raises:
            Late: the question is answered already, and its problem tells by whom; nothing changed.
            NotYours: the agent's rules name other people for this; nothing changed.
            TooFast, Expired, NotOffered, DoesNotFit, Busy, TooManyRuns, Crowded, Restarting: as their names say;
                nothing changed.
            Refused: there is no such question for this person.
        """
        self._opener.rates.hit("decision", person.id)
        return await self._starter.act(
            lambda session: self._decide(session, person, interrupt_id, answer, hold=hold)
        )

    async def send(self, person: Person, interrupt_id: str) -> str:
        """Seal the answers to the run that asked this question, and start the one resume that carries them.

        Raises:
            Late: they are sealed already; nothing changed.
            Unanswered: a question has no answer yet.
            NotYours: neither decides this person the question, nor is its answer theirs.
            Busy, TooManyRuns, Crowded, Restarting: as their names say; nothing changed.
            Refused: there is no such question for this person.
        """
        return await self._starter.act(lambda session: self._send(session, person, interrupt_id))

    def _send(self, session: Session, person: Person, interrupt_id: str) -> Outcome:
        asked, thread = self._open_question(session, person, interrupt_id)
        held = decisions.of_interrupts(session, [asked.id])
        is_theirs = any(one.by == person.id for one in held)
        if not is_theirs and not self._policy.may_decide(person, ask_of(session, asked, thread)):
            raise NotYours
        launch = self._seal(session, person, asked, thread)
        if launch is None:
            raise Unanswered
        return Outcome(thread.owner, thread.id, launch)

    def _decide(
        self, session: Session, person: Person, interrupt_id: str, answer: Answer, *, hold: bool
    ) -> Outcome:
        asked, thread = self._open_question(session, person, interrupt_id)
        record = self._drafted(person, asked, answer)
        ask = ask_of(session, asked, thread, edited=answer.edited)
        other = self._allowed(session, person, asked, ask, record)
        if other is None:
            questions.note(session, asked, "endorse", actor=person.id, at=record.at, more={"by": record.kind})
            return Outcome(thread.owner, thread.id)
        self._store(session, record)
        seals = not hold and not interrupts.undecided(session, asked.run, now=self._opener.now())
        more: dict[str, JsonValue] = {
            "decision": record.id,
            "sealed": seals,
            **({"with": other} if other else {}),
        }
        questions.note(session, asked, record.kind, actor=person.id, at=record.at, more=more)
        if record.kind == "edit":
            _propose_anew(session, asked, record)
        # sealed after it is written down, so that the record tells in order what happened
        launch = self._seal(session, person, asked, thread) if seals else None
        return Outcome(thread.owner, thread.id, launch)

    def _allowed(
        self, session: Session, person: Person, asked: InterruptRecord, ask: Ask, record: DecisionRecord
    ) -> str | None:
        """Return who else stands behind the answer: an id, "" when nobody has to, None when somebody is missing.

        Raises:
            NotYours: the person does not decide this, or not with these arguments.
            Late: two others have decided.
        """
        gives_up = record.kind == "cancel" and ask.owner == person.id and may_be_dropped(asked)
        if gives_up and self._policy.may(person, Action.DECIDE, owner=ask.owner):
            return ""
        if not self._policy.may_decide(person, ask):
            raise NotYours
        if self._policy.deciders(ask).by != "two":
            return ""
        other = two_people.endorse(session, record, entitled=lambda one: self._policy.may_decide(one, ask))
        if other is not None:
            return other.by
        return None if record.kind in two_people.LETS_HAPPEN else ""

    def _open_question(
        self, session: Session, person: Person, interrupt_id: str
    ) -> tuple[InterruptRecord, ThreadRecord]:
        """Return a question that a person may see, locked against others who would decide its run."""
        found, thread = visible(session, self._policy, person, interrupt_id)
        runs.lock(session, found.run)
        # read again under the lock: it may have been sealed while we waited
        asked = interrupts.get(session, interrupt_id)
        if asked is None or asked.status not in questions.OPEN:
            raise late(session, interrupt_id)
        return asked, thread

    def _drafted(self, person: Person, asked: InterruptRecord, answer: Answer) -> DecisionRecord:
        kind = self._kind(asked, answer)
        record = DecisionRecord(
            id=self._opener.new_id(),
            interrupt=asked.id,
            by=person.id,
            kind=kind,
            payload=_payload(asked, answer) if kind == "respond" else None,
            edited_args=dict(answer.edited or {}) if kind == "edit" else None,
            digest=asked.args_digest,
            note="" if kind == "respond" else answer.note,
            at=self._opener.now(),
        )
        _check(asked, record)
        return record

    def _store(self, session: Session, record: DecisionRecord) -> None:
        if not (decisions.record(session, record) or decisions.revise(session, record)):
            raise late(session, record.interrupt)

    def _kind(self, asked: InterruptRecord, answer: Answer) -> DecisionKind:
        kind = KINDS.get(answer.kind)
        if kind is None or kind not in actions(asked) or (kind == "edit") != (answer.edited is not None):
            raise NotOffered
        if kind != "cancel" and (asked.status == "expired" or is_over(asked, self._opener.now())):
            raise Expired
        if answer.digest and answer.digest != asked.args_digest:
            raise Late  # what was shown is not what is asked
        return kind

    def _seal(
        self, session: Session, person: Person, asked: InterruptRecord, thread: ThreadRecord
    ) -> Launch | None:
        """Seal the run when every open question has an answer, and open the one exchange that carries them."""
        now = self._opener.now()
        if interrupts.undecided(session, asked.run, now=now):
            return None
        if not questions.seal(session, asked.run, now=now):
            raise late(session, asked.id)
        run = self._opener.open(session, thread, kind="resume", by=person.id)
        decided = decisions.of_run(session, asked.run)
        answered = [decision.interrupt for decision in decided]
        self._opener.note(session, run, DECISION, {"by": person.id, "interrupts": list(answered)})
        for decision in decided:
            self._tell_owner(session, decision, thread)
        return launch_of(run, thread)

    def _tell_owner(self, session: Session, decision: DecisionRecord, thread: ThreadRecord) -> None:
        asked = interrupts.get(session, decision.interrupt)
        if asked is not None and decision.by is not None and decision.by != thread.owner:
            self._tell(session, "decided", asked, by=decision.by)


def _propose_anew(session: Session, asked: InterruptRecord, record: DecisionRecord) -> None:
    """Note what an edit is: another proposal, in place of the one that was shown."""
    more: dict[str, JsonValue] = {
        "decision": record.id,
        "digest": questions.digest_of(asked, record),
        "replaces": asked.args_digest,
    }
    questions.note(session, asked, "propose", actor=record.by, at=record.at, more=more)


def late(session: Session, interrupt_id: str) -> Late:
    """Return the trouble of one who comes too late, which tells who decided."""
    (decided,) = decisions.of_interrupts(session, [interrupt_id]) or (None,)
    return Late() if decided is None else Late(two_people.name_of(session, decided.by), decided.kind)


def _payload(asked: InterruptRecord, answer: Answer) -> JsonValue:
    payload = response(asked, answer.note) if answer.response is None else answer.response
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
