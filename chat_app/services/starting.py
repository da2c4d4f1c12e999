"""From a person's act to a running exchange: one transaction, then the supervisor, whatever becomes of who asked.

A page may go away while its act is being committed. What is committed is launched all the same: an exchange that
nobody drives would keep its thread busy until its lease is over.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy.orm import Session

from chat_app.data.db import Database
from chat_app.data.errors import ThreadBusy
from chat_app.services.problems import Busy, Restarting
from chat_app.services.supervisor import Launch, Supervisor
from chat_app.services.tasks import unbroken
from chat_app.services.threads import Threads


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an act led to: the thread that changed, and the exchange to launch or to stop, if any."""

    owner: str
    thread: str
    launch: Launch | None = None
    stop: str | None = None


UseCase = Callable[[Session], Outcome]


def outcome_of(launch: Launch) -> Outcome:
    """Return the outcome of an act that opened an exchange."""
    return Outcome(launch.owner, launch.thread, launch)


class Starter:
    """Commits acts and sets going what they led to."""

    def __init__(self, database: Database, threads: Threads, supervisor: Supervisor) -> None:
        """Commit to `database`; tell by `threads`; launch and stop by `supervisor`."""
        self._database = database
        self._threads = threads
        self._supervisor = supervisor

    async def act(self, use_case: UseCase) -> str:
        """Commit `use_case`, tell who follows, launch or stop what it names; returns the id of the thread.

        Raises:
            Restarting: the process goes down; nothing was committed.
            Busy: the thread has a live answer; nothing was committed.
        """
        if self._supervisor.is_closing():
            raise Restarting
        return await unbroken(self._act(use_case), name="act")

    async def _act(self, use_case: UseCase) -> str:
        outcome = await asyncio.to_thread(self._commit, use_case)
        try:
            await self._threads.changed(outcome.owner, outcome.thread)
        finally:
            # it is committed, so it holds, whether or not anybody could be told
            if outcome.launch is not None:
                self._supervisor.launch(outcome.launch)
            if outcome.stop is not None:
                self._supervisor.stop(outcome.stop)
        return outcome.thread

    def _commit(self, use_case: UseCase) -> Outcome:
        try:
            with self._database.transaction() as session:
                return use_case(session)
        except ThreadBusy as error:
            raise Busy from error
