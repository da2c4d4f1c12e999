"""Delete a thread and bring it back. Nothing late can make it appear again; what was asked in it waits no longer.

A deleted thread is out of sight at once and erased after the undo time (`retention`). An answer under way is stopped;
what still arrives of it is written to a thread that nobody sees, and to none once it is erased.
"""

from sqlalchemy.orm import Session

from chat_app.data import audit, exchanges, threads
from chat_app.data.db import Database
from chat_app.data.records import ThreadRecord
from chat_app.services import questions
from chat_app.services.openings import Opener
from chat_app.services.policy import Action, Person, Policy, claimed
from chat_app.services.starting import Outcome, Starter
from chat_app.services.supervisor import Supervisor
from chat_app.services.threads import Threads


class Removal:
    """Delete and restore threads."""

    def __init__(
        self,
        database: Database,
        policy: Policy,
        opener: Opener,
        threads_service: Threads,
        supervisor: Supervisor,
    ) -> None:
        """Act on threads of `database`."""
        self._policy = policy
        self._opener = opener
        self._threads = threads_service
        self._starter = Starter(database, threads_service, supervisor)

    async def delete(self, person: Person, thread_id: str) -> str:
        """Take a thread out of sight, stop its answer and withdraw its questions; returns its id.

        Raises:
            Refused: there is no such thread for this person.
            Restarting: the server goes down.
        """
        return await self._starter.act(lambda session: self._delete(session, person, thread_id))

    async def restore(self, person: Person, thread_id: str) -> str:
        """Bring a deleted thread back, with the questions it had; returns its id.

        Raises:
            Refused: no such thread of this person was deleted, or it is erased.
            Restarting: the server goes down.
        """
        return await self._starter.act(lambda session: self._restore(session, person, thread_id))

    def _delete(self, session: Session, person: Person, thread_id: str) -> Outcome:
        thread = self._threads.writable(session, person, claimed(thread_id))
        now = self._opener.now()
        live = exchanges.request_stop(session, thread.id, by=person.id, now=now)
        threads.delete(session, thread.id, now=now)
        questions.withdraw(session, thread.id, now=now)
        self._note(session, person, thread, "thread.delete")
        return Outcome(thread.owner, thread.id, stop=live.id if live is not None else None)

    def _restore(self, session: Session, person: Person, thread_id: str) -> Outcome:
        thread = threads.deleted(session, claimed(thread_id))
        self._policy.require(person, Action.WRITE_THREAD, owner=thread.owner if thread else None)
        assert thread is not None  # the policy lets nobody near what is not there
        now = self._opener.now()
        threads.restore(session, thread.id)
        questions.restore(session, thread.id, now=now)
        self._note(session, person, thread, "thread.restore")
        return Outcome(thread.owner, thread.id)

    def _note(self, session: Session, person: Person, thread: ThreadRecord, action: str) -> None:
        act = audit.Act(action=action, object=f"thread:{thread.id}", actor=person.id, at=self._opener.now())
        audit.append(session, act)
