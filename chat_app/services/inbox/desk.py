"""The inbox: questions of all threads that a person may decide, live, and who has which in hand.

Having a question in hand is a word to colleagues, no right: whoever may decide it still may. Its right is asked anew
at every act, and a question one may not see is not there.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy.orm import Session

from chat_app.data import inbox
from chat_app.data.db import Database
from chat_app.data.inbox import InboxLine
from chat_app.data.records import InterruptRecord, ThreadRecord
from chat_app.services import questions
from chat_app.services.approvals import Answer, Approvals, late
from chat_app.services.deciding import able, ask_of, visible
from chat_app.services.hub import LiveHub
from chat_app.services.inbox.pulse import Pulse
from chat_app.services.inbox.reading import read_inbox, same_of
from chat_app.services.inbox.shapes import Page, Query
from chat_app.services.judging import is_stale, judge_anew, looker, place
from chat_app.services.policy import Action, Person, Policy, claimed
from chat_app.services.problems import ChatError, InHand, NotAlike, NotYours
from chat_app.services.telling import Tell, nobody
from chat_app.services.threads import Threads

MOST_AT_ONCE = 100


class Inbox:
    """List, follow, hand out, and decide alike questions together."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        policy: Policy,
        hub: LiveHub,
        *,
        threads: Threads,
        approvals: Approvals,
        now: Callable[[], datetime],
        tell: Tell = nobody,
    ) -> None:
        """Read and write `database`; decide by `approvals`; who looks hears of it by `threads`, others by `tell`."""
        self._tell = tell
        self._database = database
        self._policy = policy
        self._threads = threads
        self._approvals = approvals
        self._now = now
        self._pulse = Pulse(self._print, hub.stir)

    async def stop(self) -> None:
        """Look after nothing any more."""
        await self._pulse.stop()

    # ------------------------------------------------------------ looking

    async def page(self, person: Person, query: Query) -> Page:
        """Return what a tab of the inbox shows.

        Raises:
            Refused: this person has no inbox.
        """
        return await asyncio.to_thread(self._page, person, query)

    async def follow(self, person: Person, query: Query) -> AsyncGenerator[str, None]:
        """Yield the frame of what a tab shows, and another whenever it differs.

        Raises:
            Refused: this person has no inbox.
        """
        last = ""
        while True:
            beat = self._pulse.beat
            page = await self.page(person, query)
            frame = _dumps({"inbox": {"asked": asdict(query), **asdict(page)}})
            if frame != last:
                last = frame
                yield frame
            await self._pulse.after(beat)

    async def follow_count(self, person: Person) -> AsyncGenerator[str, None]:
        """Yield how many questions wait for a person and which is the newest, and again whenever that differs.

        Where two are needed, one that the person has agreed to waits for somebody else.
        """
        if not self._policy.may(person, Action.OPEN_INBOX):
            return
        last = ""
        while True:
            beat = self._pulse.beat
            frame = _dumps(await asyncio.to_thread(self._count, person))
            if frame != last:
                last = frame
                yield frame
            await self._pulse.after(beat)

    # ------------------------------------------------------------ handing out

    async def claim(self, person: Person, interrupt_id: str) -> str:
        """Take a question in hand; returns its thread.

        Raises:
            InHand: somebody else has it; the problem tells who.
            NotYours, Late, Refused: it is not the person's to decide, it is over, there is none.
        """
        return await self.give(person, interrupt_id, person.id)

    async def give(self, person: Person, interrupt_id: str, to: str) -> str:
        """Hand a question to somebody who may decide it, or to nobody (""); returns its thread.

        Who has it in hand may hand it on; a free one may be given by anybody who may decide it.

        Raises:
            InHand: somebody else has it; the problem tells who.
            NotYours: this person, or the other, does not decide it.
            Late: it is decided, or over.
            Refused: there is no such question for this person.
        """
        owner, thread = await asyncio.to_thread(self._give, person, interrupt_id, to)
        await self._threads.changed(owner, thread)
        return thread

    # ------------------------------------------------------------ together

    async def approve_alike(
        self, person: Person, interrupt_ids: Sequence[str]
    ) -> tuple[int, ChatError | None]:
        """Approve questions about the same call of the same tool, one after the other.

        Returns how many were approved, and what came in the way of the first of the others.

        Raises:
            NotAlike: they are not the same call of the same tool, or not all of them wait for this person.
        """
        found = await asyncio.to_thread(self._alike, person, interrupt_ids)
        done, trouble = 0, None
        for line in found:
            try:
                await self._approvals.decide(person, line.id, Answer("approve", digest=line.digest or ""))
                done += 1
            except ChatError as error:
                trouble = trouble or error
        return done, trouble

    # ------------------------------------------------------------ in a worker thread

    def _page(self, person: Person, query: Query) -> Page:
        self._judge()
        with self._database.reading() as session:
            return read_inbox(session, self._policy, person, query, now=self._now())

    def _count(self, person: Person) -> dict[str, int | str]:
        self._judge()
        looks = looker(self._policy, person)
        with self._database.reading() as session:
            count, newest = inbox.counts(session, looks).open, inbox.newest(session, looks)
        question, thread = newest or ("", "")
        return {"waiting": count, "newest": question, "of": thread}

    def _print(self) -> str:
        with self._database.reading() as session:
            return inbox.print_of(session)

    def _judge(self) -> None:
        """Judge what lies nowhere, or was judged by rules that hold no more."""
        with self._database.reading() as session:
            if not is_stale(session):
                return
        more = True
        while more:
            with self._database.transaction() as session:
                more = bool(judge_anew(session))

    def _give(self, person: Person, interrupt_id: str, to: str) -> tuple[str, str]:
        with self._database.transaction() as session:
            asked, thread = self._mine(session, person, interrupt_id)
            if to and not self._decides(session, asked, thread, to):
                raise NotYours
            lies = inbox.get(session, asked.id)
            was = lies.holder if lies is not None else None
            if was is not None and was != person.id:
                raise InHand(self._holder(session, asked.id))
            if lies is None:
                place(session, [asked])
            now = self._now()
            if not inbox.hold(session, asked.id, holder=to or None, by=person.id, at=now, was=was):
                raise InHand(self._holder(session, asked.id))
            act = "claim" if to == person.id else "assign" if to else "release"
            if act == "assign":
                self._tell(session, "assigned", asked, by=person.id, to=to)
            questions.note(session, asked, act, actor=person.id, at=now, more={"to": to or None})
            return thread.owner, thread.id

    def _mine(
        self, session: Session, person: Person, interrupt_id: str
    ) -> tuple[InterruptRecord, ThreadRecord]:
        asked, thread = visible(session, self._policy, person, interrupt_id)
        if asked.status != "pending":
            raise late(session, asked.id)
        if not self._policy.may_decide(person, ask_of(session, asked, thread)):
            raise NotYours
        return asked, thread

    def _decides(self, session: Session, asked: InterruptRecord, thread: ThreadRecord, to: str) -> bool:
        deciders = able(session, self._policy, ask_of(session, asked, thread))
        return any(one.id == to for one in deciders)

    def _holder(self, session: Session, interrupt_id: str) -> str:
        line = inbox.line(session, interrupt_id)
        return (line.holder_name or "") if line is not None else ""

    def _alike(self, person: Person, interrupt_ids: Sequence[str]) -> tuple[InboxLine, ...]:
        ids = list(dict.fromkeys(claimed(one) for one in interrupt_ids))
        self._policy.require(person, Action.OPEN_INBOX)
        with self._database.reading() as session:
            found = inbox.alike(session, looker(self._policy, person), ids[:MOST_AT_ONCE])
        same = {same_of(line) for line in found}
        if not found or len(found) != len(ids) or len(same) != 1 or "" in same:
            raise NotAlike
        return found


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
