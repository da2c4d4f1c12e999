"""Edit a line, have it answered again, go back to how it was: each turn is a branch, and nothing is destroyed.

A branch begins with what its parent's log held before the fork, folded again: the agent gets exactly the history and
the state of that moment. Agents that keep their own history get a new thread id, because theirs cannot be cut.
"""

from dataclasses import dataclass, replace

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.agui import AguiError
from chat_app.data import (
    agents,
    attachments,
    branches,
    events,
    exchanges,
    interrupts,
    messages,
    runs,
    threads,
    tool_calls,
)
from chat_app.data.columns import UNSTORABLE
from chat_app.data.db import Database
from chat_app.data.records import (
    AttachmentRecord,
    BranchRecord,
    MessageRecord,
    RunRecord,
    ThreadMark,
    ThreadRecord,
)
from chat_app.services import questions
from chat_app.services.chat import clean
from chat_app.services.content import OURS, as_stored
from chat_app.services.eventlog import EDIT
from chat_app.services.materialise import Drawn, Folded, fold
from chat_app.services.openings import Opener, launch_of
from chat_app.services.policy import Person, claimed
from chat_app.services.problems import Busy, NotEditable, Unreadable
from chat_app.services.recorder import calls_in
from chat_app.services.starting import Outcome, Starter, outcome_of
from chat_app.services.states import state_at
from chat_app.services.supervisor import Supervisor
from chat_app.services.threads import Threads


@dataclass(frozen=True, slots=True)
class Turn:
    """Where a branch leaves its parent: at which row, and before which position."""

    row: MessageRecord
    parent: int
    fork: int


class Branching:
    """Make branches and choose among them."""

    def __init__(
        self, database: Database, opener: Opener, threads_service: Threads, supervisor: Supervisor
    ) -> None:
        """Act on threads of `database`."""
        self._opener = opener
        self._threads = threads_service
        self._starter = Starter(database, threads_service, supervisor)

    async def edit(self, person: Person, thread_id: str, key: str, text: str) -> str:
        """Say `text` instead of the person's line with row key `key`, in a new branch; returns the thread's id.

        Files of the line go with what is said instead.

        Raises:
            NotEditable: there is no such line in the branch shown.
            EmptyMessage, MessageTooLong, Busy, AgentClosed, TooFast, Restarting: as their names say; nothing changed.
            Refused: there is no such thread for this person.
        """
        text = clean(text)
        return await self._starter.act(lambda session: self._turn_off(session, person, thread_id, key, text))

    async def regenerate(self, person: Person, thread_id: str, key: str) -> str:
        """Have a line answered again, in a new branch; `key` is the row of the line or of any answer to it.

        Raises:
            NotEditable, Busy, AgentClosed, TooFast, Restarting: as their names say; nothing changed.
            Refused: there is no such thread for this person.
        """
        return await self._starter.act(lambda session: self._turn_off(session, person, thread_id, key, None))

    async def choose(self, person: Person, thread_id: str, number: int) -> str:
        """Show another branch of a thread and go on from its end; returns the thread's id.

        Raises:
            NotEditable: there is no such branch.
            Busy: an answer is under way.
            Restarting: the process goes down; nothing changed.
            Refused: there is no such thread for this person.
        """
        return await self._starter.act(lambda session: self._choose(session, person, thread_id, number))

    # ------------------------------------------------------------ turning off

    def _turn_off(
        self, session: Session, person: Person, thread_id: str, key: str, text: str | None
    ) -> Outcome:
        thread = self._idle(session, person, thread_id)
        self._threads.require_agent(session, person, thread.agent)
        turn = turn_at(session, thread, key, edited=text is not None)
        try:
            thread = self._branch(session, person, thread, turn)
        except AguiError as error:
            raise Unreadable from error
        run = self._opener.open(session, thread, kind="retry" if text is None else "send", by=person.id)
        self._note(session, run, turn)
        if text is not None:
            self._opener.say(session, thread.id, run, text, files=_files(session, turn.row))
        return outcome_of(launch_of(run, thread))

    def _idle(self, session: Session, person: Person, thread_id: str) -> ThreadRecord:
        thread = self._threads.writable(session, person, claimed(thread_id))
        if exchanges.live_of(session, thread.id) is not None:
            raise Busy
        return thread

    def _branch(self, session: Session, person: Person, thread: ThreadRecord, turn: Turn) -> ThreadRecord:
        now = self._opener.now()
        if not branches.of_thread(session, thread.id):
            branches.add(session, branches.root(thread.id, wire_id=thread.wire_id, by=thread.owner, now=now))
        number = branches.next_number(session, thread.id)
        agent = agents.get(session, thread.agent)
        keeps = agent is not None and agent.keeps_history
        branch = BranchRecord(
            thread=thread.id,
            number=number,
            parent=turn.parent,
            fork=turn.fork,
            message=turn.row.id,
            wire_id=f"{thread.id}~{number}" if keeps else thread.wire_id,
            by=person.id,
            created=now,
        )
        branches.add(session, branch)
        return self._begin(session, thread, branch)

    def _begin(self, session: Session, thread: ThreadRecord, branch: BranchRecord) -> ThreadRecord:
        """Write the rows a branch begins with, and show it."""
        path = branches.path(session, thread.id, branch.number)
        log = events.of_path(session, thread.id, path)
        folded = fold(log, ask_tools=interrupts.asking_tools(session, thread.id))
        leaf = self._write_rows(session, branch, folded)
        state = folded.state[0] if folded.state is not None else None
        questions.supersede(session, thread.id, now=branch.created)  # those of the branch that is left
        threads.change(
            session,
            thread.id,
            branch=branch.number,
            wire_id=branch.wire_id,
            leaf=leaf,
            state=state,
            state_seen=folded.state is not None,
        )
        return replace(thread, branch=branch.number, wire_id=branch.wire_id, leaf=leaf, state=state)

    def _write_rows(self, session: Session, branch: BranchRecord, folded: Folded) -> str | None:
        rows: list[MessageRecord] = []
        for drawn in folded.rows:
            rows.append(self._row(branch, drawn, rows[-1].id if rows else None))
        messages.upsert(session, rows)
        tool_calls.upsert(session, [call for row in rows for call in calls_in(row, self._opener.new_id)])
        return rows[-1].id if rows else None

    def _row(self, branch: BranchRecord, drawn: Drawn, parent: str | None) -> MessageRecord:
        return MessageRecord(
            id=self._opener.new_id(),
            thread=branch.thread,
            parent=parent,
            position=drawn.position,
            key=drawn.key,
            wire_id=drawn.wire_id,
            role=drawn.role,
            content=drawn.content,
            run=drawn.run,
            created=drawn.created,
            updated=branch.created,
            branch=branch.number,
        )

    def _note(self, session: Session, run: RunRecord, turn: Turn) -> None:
        place: dict[str, JsonValue] = {"branch": run.branch, "parent": turn.parent, "fork": turn.fork}
        self._opener.note(session, run, EDIT, {**place, "of": turn.row.wire_id})

    # ------------------------------------------------------------ choosing

    def _choose(self, session: Session, person: Person, thread_id: str, number: int) -> Outcome:
        thread = self._idle(session, person, thread_id)
        known = {one.number: one for one in branches.of_thread(session, thread.id)}
        if number not in known:
            raise NotEditable
        last = messages.last(session, thread.id, branch=number)
        state = state_at(session, thread.id, branches.path_of(known.values(), number))
        threads.change(
            session,
            thread.id,
            branch=number,
            wire_id=known[number].wire_id,
            leaf=last.id if last is not None else None,
            state=state[0] if state is not None else None,
            state_seen=state is not None,
        )
        threads.change(session, thread.id, mark=_mark(session, thread.id))
        return Outcome(thread.owner, thread.id)


