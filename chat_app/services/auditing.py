"""The audit for those who may read it: a page of it, one entry with all that became of its question, and as a file.

What is read here is never changed. That somebody compared the whole of it with its hashes, or took it out as a file, is
an entry itself: so everybody sees up to where it was found whole, on every worker, and who has a copy.
"""

import asyncio
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, get_args

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import agents, audit, users
from chat_app.data.db import Database
from chat_app.data.records import AgentRecord, AuditRecord
from chat_app.services.audit_asked import Asked, place_of, sought_of
from chat_app.services.policy import Action, Person, Policy, Refused
from chat_app.services.trail import Form, Trail, head, line

__all__ = ["FORMS", "AgentRecord", "Asked", "Auditing", "Chain", "Entry", "Listed", "Story"]

PAGE: Final = 100
LOG: Final = "audit"
"""What is done to the audit itself is kept under this name."""
CHECKED: Final = "audit.checked"
EXPORTED: Final = "audit.exported"
FORMS: Final[tuple[Form, ...]] = get_args(Form)


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry with the names of today: of who did it (empty: the system), and of whom it is about, if of anybody."""

    record: AuditRecord
    name: str
    about: str = ""

    def told(self, name: str) -> str:
        """Return a value of its detail as text, empty when it has none of that name."""
        detail = self.record.detail
        found = detail.get(name) if isinstance(detail, dict) else None
        return found if isinstance(found, str) else ""


@dataclass(frozen=True, slots=True)
class Chain:
    """How whole the audit is known to be: `last` entries, of which the first `upto` were compared at `at` by `name`.

    `broken` is the number of the first that was not as it was written; without `at` nobody has looked yet.
    """

    last: int
    upto: int = 0
    at: datetime | None = None
    name: str = ""
    broken: int | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of entries, newest first; `after` asks for the next one and is empty on the last."""

    entries: tuple[Entry, ...]
    chain: Chain
    after: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """One entry, whether it is as it was written, and everything that was done to the same thing, oldest first."""

    entry: Entry
    fits: bool
    steps: tuple[Entry, ...]


