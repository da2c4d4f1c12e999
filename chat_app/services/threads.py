"""A person's threads: the list, one thread's live frames, older pages, and telling everyone what changed."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import asdict, replace
from datetime import datetime

from sqlalchemy.orm import Session

from chat_app.data import agents, threads
from chat_app.data.db import Database
from chat_app.data.records import ThreadLine, ThreadRecord
from chat_app.data.threads import Place
from chat_app.services import talking
from chat_app.services.bus import Bus, Wake
from chat_app.services.hub import LiveHub
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.rows import Thread, iso
from chat_app.services.viewing import Viewing
from chat_app.services.views import read_page

LISTED = 60
"""Threads of one page of the list; pinned ones come on top of the first."""
MOST_PINNED = 100


class Threads:
    """Read threads and follow what changes in them."""

    def __init__(
        self,
        database: Database,
        policy: Policy,
        hub: LiveHub,
        *,
        viewing: Viewing,
        bus: Bus,
    ) -> None:
        """Read from `database`; follow by `hub`; tell other processes by `bus`.

        Who is not the owner reads what `viewing` says is open to them.
        """
        self._database = database
        self._policy = policy
        self._hub = hub
        self._viewing = viewing
        self._bus = bus

    def writable(self, session: Session, person: Person, thread_id: str) -> ThreadRecord:
        """Return the thread, for a use case that will write to it.

        Raises:
            Refused: there is no such thread for this person.
        """
        thread = threads.get(session, claimed(thread_id))
        self._policy.require(person, Action.WRITE_THREAD, owner=thread.owner if thread else None)
        assert thread is not None  # the policy lets nobody near what is not there
        return thread

    def require_agent(self, session: Session, person: Person, agent_id: str) -> None:
        """Return when the person may talk to an agent.

        Raises:
            AgentClosed: it is not open to this person, is off, or is not there; they look the same.
        """
        talking.required(session, self._policy, person, agent_id)

    def open_agents(self, session: Session, person: Person) -> tuple[str, ...]:
        """Return the ids of the agents a person may talk to."""
        return tuple(agent.id for agent in talking.open_to(session, self._policy, person))

    async def follow(self, person: Person, thread_id: str, cursor: str) -> AsyncGenerator[str, None]:
        """Yield the frames of a thread, from `cursor` on or from a snapshot, until closed.

        Who may only read is told so first; that they look makes nothing read for the owner.

        Raises:
            Refused: there is no such thread for this person.
        """
        mine = await asyncio.to_thread(self._is_own, person, thread_id)
        if mine:
            await self._look(person.id, thread_id)
        else:
            yield _dumps({"t": thread_id, "may": "read"})
        async with (
            self._hub.use(thread_id) as channel,
            aclosing(channel.follow(cursor, owner=mine)) as frames,
        ):
            async for frame in frames:  # pragma: no branch - they never end by themselves
                yield frame

    async def older(self, person: Person, thread_id: str, before: int, *, until: int | None = None) -> str:
        """Return the page frame of the rows before position `before`; a longer page where `until` lies far back.

        Raises:
            Refused: there is no such thread for this person.
        """
        await asyncio.to_thread(self._is_own, person, thread_id)
        page = await asyncio.to_thread(self._page, thread_id, before, until)
        return _dumps({"t": thread_id, "page": page})

    async def follow_list(self, person: Person) -> AsyncGenerator[str, None]:
        """Yield the person's thread list and then each change of it, until closed."""
        with self._hub.feed(person.id) as feed:
            yield _dumps(await asyncio.to_thread(self._list, person.id))
            async with aclosing(feed.frames()) as frames:
                async for frame in frames:
                    yield frame

    async def changed(self, owner: str, thread_id: str) -> None:
        """Show followers of the thread, and its owner's lists, here and elsewhere, what SQL holds now."""
        self._bus.post(frozenset({Wake(thread_id, owner)}))
        await self.show(owner, thread_id)

    async def show(self, owner: str, thread_id: str) -> None:
        """Show who is here what SQL holds now."""
        await self._hub.refresh(thread_id)
        channel = self._hub.channel(thread_id)
        seen = channel is not None and channel.owners > 0
        async with self._hub.turn(thread_id):
            self._push(owner, thread_id, *await asyncio.to_thread(self._line, thread_id, see=seen))
        self._hub.stir.tell()

    async def show_list(self, owner: str) -> None:
        """Show a person's open lists whole: anything in them may have changed."""
        self._hub.stir.tell()
        self._hub.push(owner, "", _dumps(await asyncio.to_thread(self._list, owner)))

    async def page(self, person: Person, before: tuple[datetime, str] | None, *, archived: bool) -> str:
        """Return the frame of a further page of the person's list, or of the archive.

        `before` is when the last thread shown changed, and its id; without it, the first page.
        """
        place = Place(*before) if before is not None else None
        return _dumps(await asyncio.to_thread(self._further, person.id, place, archived=archived))

    async def _look(self, owner: str, thread_id: str) -> None:
        """Note that the owner has the thread before them; their lists are told when it was unread."""
        async with self._hub.turn(thread_id):
            thread, seen = await asyncio.to_thread(self._line, thread_id, see=True)
            if seen:
                self._push(owner, thread_id, thread, seen)

    def _push(self, owner: str, thread_id: str, thread: Thread | None, seen: bool) -> None:
        if thread is None:
            self._hub.push(owner, thread_id, _dumps({"thread_gone": thread_id}))
        else:
            self._hub.push(owner, thread.id, _dumps({"thread": asdict(thread)}))
            if seen:
                self._bus.post(frozenset({Wake(thread.id, owner)}))

    def _is_own(self, person: Person, thread_id: str) -> bool:
        """Return whether a thread is one's own; False when it is somebody else's and open to be read.

        Raises:
            Refused: neither.
        """
        with self._database.reading() as session:
            thread = threads.get(session, claimed(thread_id))
            owner = thread.owner if thread is not None else None
            if self._policy.may(person, Action.READ_THREAD, owner=owner):
                return True
            if self._viewing.may_read(session, person, thread):
                return False
        raise Refused

    def _page(self, thread_id: str, before: int, until: int | None) -> dict[str, object]:
        with self._database.reading() as session:
            view = read_page(session, thread_id, before, until=until)
        return {"rows": [asdict(row) for row in view.rows], "older": view.older}

    def _list(self, owner: str) -> dict[str, object]:
        with self._database.reading() as session:
            pinned = threads.listed(session, owner, pinned=True, limit=MOST_PINNED)
            page = threads.listed(session, owner, limit=LISTED)
            names = agents.names(session)
        return {"threads": _told(names, *pinned.threads, *page.threads), "more": page.more}

    def _further(self, owner: str, before: Place | None, *, archived: bool) -> dict[str, object]:
        with self._database.reading() as session:
            page = threads.listed(session, owner, before=before, limit=LISTED, archived=archived)
            on_top = archived and before is None
            pinned = threads.listed(session, owner, archived=True, pinned=True) if on_top else None
            names = agents.names(session)
        lines = (*(pinned.threads if pinned else ()), *page.threads)
        return {"list": {"threads": _told(names, *lines), "more": page.more, "archived": archived}}

    def _line(self, thread_id: str, *, see: bool) -> tuple[Thread | None, bool]:
        """Read a thread for the list, and whether its owner has just seen it; `see`: it is before them."""
        with self._database.reading() as session:
            line = threads.line(session, thread_id)
            names = agents.names(session) if line is not None else {}
        if line is None:
            return None, False
        unread = see and line.unread
        if unread:
            with self._database.transaction() as session:
                threads.see(session, thread_id, seq=line.last_seq)
            line = replace(line, seen_seq=line.last_seq)
        return _shown(line, names), unread


def _told(names: Mapping[str, str], *lines: ThreadLine) -> list[dict[str, object]]:
    return [asdict(_shown(line, names)) for line in lines]


def _shown(thread: ThreadLine, names: Mapping[str, str]) -> Thread:
    return Thread(
        id=thread.id,
        title=thread.title,
        mark=thread.mark,
        unread=thread.unread,
        updated=iso(thread.updated),
        agent=names.get(thread.agent, ""),
        pinned=thread.pinned,
        archived=thread.archived,
        tags=list(thread.tags),
    )


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
