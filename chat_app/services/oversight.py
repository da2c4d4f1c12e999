"""The threads of everybody, for those who look after them: found by what they are, opened for a reason."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import agents, audit, oversight, runs, threads
from chat_app.data.db import Database
from chat_app.data.oversight import Overseen, Wanted
from chat_app.data.records import AgentRecord
from chat_app.services.digest import fingerprint
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.rows import Viewed
from chat_app.services.run_details import Details, counted, details_of
from chat_app.services.search import Search
from chat_app.services.thread_filters import Asked, after_of, place_of, wanted_of
from chat_app.services.threads import Threads
from chat_app.services.viewing import Viewing, openings

__all__ = ["PAGE", "About", "AgentRecord", "Asked", "Contents", "Listed", "Overseen", "Oversight"]

PAGE = 50
RUNS = 100
"""How many runs of a thread are listed; they are the newest."""
SEARCH = "thread.search"
"""The action under which the audit holds that somebody looked for words in texts of others."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a thread: messages in all its branches, the tools that were called, and tokens as far as told."""

    messages: int = 0
    tools: tuple[str, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of threads, newest first, with what is in each; `after` asks for the next one, empty on the last."""

    threads: tuple[Overseen, ...]
    after: str = ""
    contents: Mapping[str, Contents] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a thread without reading it: its newest runs, who opened it lately, and whether `opened` now."""

    thread: Overseen
    runs: tuple[Details, ...]
    viewed: tuple[Viewed, ...]
    opened: bool


class Oversight:
    """List and open the threads of everybody."""

    def __init__(  # noqa: PLR0913 - what it looks at
        self,
        database: Database,
        policy: Policy,
        viewing: Viewing,
        threads: Threads,
        *,
        search: Search,
        now: Callable[[], datetime],
    ) -> None:
        """Read from `database`; an opening is written down by `viewing` and told by `threads`.

        Texts are found in what `search` keeps up to date.
        """
        self._database = database
        self._search = search
        self._now = now
        self._policy = policy
        self._viewing = viewing
        self._threads = threads

    @property
    def opens(self) -> bool:
        """Whether threads of others can be opened here at all."""
        return self._viewing.allowed

    def may(self, person: Person) -> bool:
        """Return whether a person looks after threads."""
        return self._policy.may(person, Action.READ_ANY_THREAD)

    async def listed(self, person: Person, asked: Asked) -> Listed:
        """Return a page of the threads that were asked for; what cannot be, like a day that is none, finds nothing.

        That somebody looked for words in texts of others is an entry of the audit, which has no word of them.

        Raises:
            Refused: the person does not look after threads.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._listed, person, asked)

    async def agents(self, person: Person) -> Sequence[AgentRecord]:
        """Return the agents that threads may be with, by name.

        Raises:
            Refused: the person does not look after threads.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._agents)

    async def about(self, person: Person, thread_id: str) -> About:
        """Return what may be known of a thread before it is opened.

        Raises:
            Refused: there is no such thread for this person.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._about, person, claimed(thread_id))

    async def open(self, person: Person, thread_id: str, reason: str) -> str:
        """Open a thread for a reason, which its owner sees at once; returns its id.

        Raises:
            NoReason: none was given, or one that is too long to be read.
            Refused: there is no such thread for this person, or none can be opened here.
        """
        opened = await self._viewing.open(person, thread_id, reason)
        await self._threads.changed((await self.about(person, opened)).thread.owner, opened)
        return opened

    def _listed(self, person: Person, asked: Asked) -> Listed:
        if not asked.text.strip():
            return self._page(asked)
        if not self._viewing.allowed:
            return Listed(())
        self._search.index()
        found = self._page(asked)
        detail: JsonValue = {"digest": fingerprint(json.dumps(asked.text)), "found": len(found.threads)}
        act = audit.Act(action=SEARCH, object="threads", actor=person.id, at=self._now(), detail=detail)
        with self._database.transaction() as session:
            audit.append(session, act)
        return found

    def _page(self, asked: Asked) -> Listed:
        with self._database.reading() as session:
            try:
                wanted = self._wanted(session, asked)
                before = place_of(asked.after)
            except (ValueError, Refused):
                return Listed(())
            found = oversight.page(session, wanted, before=before, limit=PAGE + 1)
            shown = tuple(map(self._shown, found[:PAGE]))
            inside = oversight.holds(session, [one.id for one in shown])
        contents = {one: _contents(held) for one, held in inside.items()}
        return Listed(shown, after_of(shown[-1]) if len(found) > PAGE else "", contents)

    def _shown(self, thread: Overseen) -> Overseen:
        """Return a thread without its title where nobody reads threads of others: it is the first line of a person."""
        return thread if self._viewing.allowed else replace(thread, title="")

    def _wanted(self, session: Session, asked: Asked) -> Wanted:
        if asked.words.strip() and not self._viewing.allowed:
            raise Refused
        return wanted_of(session, asked)

    def _agents(self) -> Sequence[AgentRecord]:
        with self._database.reading() as session:
            return agents.every(session)

    def _about(self, person: Person, thread_id: str) -> About:
        with self._database.reading() as session:
            found = oversight.one(session, thread_id)
            if found is None:
                raise Refused
            opened = self._viewing.may_read(session, person, threads.get(session, thread_id))
            latest = tuple(details_of(run) for run in runs.latest(session, thread_id, limit=RUNS))
            without_words = tuple(replace(one, message="") for one in latest)
            return About(self._shown(found), without_words, tuple(openings(session, thread_id)), opened)


def _contents(held: oversight.Holds) -> Contents:
    counts = [counted(usage, name) for usage in held.usage for name in ("inputTokens", "outputTokens")]
    return Contents(held.messages, held.tools, sum(max(count, 0) for count in counts))
