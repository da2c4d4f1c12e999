"""What time alone does to questions that wait: it lets them expire, reminds of them, and escalates them.

One round looks at all threads. Several workers may make the same round: each step is a conditional change, so each is
taken once. What an agent's policy gives up when it expires goes to the agent by an exchange that is opened in the same
transaction; `due` hands it to the supervisor.
"""

from collections.abc import Sequence
from datetime import datetime

import structlog
from sqlalchemy.orm import Session

from chat_app.data import agents, decisions, inbox, interrupts, runs, threads
from chat_app.data.db import Database
from chat_app.data.errors import ThreadBusy
from chat_app.data.records import DecisionRecord, InterruptRecord, ThreadRecord
from chat_app.services import questions
from chat_app.services.eventlog import DECISION
from chat_app.services.judging import bits
from chat_app.services.openings import Opener, launch_of
from chat_app.services.problems import ChatError
from chat_app.services.supervisor import Launch
from chat_app.services.telling import Tell, nobody
from chat_app.services.waiting import Waiting, waiting_of

_log = structlog.get_logger(__name__)

AT_ONCE = 200


class Times:
    """Makes the rounds."""

    def __init__(
        self, database: Database, opener: Opener, *, tell: Tell = nobody, at_once: int = AT_ONCE
    ) -> None:
        """Change `database`; open what is given up by `opener`; `tell` people of it."""
        self._database = database
        self._opener = opener
        self._tell = tell
        self._at_once = at_once
        self._given_up: list[Launch] = []

    def look_after(self) -> list[tuple[str, str]]:
        """Make one round; returns the owners and threads that look different now."""
        now = self._opener.now()
        with self._database.reading() as session:
            expired = {asked.thread for asked in interrupts.overdue(session, now=now)}
            due = inbox.due(session, now=now, limit=self._at_once)
        changed = [thread for one in sorted(expired) if (thread := self._expire(one, now)) is not None]
        changed += [thread for one in due if (thread := self._remember(one, now)) is not None]
        return list(dict.fromkeys((thread.owner, thread.id) for thread in changed))

    def due(self, thread_id: str | None) -> Sequence[Launch]:
        """Return what was given up since the last time, to be launched."""
        if thread_id is not None:
            return ()
        given_up, self._given_up = self._given_up, []
        return given_up

    # ------------------------------------------------------------ expiry

    def _expire(self, thread_id: str, now: datetime) -> ThreadRecord | None:
        with self._database.transaction() as session:
            ended = questions.expire(session, thread_id, now=now)
            for asked in ended:
                self._tell(session, "expired", asked)
            thread = threads.get(session, thread_id)
            policy = self._waiting(session, thread)
        if ended and thread is not None and policy.expired == "cancel":
            self._give_up(thread, now)
        return thread if ended else None

    def _give_up(self, thread: ThreadRecord, now: datetime) -> None:
        try:
            with self._database.transaction() as session:
                launch = self._given(session, thread, now)
        except (ThreadBusy, ChatError) as error:
            # it stays as it would without the policy: a person gives it up
            _log.warning("expired_batch_stays", thread=thread.id, reason=str(error))
        else:
            self._given_up += [launch] if launch is not None else []

    def _given(self, session: Session, thread: ThreadRecord, now: datetime) -> Launch | None:
        waiting = interrupts.unsealed(session, thread.id)
        found = list(dict.fromkeys(asked.run for asked in waiting if asked.status == "expired"))
        for run in found:
            runs.lock(session, run)
        batch = [asked for asked in waiting if asked.run in found]
        for asked in batch:
            decisions.withdraw(session, asked.id)
            decisions.record(session, self._cancelled(asked, now))
        sealed = [run for run in found if questions.seal(session, run, now=now)]
        if not sealed:
            return None
        for asked in batch:
            questions.note(session, asked, "cancel", actor=None, at=now, more={"policy": "expired"})
        opened = self._opener.open(session, thread, kind="resume", by=thread.owner)
        self._opener.note(session, opened, DECISION, {"by": None, "interrupts": [one.id for one in batch]})
        return launch_of(opened, thread)

    def _cancelled(self, asked: InterruptRecord, now: datetime) -> DecisionRecord:
        return DecisionRecord(
            id=self._opener.new_id(),
            interrupt=asked.id,
            by=None,
            kind="cancel",
            digest=asked.args_digest,
            at=now,
        )

    # ------------------------------------------------------------ reminders and escalations

    def _remember(self, interrupt_id: str, now: datetime) -> ThreadRecord | None:
        with self._database.transaction() as session:
            asked = interrupts.get(session, interrupt_id)
            thread = threads.get(session, asked.thread) if asked is not None else None
            if asked is None or thread is None:
                return None
            if inbox.remind(session, asked.id, now=now):
                self._tell(session, "reminder", asked)
            to = self._waiting(session, thread).to
            if not inbox.escalate(session, asked.id, now=now, to=bits(to)):
                return None
            self._tell(session, "escalated", asked)
            questions.note(session, asked, "escalate", actor=None, at=now, more={"to": [*to]})
            return thread

    def _waiting(self, session: Session, thread: ThreadRecord | None) -> Waiting:
        agent = agents.get(session, thread.agent) if thread is not None else None
        return waiting_of(agent.policy if agent is not None else None)
