"""One run as those who look after threads see it: its events with their times, what it asked, and what was odd.

It is read behind the same gate as the thread: for a reason, which its owner sees. Where reading threads of others is
turned off, everything that holds words of people or agents is left out, and the times and kinds remain.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy.orm import Session

from chat_app.data import (
    decisions,
    events,
    exchanges,
    interrupts,
    oversight,
    runs,
    threads,
    tool_calls,
    users,
)
from chat_app.data.db import Database
from chat_app.data.oversight import Overseen
from chat_app.data.records import DecisionRecord, EventRecord, InterruptRecord, RunRecord
from chat_app.services.lanes import Lane, lanes
from chat_app.services.masking import masked
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.run_details import Details, details_of
from chat_app.services.viewing import Viewing

__all__ = ["PAGE", "Happened", "Lane", "Overseen", "Question", "Timeline", "Timelines", "Unopened"]

PAGE: Final = 200
CALLS: Final = 40
"""How many calls a timeline draws; the list of events has them all."""
LONGEST: Final = 20_000
"""Characters of a payload that are shown."""


class Unopened(Exception):  # noqa: N818 - it reads as what happened
    """The thread of a run was not opened for a reason yet; `thread` is its id."""

    def __init__(self, thread: str) -> None:
        """Name the thread."""
        super().__init__(thread)
        self.thread = thread


@dataclass(frozen=True, slots=True)
class Happened:
    """An entry of the log: its number, milliseconds since the run began, its type, its size in bytes, its payload.

    The payload is indented JSON without secrets; `cut` says that it went on. It is empty when it must not be read.
    """

    seq: int
    after_ms: int
    type: str
    size: int
    payload: str = ""
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a run asked, and what was decided: seconds it waited, the kind of answer, who gave it, their note.

    `wait` is None while it waits. `message` and `note` are words of people and agents.
    """

    tool: str
    status: str
    digest: str
    asked: datetime
    wait: float | None
    kind: str = ""
    by: str = ""
    message: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """A run with a page of its events; `after` asks for the next page, `first` says that none came before.

    `cause` is why its exchange began and `by` who began it; `others` are the runs of the same exchange with how each
    ended, in order. `seconds` is how long the agent was at work and `waited` how long people let it wait.
    """

    thread: Overseen
    run: Details
    cause: str
    by: str
    others: tuple[tuple[str, str], ...]
    seconds: float
    waited: float
    lanes: tuple[Lane, ...]
    questions: tuple[Question, ...]
    events: tuple[Happened, ...]
    total: int
    reads: bool
    first: bool
    after: str = ""


class Timelines:
    """Tell what happened in a run."""

    def __init__(self, database: Database, policy: Policy, viewing: Viewing) -> None:
        """Read from `database`, what `viewing` has opened."""
        self._database = database
        self._policy = policy
        self._viewing = viewing

    async def of_run(self, person: Person, run_id: str, after: str = "") -> Timeline:
        """Return a run with the events behind the number `after`.

        Raises:
            Refused: there is no such run for this person.
            Unopened: the person may open its thread, and has not said why.
        """
        self._policy.require(person, Action.READ_ANY_THREAD)
        return await asyncio.to_thread(self._of_run, person, claimed(run_id), after)

    def _of_run(self, person: Person, run_id: str, after: str) -> Timeline:
        with self._database.reading() as session:
            run = runs.get(session, run_id)
            thread = oversight.one(session, run.thread) if run is not None else None
            if run is None or thread is None:
                raise Refused
            return self._told(
                session, run, thread, _number(after), reads=self._reads(session, person, thread)
            )

    def _reads(self, session: Session, person: Person, thread: Overseen) -> bool:
        if thread.owner == person.id or self._viewing.may_read(
            session, person, threads.get(session, thread.id)
        ):
            return True
        if self._viewing.allowed:
            raise Unopened(thread.id)
        return False

    def _told(
        self, session: Session, run: RunRecord, thread: Overseen, after: int, *, reads: bool
    ) -> Timeline:
        found = events.of_run(session, run.id, after=after, limit=PAGE + 1)
        exchange = exchanges.get(session, run.exchange)
        assert exchange is not None, "a run keeps its exchange"
        asked, calls = interrupts.of_run(session, run.id), tool_calls.of_run(session, run.id, limit=CALLS)
        shown = found[:PAGE]
        drawn = lanes(run, calls, asked)
        details = details_of(run)
        return Timeline(
            thread=thread if reads else replace(thread, title=""),
            run=details if reads else replace(details, message=""),
            cause=exchange.kind,
            by=_called(session, exchange.by),
            others=tuple((one.id, one.status) for one in runs.of_exchange(session, run.exchange)),
            seconds=drawn[0].seconds,
            waited=max((one.seconds for one in drawn if one.kind == "wait"), default=0.0),
            lanes=drawn,
            questions=tuple(_questions(session, run, asked, reads=reads)),
            events=tuple(_happened(one, run.started, reads=reads) for one in shown),
            total=events.count_of_run(session, run.id),
            reads=reads,
            first=after == 0,
            after=str(shown[-1].seq) if len(found) > PAGE else "",
        )


def _number(after: str) -> int:
    """Return behind which entry a page begins.

    Raises:
        Refused: no page begins there.
    """
    if not after:
        return 0
    if not (after.isascii() and after.isdecimal()) or len(after) > 9:
        raise Refused
    return int(after)


def _happened(entry: EventRecord, began: datetime, *, reads: bool) -> Happened:
    whole = json.dumps(entry.payload, ensure_ascii=False, separators=(",", ":"))
    after = round((entry.at - began).total_seconds() * 1000)
    size = len(whole.encode(errors="replace"))
    if not reads:
        return Happened(entry.seq, after, entry.type, size)
    text = json.dumps(masked(entry.payload), ensure_ascii=False, indent=2)
    return Happened(entry.seq, after, entry.type, size, text[:LONGEST], len(text) > LONGEST)


def _questions(
    session: Session, run: RunRecord, asked: tuple[InterruptRecord, ...], *, reads: bool
) -> Iterator[Question]:
    decided = {answer.interrupt: answer for answer in decisions.of_run(session, run.id)}
    for one in asked:
        yield _question(session, one, decided.get(one.id), reads=reads)


def _question(
    session: Session, asked: InterruptRecord, decided: DecisionRecord | None, *, reads: bool
) -> Question:
    over = decided.at if decided is not None else asked.settled_at
    return Question(
        tool=asked.tool_name or "",
        status=asked.status,
        digest=asked.args_digest or "",
        asked=asked.created,
        wait=(over - asked.created).total_seconds() if over is not None else None,
        kind=decided.kind if decided is not None else "",
        by=_called(session, decided.by) if decided is not None and decided.by is not None else "",
        message=(asked.message or "") if reads else "",
        note=decided.note if decided is not None and reads else "",
    )


def _called(session: Session, user_id: str) -> str:
    user = users.get(session, user_id)
    return user.display_name if user is not None else ""
