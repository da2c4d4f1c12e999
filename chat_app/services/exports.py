"""Taking a thread out of Parley: one's own, or one that was opened to be read. The writers are in `export`."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, get_args

from sqlalchemy.orm import Session

from chat_app.data import agents, branches, events, threads, users
from chat_app.data.db import Database
from chat_app.data.records import ThreadRecord
from chat_app.services.export import Taken, as_events, as_json, as_markdown, stamp
from chat_app.services.masking import masked
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.rows import Row
from chat_app.services.viewing import Viewing
from chat_app.services.views import read_page

Kind = Literal["markdown", "json", "events"]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
ENDINGS: Final = {"markdown": "md", "json": "json", "events": "jsonl"}
MEDIA: Final = {
    "markdown": "text/markdown; charset=utf-8",
    "json": "application/json",
    "events": "application/jsonl",
}
LAST: Final = 2**31 - 1
"""A position after every row: the greatest whole number that a column holds on every database."""


@dataclass(frozen=True, slots=True)
class File:
    """A file to hand out: its name, its media type and what is in it."""

    name: str
    media: str
    text: str


class Exports:
    """Write threads for those who may read them."""

    def __init__(
        self, database: Database, policy: Policy, viewing: Viewing, *, now: Callable[[], datetime]
    ) -> None:
        """Read from `database`."""
        self._database = database
        self._policy = policy
        self._viewing = viewing
        self._now = now

    async def file(self, person: Person, thread_id: str, kind: Kind) -> File:
        """Return the branch of a thread that is shown, written as `kind`.

        Raises:
            Refused: there is no such thread for this person.
        """
        return await asyncio.to_thread(self._file, person, claimed(thread_id), kind)

    def _file(self, person: Person, thread_id: str, kind: Kind) -> File:
        with self._database.reading() as session:
            thread = threads.get(session, thread_id)
            mine = self._policy.may(person, Action.READ_THREAD, owner=thread.owner if thread else None)
            if thread is None or not (mine or self._viewing.may_read(session, person, thread)):
                raise Refused
            text = written(session, thread, kind, at=self._now(), mask=not mine)
        return File(f"{thread_id}.{ENDINGS[kind]}", MEDIA[kind], text)


def written(session: Session, thread: ThreadRecord, kind: Kind, *, at: datetime, mask: bool = False) -> str:
    """Return the shown branch of `thread`, written as `kind` at the time `at`.

    With `mask` the log keeps no value under the name of a secret: it is for somebody whom the agent did not answer.
    """
    if kind == "events":
        log = events.of_path(session, thread.id, branches.path(session, thread.id))
        return "".join(as_events(replace(one, payload=masked(one.payload)) if mask else one for one in log))
    taken = _taken(session, thread, at)
    return "".join(as_markdown(taken) if kind == "markdown" else as_json(taken))


def _taken(session: Session, thread: ThreadRecord, at: datetime) -> Taken:
    agent, owner = agents.get(session, thread.agent), users.get(session, thread.owner)
    return Taken(
        id=thread.id,
        title=thread.title,
        agent=agent.name if agent else "Agent",
        person=owner.display_name if owner else "",
        created=stamp(thread.created),
        exported=stamp(at),
        rows=list(_rows(session, thread.id)),
    )


def _rows(session: Session, thread_id: str) -> Iterator[Row]:
    pages, before, older = [], LAST, True
    while older:
        view = read_page(session, thread_id, before)
        pages.append(view.rows)
        older = view.older and bool(view.rows)
        before = view.rows[0].position if view.rows else before
    for page in reversed(pages):
        yield from page