class Auditing:
    """Read the audit, compare it with its hashes, and hand it out."""

    def __init__(self, database: Database, policy: Policy, *, now: Callable[[], datetime]) -> None:
        """Read from `database`."""
        self._database = database
        self._policy = policy
        self._now = now

    async def listed(self, person: Person, asked: Asked) -> Listed:
        """Return a page of what was asked for; what cannot be, like a day that is none, finds nothing.

        Raises:
            Refused: the person does not read the audit.
        """
        self._policy.require(person, Action.READ_AUDIT)
        return await asyncio.to_thread(self._listed, asked)

    async def agents(self, person: Person) -> Collection[AgentRecord]:
        """Return the agents that entries may be about, by name.

        Raises:
            Refused: the person does not read the audit.
        """
        self._policy.require(person, Action.READ_AUDIT)
        return await asyncio.to_thread(self._agents)

    async def story(self, person: Person, number: str) -> Story:
        """Return the entry of a number with what belongs to it.

        Raises:
            Refused: there is no such entry for this person.
        """
        self._policy.require(person, Action.READ_AUDIT)
        if not (number.isascii() and number.isdecimal() and len(number) < len(str(audit.END))):
            raise Refused
        return await asyncio.to_thread(self._story, int(number))

    async def check(self, person: Person) -> None:
        """Compare every entry with its hash and with the one before it, and write down what was found.

        Raises:
            Refused: the person does not read the audit.
        """
        self._policy.require(person, Action.READ_AUDIT)
        await asyncio.to_thread(self._check, person)

    async def file(self, person: Person, asked: Asked, form: Form) -> Iterator[str]:
        """Return the entries that were asked for as lines, oldest first, up to the one that says who took them out.

        Entries are read in pages as they are taken, so that no reader of the database waits for a slow download.

        Raises:
            Refused: the person does not read the audit.
        """
        self._policy.require(person, Action.READ_AUDIT)
        return await asyncio.to_thread(self._file, person, asked, form)

    def _listed(self, asked: Asked) -> Listed:
        with self._database.reading() as session:
            chain = _chain(session)
            try:
                sought, before = sought_of(session, asked), place_of(asked.after)
            except (ValueError, Refused):
                return Listed((), chain)
            found = audit.newest(session, sought, before=before, limit=PAGE + 1)
            shown = tuple(_named(session, found[:PAGE]))
        return Listed(shown, chain, str(shown[-1].record.seq) if len(found) > PAGE else "")

    def _agents(self) -> Collection[AgentRecord]:
        with self._database.reading() as session:
            return agents.every(session)

    def _story(self, number: int) -> Story:
        with self._database.reading() as session:
            entry = audit.get(session, number)
            if entry is None:
                raise Refused
            before = audit.get(session, number - 1)
            # the audit of the audit is long and says nothing about one entry
            alike = (entry,) if entry.object == LOG else audit.of_object(session, entry.object)
            (shown,) = _named(session, [entry])
            return Story(shown, audit.fits(entry, before), tuple(_named(session, alike)))

    def _check(self, person: Person) -> None:
        checked = Trail(self._database).check()
        found: JsonValue = {"count": checked.count, "broken": checked.broken}
        with self._database.transaction() as session:
            self._note(session, person, CHECKED, found)

    def _file(self, person: Person, asked: Asked, form: Form) -> Iterator[str]:
        with self._database.transaction() as session:
            try:
                sought = sought_of(session, asked)
            except (ValueError, Refused):
                sought = None
            said = self._note(session, person, EXPORTED, {"form": form, "filters": _filters(sought, asked)})
        return self._lines(sought, form, said.seq)

    def _lines(self, sought: audit.Sought | None, form: Form, upto: int) -> Iterator[str]:
        yield from head(form)
        after = 0
        while sought is not None and (found := self._piece(sought, after, upto)):
            yield "".join(line(entry, form) for entry in found)
            after = found[-1].seq

    def _piece(self, sought: audit.Sought, after: int, upto: int) -> tuple[AuditRecord, ...]:
        with self._database.reading() as session:
            return audit.oldest(session, sought, after=after, upto=upto)

    def _note(self, session: Session, person: Person, action: str, detail: JsonValue) -> AuditRecord:
        act = audit.Act(action=action, object=LOG, actor=person.id, at=self._now(), detail=detail)
        return audit.append(session, act)


def _filters(sought: audit.Sought | None, asked: Asked) -> JsonValue:
    """Return what was asked for by ids and codes: what was typed is a text, and stays out of the audit."""
    if sought is None:
        return None
    given = {
        "actor": sought.actor,
        "kind": sought.kind,
        "outcome": asked.outcome,
        "agent": sought.agent,
        "tool": sought.tool,
        "thread": sought.thread,
        "since": asked.since,
        "until": asked.until,
    }
    return {name: value for name, value in given.items() if value}


def _chain(session: Session) -> Chain:
    newest = audit.newest(session, audit.Sought(thing=LOG, actions=(CHECKED,)), limit=1)
    if not newest:
        return Chain(audit.last(session))
    (checked,) = _named(session, newest)
    detail = checked.record.detail if isinstance(checked.record.detail, dict) else {}
    upto, broken = detail.get("count"), detail.get("broken")
    return Chain(
        last=audit.last(session),
        upto=upto if isinstance(upto, int) else 0,
        at=checked.record.at,
        name=checked.name,
        broken=broken if isinstance(broken, int) else None,
    )


def _named(session: Session, found: Collection[AuditRecord]) -> Iterator[Entry]:
    """Yield entries with the names of people and threads, each asked for once."""
    names: dict[str, str] = {}
    for entry in found:
        actor = entry.actor or ""
        if actor and actor not in names:
            user = users.get(session, actor)
            names[actor] = user.display_name if user is not None else actor
        if entry.object not in names:
            names[entry.object] = _about(session, entry.object)
        yield Entry(entry, names.get(actor, ""), names[entry.object])


def _about(session: Session, thing: str) -> str:
    """Return what people call a thing; empty for what has no name, or is gone."""
    kind, _, row = thing.partition(":")
    if kind == "user":
        user = users.get(session, row)
        return user.display_name if user is not None else ""
    if kind == "agent":
        agent = agents.get(session, row)
        return agent.name if agent is not None else ""
    return ""
