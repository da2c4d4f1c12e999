"""Lines a person sends while the agent still answers: kept in SQL, sent one by one when it is their turn.

The next line goes when the answer under way ends well and nothing is asked. After a failure or a stop it waits: it was
written for an answer that did not come. *Send now* stops the answer under way and sends a line however that ends.
A line whose agent is not open any more to who wrote it waits too, until it is.
"""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from chat_app.data import attachments, exchanges, interrupts, queued_sends, runs, threads
from chat_app.data.db import Database
from chat_app.data.errors import ThreadBusy
from chat_app.data.records import AttachmentRecord, QueuedSendRecord, ThreadRecord
from chat_app.services import talking
from chat_app.services.attachments import held
from chat_app.services.chat import Line, clean, cleaned
from chat_app.services.openings import Opener, launch_of
from chat_app.services.policy import Person, Policy, Refused, claimed
from chat_app.services.problems import Crowded, QueueFull, Sent, TooManyRuns, Waiting
from chat_app.services.starting import Outcome, Starter, outcome_of
from chat_app.services.supervisor import Launch, Supervisor
from chat_app.services.threads import Threads

LONGEST_QUEUE = 20
ENDED_WELL = ("success", "interrupted")


class Lines:
    """Sends the lines whose turn it is. Any worker may; one of them wins."""

    def __init__(self, database: Database, policy: Policy, opener: Opener) -> None:
        """Send lines of `database` that `policy` lets go, by exchanges of this worker."""
        self._database = database
        self._policy = policy
        self._opener = opener

    def due(self, thread_id: str | None) -> Sequence[Launch]:
        """Open an exchange for the next line of a thread, or of every thread; returns those that were opened.

        A thread that is busy, and a person or a process with enough to do, wait for another time.
        """
        launches = (self._send_next(waiting) for waiting in self._waiting(thread_id))
        return [launch for launch in launches if launch is not None]

    def next_of(self, session: Session, thread: ThreadRecord) -> Launch | None:
        """Open an exchange for the next line of a thread if it may go now."""
        lines = queued_sends.of_thread(session, thread.id)
        if not lines or not _may_go(session, thread.id, lines[0]):
            return None
        line = lines[0]
        if not talking.is_open(session, self._policy, agent=thread.agent, to=line.by):
            return None
        run = self._opener.open(session, thread, kind="queued", by=line.by)
        queued_sends.take(session, line.id)
        self._opener.say(session, thread.id, run, line.text, files=_files(session, line))
        return launch_of(run, thread)

    def _waiting(self, thread_id: str | None) -> Sequence[str]:
        with self._database.reading() as session:
            waiting = queued_sends.waiting(session)
        return [one for one in waiting if thread_id in (None, one)]

    def _send_next(self, thread_id: str) -> Launch | None:
        try:
            with self._database.transaction() as session:
                thread = threads.get(session, thread_id)
                return None if thread is None else self.next_of(session, thread)
        except (ThreadBusy, TooManyRuns, Crowded):
            return None


