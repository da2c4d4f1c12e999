"""How a person keeps their threads in order: titles, tags, pinned ones on top, finished ones in the archive."""

import asyncio
from collections.abc import Iterable
from typing import Unpack

from chat_app.data import threads
from chat_app.data.db import Database
from chat_app.data.threads import ThreadChange
from chat_app.services.chat import TITLE_LENGTH, clean
from chat_app.services.policy import Person, claimed
from chat_app.services.problems import MessageTooLong
from chat_app.services.threads import Threads

MOST_TAGS = 10
LONGEST_TAG = 30
LONGEST_TITLE = 2 * TITLE_LENGTH


class Shelf:
    """Rename, pin, archive and tag threads. Nothing of it counts as news: the thread keeps its place in time."""

    def __init__(self, database: Database, threads_service: Threads) -> None:
        """Write to `database`; tell the person's lists by `threads_service`."""
        self._database = database
        self._threads = threads_service

    async def rename(self, person: Person, thread_id: str, title: str) -> str:
        """Give a thread a title of the person's own; returns its id.

        Raises:
            EmptyMessage, MessageTooLong: it cannot be a title.
            Refused: there is no such thread for this person.
        """
        title = " ".join(clean(title).split())
        if len(title) > LONGEST_TITLE:
            raise MessageTooLong
        return await self._change(person, thread_id, title=title, indexed_seq=-1)

    async def pin(self, person: Person, thread_id: str, *, pinned: bool) -> str:
        """Keep a thread on top of the list, or not any more; returns its id.

        Raises:
            Refused: there is no such thread for this person.
        """
        return await self._change(person, thread_id, pinned=pinned)

    async def archive(self, person: Person, thread_id: str, *, archived: bool) -> str:
        """Put a thread into the archive, or back; returns its id.

        Raises:
            Refused: there is no such thread for this person.
        """
        return await self._change(person, thread_id, archived=archived)

    async def tag(self, person: Person, thread_id: str, tags: Iterable[str]) -> str:
        """Give a thread these tags and no others; returns its id.

        Raises:
            MessageTooLong: too many, or one is too long.
            Refused: there is no such thread for this person.
        """
        wanted = tuple(dict.fromkeys(filter(None, (" ".join(tag.split()) for tag in tags))))
        if len(wanted) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in wanted):
            raise MessageTooLong
        return await self._change(person, thread_id, tags=wanted, indexed_seq=-1)

    async def _change(self, person: Person, thread_id: str, **values: Unpack[ThreadChange]) -> str:
        owner = await asyncio.to_thread(self._write, person, claimed(thread_id), values)
        await self._threads.changed(owner, thread_id)
        return thread_id

    def _write(self, person: Person, thread_id: str, values: ThreadChange) -> str:
        with self._database.transaction() as session:
            thread = self._threads.writable(session, person, thread_id)
            threads.change(session, thread.id, **values)
        return thread.owner
