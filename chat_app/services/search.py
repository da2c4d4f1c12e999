"""Search over the titles and messages of a person's threads.

What is searched in is derived from the tables and brought up to date here, now and then and when somebody searches:
nothing is added to the way of a streaming answer. A thread whose counter stands where it stood at the last look has
nothing new.
"""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import search, threads
from chat_app.data.db import Database
from chat_app.data.records import MessageRecord, SearchEntryRecord, ThreadRecord
from chat_app.data.search import Found
from chat_app.services.content import as_stored
from chat_app.services.folding import Piece, folded, snippet, words_of
from chat_app.services.policy import Person
from chat_app.services.rows import iso

HITS = 30
LONGEST_QUERY = 200
THREADS_AT_ONCE = 50
MESSAGES_AT_ONCE = 500
LONGEST_TEXT = 100_000
"""Characters of one message that are searched in."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One thing that was found: a thread by its title, or a message at a place of its thread.

    `kind` is thread, message or tool; `mark` is the thread's; `position` is -1 for a thread.
    """

    kind: str
    thread: str
    title: str
    at: str
    mark: str = ""
    key: str = ""
    position: int = -1
    pieces: list[Piece] = field(default_factory=list)


class Search:
    """Find what a person has read or written."""

    def __init__(self, database: Database) -> None:
        """Search in `database`."""
        self._database = database

    async def find(self, person: Person, query: str) -> list[Hit]:
        """Return what holds every word of `query`, newest first, at most `HITS`; only the person's own threads."""
        words = words_of(query[:LONGEST_QUERY].replace("\x00", " "))
        return await asyncio.to_thread(self._find, person.id, words) if words else []

    def index(self, owner: str | None = None) -> int:
        """Make everything searchable that changed in a person's threads, or in all; returns how many messages.

        Each piece is a transaction of its own, so that nobody waits long for it.
        """
        done, behind = 0, True
        while behind:
            messages, behind = self._index_piece(owner)
            done += messages
        return done

    def _index_piece(self, owner: str | None) -> tuple[int, bool]:
        """Return how many messages became searchable, and whether there may be more."""
        done = 0
        with self._database.transaction() as session:
            behind = threads.unindexed(session, owner, limit=THREADS_AT_ONCE)
            for thread in behind:
                done += _index(session, thread)
                if done >= MESSAGES_AT_ONCE:
                    return done, True
        # a thread that an answer streams into is behind again at once; it waits for the next search
        return done, len(behind) == THREADS_AT_ONCE

    def _find(self, owner: str, words: list[str]) -> list[Hit]:
        self.index(owner)
        with self._database.reading() as session:
            found = search.find(session, owner, words, limit=HITS)
        return [_hit(one, words) for one in found]


def _index(session: Session, thread: ThreadRecord) -> int:
    """Bring a thread's entries up to date, a piece of them when there are many; returns how many messages."""
    changed = search.stale(session, thread.id, limit=MESSAGES_AT_ONCE)
    search.put(session, [*(_entry(thread, message) for message in changed), _title(thread)])
    if len(changed) < MESSAGES_AT_ONCE:
        threads.change(session, thread.id, indexed_seq=thread.last_seq)
    return len(changed)


def _title(thread: ThreadRecord) -> SearchEntryRecord:
    text = " ".join([thread.title, *thread.tags])
    return SearchEntryRecord(
        id=thread.id, owner=thread.owner, thread=thread.id, at=thread.updated, folded=folded(text)
    )


def _entry(thread: ThreadRecord, message: MessageRecord) -> SearchEntryRecord:
    return SearchEntryRecord(
        id=message.id,
        owner=thread.owner,
        thread=thread.id,
        message=message.id,
        at=message.updated,
        folded=folded(_text(message.content)),
    )


def _text(content: Iterable[JsonValue]) -> str:
    return "\n".join(text for _, text in _texts(content))[:LONGEST_TEXT]


def _texts(content: Iterable[JsonValue]) -> list[tuple[str, str]]:
    """Return what can be found in the parts of a message, each with the kind of part it is in."""
    parts = [as_stored(part) for part in content]
    names = ("name", "text", "result")
    told = [(str(part["kind"]), part.get(name)) for part in parts for name in names]
    return [(kind, text) for kind, text in told if isinstance(text, str) and text]


def _hit(found: Found, words: list[str]) -> Hit:
    if found.message is None:
        pieces = snippet(found.title, words)
        return Hit("thread", found.thread, found.title, iso(found.at), found.mark, pieces=pieces)
    texts = _texts(cast("list[JsonValue]", found.content))
    kind, text = next((each for each in texts if _holds(each[1], words)), texts[0] if texts else ("text", ""))
    return Hit(
        "tool" if kind == "tool" else "message",
        found.thread,
        found.title,
        iso(found.at),
        found.mark,
        found.key or "",
        -1 if found.position is None else found.position,
        snippet(text[:LONGEST_TEXT], words),
    )


def _holds(text: str, words: list[str]) -> bool:
    plain = folded(text)
    return any(word in plain for word in words)
