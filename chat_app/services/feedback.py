"""What a person thinks of an answer: good or bad, and why if they say so."""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Final, cast, get_args

from sqlalchemy.orm import Session

from chat_app.data import feedback, messages
from chat_app.data.columns import UNSTORABLE
from chat_app.data.db import Database
from chat_app.data.records import FeedbackRecord, MessageRecord, Verdict
from chat_app.services.policy import Person, claimed
from chat_app.services.problems import MessageTooLong, NotEditable
from chat_app.services.threads import Threads

LONGEST: Final = 4_000
"""Characters of a comment."""

VERDICTS: Final = get_args(Verdict)


class Feedback:
    """Keep one opinion per person and message."""

    def __init__(
        self,
        database: Database,
        threads: Threads,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """Write to `database`; tell followers by `threads`."""
        self._database = database
        self._threads = threads
        self._now = now
        self._new_id = new_id

    async def rate(self, person: Person, thread_id: str, key: str, verdict: str, note: str = "") -> str:
        """Keep what the person thinks of the answer with row key `key`; returns the thread's id.

        `verdict` is good or bad; anything else takes the opinion back.

        Raises:
            NotEditable: there is no such answer in the branch shown.
            MessageTooLong: the comment is over the limit.
            Refused: there is no such thread for this person.
        """
        owner = await asyncio.to_thread(self._rate, person, claimed(thread_id), key, verdict, note)
        await self._threads.changed(owner, thread_id)
        return thread_id

    def _rate(self, person: Person, thread_id: str, key: str, verdict: str, note: str) -> str:
        note = note.strip()
        if len(note) > LONGEST:
            raise MessageTooLong
        with self._database.transaction() as session:
            thread = self._threads.writable(session, person, thread_id)
            message = _answer(session, thread.id, key)
            if verdict in VERDICTS:
                opinion = self._record(person, message, cast("Verdict", verdict), note)
                feedback.put(session, opinion)
            else:
                feedback.take_back(session, message.id, person.id)
        return thread.owner

    def _record(self, person: Person, message: MessageRecord, verdict: Verdict, note: str) -> FeedbackRecord:
        now = self._now()
        return FeedbackRecord(
            id=self._new_id(),
            message=message.id,
            by=person.id,
            verdict=verdict,
            note=note,
            created=now,
            updated=now,
        )


def _answer(session: Session, thread_id: str, key: str) -> MessageRecord:
    found = None if UNSTORABLE.search(key) else messages.by_key(session, thread_id, key)
    if found is None or found.role == "user":
        raise NotEditable
    return found