class Queue:
    """A person's acts on the lines that wait."""

    def __init__(
        self,
        database: Database,
        opener: Opener,
        lines: Lines,
        threads_service: Threads,
        supervisor: Supervisor,
    ) -> None:
        """Keep lines in `database`; those whose turn it is are sent by `lines`."""
        self._opener = opener
        self._lines = lines
        self._threads = threads_service
        self._starter = Starter(database, threads_service, supervisor)

    async def put(self, person: Person, thread_id: str, text: str, *, files: Sequence[str] = ()) -> str:
        """Send a line when its turn comes, which is now when nothing is under way; returns the id of the thread.

        `files` are ids of files the person brought; they are the thread's from now on.

        Raises:
            EmptyMessage, MessageTooLong, QueueFull, AgentClosed, Restarting: nothing was kept but what the page holds.
            Refused: there is no such thread for this person.
        """
        line = Line(cleaned(text, files), tuple(files))
        return await self._starter.act(lambda session: self._put(session, person, thread_id, line))

    async def edit(self, person: Person, queued_id: str, text: str) -> str:
        """Change what a waiting line says; returns the id of the thread.

        Raises:
            Sent: it waits no longer.
            EmptyMessage, MessageTooLong, Restarting: as their names say.
            Refused: there is no such thread for this person.
        """
        text = clean(text)
        return await self._starter.act(lambda session: self._edit(session, person, queued_id, text))

    async def remove(self, person: Person, queued_id: str) -> str:
        """Forget a waiting line; returns the id of the thread.

        Raises:
            Sent: it waits no longer.
            Restarting, Refused: as their names say.
        """
        return await self._starter.act(lambda session: self._remove(session, person, queued_id))

    async def send_now(self, person: Person, queued_id: str) -> str:
        """Stop the answer under way and send this line next, however that answer ends; returns the thread's id.

        Raises:
            Sent: it waits no longer.
            Waiting: a question of the agent is open.
            AgentClosed, TooManyRuns, Crowded, Restarting, Refused: as their names say.
        """
        return await self._starter.act(lambda session: self._send_now(session, person, queued_id))

    # ------------------------------------------------------------ use cases

    def _put(self, session: Session, person: Person, thread_id: str, said: Line) -> Outcome:
        thread = self._threads.writable(session, person, claimed(thread_id))
        self._threads.require_agent(session, person, thread.agent)
        if queued_sends.count(session, thread.id) >= LONGEST_QUEUE:
            raise QueueFull
        now = self._opener.now()
        idle = exchanges.live_of(session, thread.id) is None and not queued_sends.count(session, thread.id)
        line = QueuedSendRecord(
            id=self._opener.new_id(),
            thread=thread.id,
            by=person.id,
            position=threads.reserve(session, thread.id),
            text=said.text,
            parts=[*said.files] or None,
            urgent=idle,  # nothing is under way, so there is no answer it could wait for
            created=now,
            updated=now,
        )
        files = held(session, person.id, said.files)
        attachments.send(session, [file.id for file in files], thread=thread.id, message=None)
        queued_sends.add(session, line)
        return self._next(session, thread)

    def _edit(self, session: Session, person: Person, queued_id: str, text: str) -> Outcome:
        thread, line = self._line(session, person, queued_id)
        queued_sends.change(session, line.id, text=text, now=self._opener.now())
        return Outcome(thread.owner, thread.id)

    def _remove(self, session: Session, person: Person, queued_id: str) -> Outcome:
        thread, line = self._line(session, person, queued_id)
        queued_sends.take(session, line.id)
        return Outcome(thread.owner, thread.id)

    def _send_now(self, session: Session, person: Person, queued_id: str) -> Outcome:
        thread, line = self._line(session, person, queued_id)
        self._threads.require_agent(session, person, thread.agent)
        if interrupts.unsealed(session, thread.id):
            raise Waiting
        now = self._opener.now()
        queued_sends.hurry(session, line.id, now=now)
        live = exchanges.request_stop(session, thread.id, by=person.id, now=now)
        return self._next(session, thread) if live is None else Outcome(thread.owner, thread.id, stop=live.id)

    def _next(self, session: Session, thread: ThreadRecord) -> Outcome:
        if exchanges.live_of(session, thread.id) is not None:
            return Outcome(thread.owner, thread.id)
        launch = self._lines.next_of(session, thread)
        return Outcome(thread.owner, thread.id) if launch is None else outcome_of(launch)

    def _line(
        self, session: Session, person: Person, queued_id: str
    ) -> tuple[ThreadRecord, QueuedSendRecord]:
        line = queued_sends.lock(session, claimed(queued_id))
        if line is None:
            raise Sent
        try:
            return self._threads.writable(session, person, line.thread), line
        except Refused:
            # a line of somebody else and one that was sent get the same answer
            raise Sent from None


def _files(session: Session, line: QueuedSendRecord) -> list[AttachmentRecord]:
    ids = [str(each) for each in line.parts] if isinstance(line.parts, list) else []
    found = attachments.some(session, ids)
    return [found[each] for each in ids if each in found]


def _may_go(session: Session, thread_id: str, line: QueuedSendRecord) -> bool:
    if interrupts.unsealed(session, thread_id):
        return False
    last = runs.last_of(session, thread_id)
    return line.urgent or last is None or last.status in ENDED_WELL
