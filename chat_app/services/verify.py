"""Are the tables what the log folds to? Each thread is read, folded again along every branch, and compared.

Compared are the drawn rows (key, place, role, run, parts), the tool calls, the agent's state, the counter and what was
asked (`verify_asked`); times of parts are not, because a run that goes on with a very old row does not know them. A
thread with a live run is skipped: its log is ahead of its rows by what still grows.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import AguiError
from chat_app.data import audit, branches, events, exchanges, interrupts, messages, threads, tool_calls
from chat_app.data.columns import UNSTORABLE
from chat_app.data.db import Database
from chat_app.data.records import MessageRecord, ThreadRecord, ToolCallRecord
from chat_app.services.content import Content, Stored, as_stored, calls_of
from chat_app.services.materialise import Drawn, Folded, fold
from chat_app.services.verify_asked import Calls, differences

TIMES = ("started", "ended")


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that a log and the tables disagree about; `what` names the row or field by its key."""

    thread: str
    branch: int
    what: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What looking at one thread came to: how many rows were compared, and whether it was left out as live."""

    thread: str
    rows: int = 0
    live: bool = False
    differences: tuple[Difference, ...] = ()


class Verifier:
    """Compares every log with its tables."""

    def __init__(self, database: Database) -> None:
        """Read from `database`; nothing is written."""
        self._database = database

    def threads(self) -> Iterator[Verdict]:
        """Yield what looking at each thread came to, deleted ones too; one snapshot per thread."""
        with self._database.reading() as session:
            ids = threads.every_id(session)
        for thread_id in ids:
            with self._database.reading() as session:
                yield verdict(session, thread_id)

    def audit_broken_at(self) -> int | None:
        """Return the number of the first audit entry that was tampered with; None when none was."""
        with self._database.reading() as session:
            return audit.broken_at(session)


def verdict(session: Session, thread_id: str) -> Verdict:
    """Compare one thread with its log."""
    thread = threads.any_of(session, thread_id)
    if thread is None:  # erased since it was listed
        return Verdict(thread_id)
    if exchanges.live_of(session, thread_id) is not None:
        return Verdict(thread_id, live=True)
    numbers = [one.number for one in branches.of_thread(session, thread_id)] or [0]
    found = [_branch(session, thread, number) for number in numbers]
    told = [
        Difference(thread_id, number, what)
        for number, branch in zip(numbers, found, strict=True)
        for what in branch.told
    ]
    if not any(branch.unreadable for branch in found):
        asked = differences(session, thread_id, _arguments(found))
        told += [Difference(thread_id, thread.branch, what) for what in asked]
    return Verdict(thread_id, rows=sum(branch.rows for branch in found), differences=tuple(told))


@dataclass(frozen=True, slots=True)
class _Branch:
    """What looking at one branch came to; `folded` is what its log gave, None when it cannot be read."""

    rows: int
    told: list[str]
    folded: Folded | None = None

    @property
    def unreadable(self) -> bool:
        return self.folded is None


def _arguments(found: Sequence[_Branch]) -> Calls:
    texts: defaultdict[str, set[str]] = defaultdict(set)
    rows = [row for branch in found if branch.folded is not None for row in branch.folded.rows]
    for part in (part for row in rows for part in calls_of(row.content)):
        texts[str(part["call"])].add(str(part["text"]))
    return {call: frozenset(known) for call, known in texts.items()}


def _branch(session: Session, thread: ThreadRecord, number: int) -> _Branch:
    log = events.of_path(session, thread.id, branches.path(session, thread.id, number))
    stored = messages.of_thread(session, thread.id, branch=number)
    try:
        folded = fold(log, ask_tools=interrupts.asking_tools(session, thread.id))
    except AguiError as error:
        return _Branch(len(stored), [f"log: {error}"])
    calls = tool_calls.of_messages(session, [row.id for row in stored])
    told = [*_rows(folded.rows, stored), *_calls(stored, calls)]
    if number == thread.branch:
        told += _counters(thread, folded, stored)
    return _Branch(len(stored), told, folded)


def _rows(drawn: Sequence[Drawn], stored: Sequence[MessageRecord]) -> list[str]:
    wanted = {UNSTORABLE.sub("\ufffd", row.key): _shape(row) for row in drawn}
    held = {row.key: _shape(row) for row in stored}
    return [f"row {key}" for key in sorted({*wanted, *held}) if wanted.get(key) != held.get(key)]


def _shape(row: Drawn | MessageRecord) -> tuple[object, ...]:
    wire_id, role = (UNSTORABLE.sub("\ufffd", text) for text in (row.wire_id, row.role))
    return wire_id, role, row.position, row.run, _untimed(row.content)


def _untimed(content: Content) -> list[dict[str, JsonValue]]:
    return [{k: v for k, v in as_stored(part).items() if k not in TIMES} for part in content]


def _calls(stored: Sequence[MessageRecord], calls: Sequence[ToolCallRecord]) -> list[str]:
    wanted = {(row.id, *_call(part)) for row in stored for part in calls_of(row.content)}
    held = {(one.message, one.wire_id, one.name, one.arguments, one.status, one.result) for one in calls}
    return sorted({f"call {one[1]}" for one in wanted ^ held})


def _call(part: Stored) -> tuple[str, ...]:
    named = (part["call"], part["name"], part["text"], part["status"], part["result"])
    texts = (UNSTORABLE.sub("\ufffd", one) if isinstance(one, str) else one for one in named)
    return cast("tuple[str, ...]", tuple(texts))


def _counters(thread: ThreadRecord, folded: Folded, stored: Sequence[MessageRecord]) -> list[str]:
    told = []
    if folded.state is not None and folded.state[0] != thread.state:
        told.append("state")
    if max([folded.last_seq, *(row.position for row in stored)]) > thread.last_seq:
        told.append("counter")
    if stored and thread.leaf != stored[-1].id:
        told.append("leaf")
    return told
