"""A person's acts on the conversation: send, stop, try again. Each is one transaction, then the supervisor acts."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import category

from sqlalchemy.orm import Session

from chat_app.data import exchanges, interrupts, messages, runs, threads
from chat_app.data.db import Database
from chat_app.data.records import ExchangeKind, InterruptRecord, ThreadRecord
from chat_app.services import questions
from chat_app.services.agents import Agents
from chat_app.services.answers import may_be_dropped
from chat_app.services.attachments import held
from chat_app.services.content import as_stored
from chat_app.services.openings import Opener, launch_of
from chat_app.services.policy import Person, claimed
from chat_app.services.problems import Busy, EmptyMessage, MessageTooLong, NothingToRetry, NotSafe, Waiting
from chat_app.services.starting import Outcome, Starter, outcome_of
from chat_app.services.supervisor import Supervisor
from chat_app.services.threads import Threads

LONGEST_MESSAGE = 1_000_000
TITLE_LENGTH = 80
ZERO_WIDTH_JOINER = "\u200d"  # holds emoji together


@dataclass(frozen=True, slots=True)
class Line:
    """What a person sends: a text, and the ids of files."""

    text: str
    files: tuple[str, ...] = ()


class Chat:
    """Send a line, stop the answer, run a failed answer again."""

    def __init__(
        self,
        database: Database,
        opener: Opener,
        agents: Agents,
        threads_service: Threads,
        supervisor: Supervisor,
    ) -> None:
        """Act on threads of `database`."""
        self._database = database
        self._opener = opener
        self._agents = agents
        self._threads = threads_service
        self._supervisor = supervisor
        self._starter = Starter(database, threads_service, supervisor)

    def draft(self) -> str:
        """Return the id that a chat nobody has written in yet will have; a tab holds one until it is sent."""
        return self._opener.new_id()

    async def send(  # noqa: PLR0913 - what a line may carry
        self,
        person: Person,
        thread_id: str | None,
        text: str,
        *,
        abandon: bool = False,
        draft: str = "",
        agent: str = "",
        files: Sequence[str] = (),
    ) -> str:
        """Commit a line and start its answer; returns the id of the thread, which is made when None was given.

        `files` are ids of files the person brought; with them the text may be empty.
        A new thread is with the `agent` of this id, or else with the first that is open to the person.
        What is sent twice from one `draft` makes one thread, and the same line twice is one line.
        Calls that wait for the person are dismissed by it. Open questions of the agent stand in its way, unless the
        person said to `abandon` them: then they are cancelled by the same request that carries the line.

        Raises:
            EmptyMessage, MessageTooLong, Busy, Waiting, NotSafe, AgentClosed: nothing was kept but what the page holds.
            TooFast, TooManyRuns, Crowded, Restarting, FileGone, TooManyFiles: the same.
            Refused: there is no such thread for this person.
        """
        line = Line(cleaned(text, files), tuple(files))
        return await self._starter.act(
            lambda session: (
                self._send(session, person, self._thread(session, person, thread_id), line, abandon=abandon)
                if thread_id
                else self._begin(session, person, line, draft=draft, agent=agent)
            )
        )

    async def retry(self, person: Person, thread_id: str) -> str:
        """Run the last failed or stopped run again, with the same history; answers still owed go with it.

        Raises:
            NothingToRetry, Waiting, Busy, AgentClosed, TooFast, TooManyRuns, Crowded, Restarting: as their names say.
            Refused: there is no such thread for this person.
        """
        return await self._starter.act(lambda session: self._retry(session, person, thread_id))

    async def stop(self, person: Person, thread_id: str) -> str:
        """Stop the live answer, wherever it runs; a second time, nothing changes.

        Where the agent waits for a person instead, its questions are given up; it hears of that with the next line.

        Raises:
            NotSafe: it would take that for a yes.
            Refused: there is no such thread for this person.
        """
        exchange, changed = await asyncio.to_thread(self._stop, person, thread_id)
        if exchange is not None:
            self._supervisor.stop(exchange)
        if changed:
            await self._threads.changed(person.id, thread_id)
        return thread_id

    def _begin(self, session: Session, person: Person, line: Line, *, draft: str, agent: str) -> Outcome:
        """Send the first line of a new thread; one that was begun already goes on, without its first line twice."""
        agent = agent or self._first(session, person)
        self._threads.require_agent(session, person, agent)
        title = _title(line.text or held(session, person.id, line.files)[0].name)
        new = self._new(person, title, draft=draft, agent=agent)
        begun = threads.begin(session, new)
        thread = new if begun else self._thread(session, person, new.id)
        if not begun and _says(session, thread, line.text):
            return Outcome(thread.owner, thread.id)
        return self._send(session, person, thread, line, abandon=False)

    def _send(
        self, session: Session, person: Person, thread: ThreadRecord, line: Line, *, abandon: bool
    ) -> Outcome:
        self._threads.require_agent(session, person, thread.agent)
        if exchanges.live_of(session, thread.id) is not None:
            raise Busy
        kind = self._make_way(session, person, thread, abandon=abandon)
        run = self._opener.open(session, thread, kind=kind, by=person.id)
        files = held(session, person.id, line.files)
        self._opener.say(session, thread.id, run, line.text, files=files)
        return outcome_of(launch_of(run, thread))

    def _make_way(
        self, session: Session, person: Person, thread: ThreadRecord, *, abandon: bool
    ) -> ExchangeKind:
        """Give up what is open in a thread, if that may be; returns the kind of exchange that tells the agent."""
        asked = interrupts.unsealed(session, thread.id)
        by_agent = [question for question in asked if question.kind == "interrupt"]
        if by_agent and not abandon:
            raise Waiting
        self._give_up(session, person, asked)
        return "resume" if by_agent else "send"

    def _retry(self, session: Session, person: Person, thread_id: str) -> Outcome:
        thread = self._thread(session, person, thread_id)
        self._threads.require_agent(session, person, thread.agent)
        last = runs.last_of(session, thread.id)
        if last is None or last.status not in ("failed", "cancelled"):
            raise Busy if last is not None and last.status == "running" else NothingToRetry
        if interrupts.unsealed(session, thread.id):
            raise Waiting
        run = self._opener.open(session, thread, kind="retry", by=person.id)
        return outcome_of(launch_of(run, thread))

    def _stop(self, person: Person, thread_id: str) -> tuple[str | None, bool]:
        with self._database.transaction() as session:
            thread = self._thread(session, person, thread_id)
            live = exchanges.request_stop(session, thread.id, by=person.id, now=self._opener.now())
            if live is not None:
                return live.id, True
            return None, self._give_up(session, person, interrupts.unsealed(session, thread.id))

    def _give_up(self, session: Session, person: Person, asked: Sequence[InterruptRecord]) -> bool:
        """Give up open questions, if the agents that asked cannot take it for a yes; returns whether there were any."""
        if not all(may_be_dropped(question) for question in asked if question.kind == "interrupt"):
            raise NotSafe
        opener = self._opener
        questions.abandon(session, asked, by=person.id, now=opener.now(), new_id=opener.new_id)
        return bool(asked)

    def _thread(self, session: Session, person: Person, thread_id: str) -> ThreadRecord:
        return self._threads.writable(session, person, claimed(thread_id))

    def _first(self, session: Session, person: Person) -> str:
        """Return the agent of a new thread for which none was chosen; empty when none is open to the person."""
        offered = self._threads.open_agents(session, person)
        default = self._agents.default_id
        return default if default in offered else next(iter(offered), "")

    def _new(self, person: Person, title: str, *, draft: str, agent: str) -> ThreadRecord:
        now, thread_id = self._opener.now(), draft or self._opener.new_id()
        return ThreadRecord(
            id=thread_id,
            owner=person.id,
            agent=agent,
            wire_id=thread_id,
            title=title,
            created=now,
            updated=now,
        )


def _says(session: Session, thread: ThreadRecord, text: str) -> bool:
    """Return whether the last line of a person in a thread is this one."""
    last = messages.last(session, thread.id, branch=thread.branch, role="user")
    return last is not None and [part.get("text") for part in map(as_stored, last.content)] == [text]


def cleaned(text: str, files: Sequence[str]) -> str:
    """Return a text as it can be stored and sent; where files go with it, it may be empty.

    Raises:
        EmptyMessage, MessageTooLong: as their names say.
    """
    return "" if files and not _visible(text).strip() else clean(text)


def clean(text: str) -> str:
    """Return the text as it can be stored and sent: half characters and NULs become the replacement character.

    Raises:
        EmptyMessage, MessageTooLong: as their names say.
    """
    text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\x00", "\ufffd")
    if not _visible(text).strip():
        raise EmptyMessage
    if len(text) > LONGEST_MESSAGE:
        raise MessageTooLong
    return text


def _visible(text: str) -> str:
    """Return the text without what is never drawn but may turn round what is beside it (Unicode category Cf)."""
    return "".join(each for each in text if category(each) != "Cf" or each == ZERO_WIDTH_JOINER)


def _title(text: str) -> str:
    """Return the first line of a message, cut at a word, as the title of its thread."""
    line = next(filter(None, (_visible(each).strip() for each in text.splitlines())), "")
    if len(line) <= TITLE_LENGTH:
        return line
    return line[:TITLE_LENGTH].rsplit(" ", 1)[0] + "…"
