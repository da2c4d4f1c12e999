"""What an answer took: when its run was under way, and the tokens the agent says it used."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue

from chat_app.data import runs, threads
from chat_app.data.db import Database
from chat_app.services.policy import Action, Person, Policy, claimed
from chat_app.services.problems import NotEditable
from chat_app.services.rows import iso


@dataclass(frozen=True, slots=True)
class Receipt:
    """The facts of one run. Times are ISO 8601 or empty; a count the agent never gave is -1, which is not zero."""

    run: str = ""
    wire_run: str = ""
    started: str = ""
    ended: str = ""
    tokens_in: int = -1
    tokens_out: int = -1


class Receipts:
    """Tell what runs took."""

    def __init__(self, database: Database, policy: Policy) -> None:
        """Read from `database`."""
        self._database = database
        self._policy = policy

    async def of_run(self, person: Person, thread_id: str, run_id: str) -> Receipt:
        """Return what a run of a thread took.

        Raises:
            NotEditable: the thread has no such run.
            Refused: there is no such thread for this person.
        """
        return await asyncio.to_thread(self._of_run, person, claimed(thread_id), claimed(run_id))

    def _of_run(self, person: Person, thread_id: str, run_id: str) -> Receipt:
        with self._database.reading() as session:
            thread = threads.get(session, thread_id)
            self._policy.require(person, Action.READ_THREAD, owner=thread.owner if thread else None)
            run = runs.get(session, run_id)
        if run is None or run.thread != thread_id:
            raise NotEditable
        return Receipt(
            run=run.id,
            wire_run=run.wire_run_id,
            started=iso(run.started),
            ended=iso(run.ended),
            tokens_in=counted(run.usage, "inputTokens"),
            tokens_out=counted(run.usage, "outputTokens"),
        )


def counted(usage: JsonValue, name: str) -> int:
    """Return the sum of one count over the entries a run reported, -1 when none gives it."""
    entries: Iterable[JsonValue] = usage if isinstance(usage, list) else ()
    given = [entry.get(name) for entry in entries if isinstance(entry, dict)]
    counts = [count for count in given if isinstance(count, int)]
    return sum(counts) if counts else -1