def turn_at(session: Session, thread: ThreadRecord, key: str, *, edited: bool) -> Turn:
    """Return where a branch that edits or answers again the row `key` leaves the branch shown.

    What comes first in a branch is turned at where the branch itself turned off, so that alternatives to one line
    stand side by side, however often it is edited.

    Raises:
        NotEditable: the branch shown has no such row, or it is no line of a person's where one is edited.
    """
    row = None if UNSTORABLE.search(key) else messages.by_key(session, thread.id, key)
    if row is not None and not edited and row.role != "user":
        row = messages.last(session, thread.id, branch=thread.branch, role="user", before=row.position)
    if row is None or row.role != "user":
        raise NotEditable
    known = {one.number: one for one in branches.of_thread(session, thread.id)}
    fork = row.position if edited else row.position + 1
    own = known.get(thread.branch)
    if own is not None and own.parent is not None and edited and _comes_first(session, own, row):
        fork = own.fork
    while own is not None and own.parent is not None and fork <= own.fork:
        own = known[own.parent]
    return Turn(row, parent=own.number if own is not None else 0, fork=fork)


def _comes_first(session: Session, branch: BranchRecord, row: MessageRecord) -> bool:
    first = messages.first_from(session, branch.thread, branch.fork)
    return first is not None and first.id == row.id


def _files(session: Session, row: MessageRecord) -> list[AttachmentRecord]:
    """Return the files of a line that are kept here, in their order."""
    addresses = [str(as_stored(part).get("result", "")) for part in row.content]
    ids = [address.removeprefix(OURS) for address in addresses if address.startswith(OURS)]
    found = attachments.some(session, ids)
    return [found[each] for each in ids if each in found]


def _mark(session: Session, thread_id: str) -> ThreadMark:
    if interrupts.pending(session, thread_id):
        return "waiting"
    last = runs.last_of(session, thread_id)
    return "failed" if last is not None and last.status == "failed" else ""
