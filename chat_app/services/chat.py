"""A person's acts on the conversation: send, stop, try again. Each is one transaction, then the supervisor acts."""

import asyncio
from collections.abc import Callable
from unicodedata import category

from sqlalchemy.orm import Session

from chat_app.data import exchanges, interrupts, runs, threads
from chat_app.data.db import Database
from chat_app.data.errors import ThreadBusy
from chat_app.data.records import ThreadRecord
from chat_app.services.agents import Agents
from chat_app.services.openings import Opener, launch_of
from chat_app.services.policy import Person
from chat_app.services.problems import Busy, EmptyMessage, MessageTooLong, NothingToRetry, Restarting, Waiting
from chat_app.services.supervisor import Launch, Supervisor
from chat_app.services.threads import Threads

LONGEST_MESSAGE = 1_000_000
TITLE_LENGTH = 80
ZERO_WIDTH_JOINER = "\u200d"  # holds emoji together


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

    async def send(self, person: Person, thread_id: str | None, text: str) -> str:
        """Commit a line and start its answer; returns the id of the thread, which is made when None was given.

        Raises:
            EmptyMessage, MessageTooLong, Busy, Waiting: nothing was kept but what the page holds.
            Refused: there is no such thread for this person.
        """
        text = _clean(text)
        return await self._launch(lambda session: self._send(session, person, thread_id, text))

    async def retry(self, person: Person, thread_id: str) -> str:
        """Run the last failed or stopped run again, with the same history; answers still owed go with it.

        Raises:
            NothingToRetry, Busy: as their names say.
            Refused: there is no such thread for this person.
        """
        return await self._launch(lambda session: self._retry(session, person, thread_id))

    async def stop(self, person: Person, thread_id: str) -> str:
        """Stop the live answer, wherever it runs; without one, or a second time, nothing changes.

        Raises:
            Refused: there is no such thread for this person.
        """
        exchange = await asyncio.to_thread(self._stop, person, thread_id)
        if exchange is not None:
            self._supervisor.stop(exchange)
            await self._threads.changed(person.id, thread_id)
        return thread_id

    async def _launch(self, use_case: Callable[[Session], Launch]) -> str:
        if self._supervisor.is_closing():
            raise Restarting
        launch = await asyncio.to_thread(self._commit, use_case)
        try:
            await self._threads.changed(launch.owner, launch.thread)
        finally:
            # it is committed, so it runs, whether or not anybody could be told
            self._supervisor.launch(launch)
        return launch.thread

    def _commit(self, use_case: Callable[[Session], Launch]) -> Launch:
        try:
            with self._database.transaction() as session:
                return use_case(session)
        except ThreadBusy as error:
            raise Busy from error

    def _send(self, session: Session, person: Person, thread_id: str | None, text: str) -> Launch:
        thread = self._thread(session, person, thread_id) if thread_id else self._new(session, person, text)
        if interrupts.pending(session, thread.id):
            raise Waiting
        run = self._opener.open(session, thread, kind="send", by=person.id)
        self._opener.say(session, thread.id, run, text)
        return launch_of(run, thread)

    def _retry(self, session: Session, person: Person, thread_id: str) -> Launch:
        thread = self._thread(session, person, thread_id)
        last = runs.last_of(session, thread.id)
        if last is None or last.status not in ("failed", "cancelled"):
            raise Busy if last is not None and last.status == "running" else NothingToRetry
        run = self._opener.open(session, thread, kind="retry", by=person.id)
        return launch_of(run, thread)

    def _stop(self, person: Person, thread_id: str) -> str | None:
        with self._database.transaction() as session:
            thread = self._thread(session, person, thread_id)
            live = exchanges.request_stop(session, thread.id, by=person.id, now=self._opener.now())
        return live.id if live is not None else None

    def _thread(self, session: Session, person: Person, thread_id: str) -> ThreadRecord:
        return self._threads.writable(session, person, thread_id)

    def _new(self, session: Session, person: Person, text: str) -> ThreadRecord:
        now, thread_id = self._opener.now(), self._opener.new_id()
        thread = ThreadRecord(
            id=thread_id,
            owner=person.id,
            agent=self._agents.default_id,
            wire_id=thread_id,
            title=_title(text),
            created=now,
            updated=now,
        )
        threads.create(session, thread)
        return thread


def _clean(text: str) -> str:
    """Return the text as it can be stored and sent: half characters and NULs become the replacement character."""
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
