import pytest
from sqlalchemy import delete, insert

from chat_app.data import branches, events, messages, runs, threads
from chat_app.data.branches import Stretch, branch
from chat_app.data.errors import ConstraintBroken
from chat_app.data.records import BranchRecord
from chat_app.data.sql import values_of
from tests.support.records import (
    NOON,
    SECOND,
    an_event,
    stored_exchange,
    stored_message,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


def turned(session, thread, number: int, parent: int | None, fork: int = 0) -> BranchRecord:
    """Store a branch; branch 0 has no parent."""
    about = None if parent is None else "m"
    record = BranchRecord(
        thread=thread.id,
        number=number,
        parent=parent,
        fork=fork,
        message=about,
        wire_id=f"w{number}",
        by=thread.owner,
        created=NOON,
    )
    branches.add(session, record)
    return record


def test_a_thread_that_was_never_edited_is_one_endless_stretch(database):
    with database.transaction() as session:
        thread = stored_thread(session)

        assert branches.of_thread(session, thread.id) == ()
        assert branches.path(session, thread.id) == (Stretch(0),)


def test_a_path_leads_back_to_the_beginning(database):
    with database.transaction() as session:
        thread = stored_thread(session, branch=3)
        root = branches.root(thread.id, wire_id="w", by=thread.owner, now=NOON)
        branches.add(session, root)
        others = [turned(session, thread, 1, 0, 10), turned(session, thread, 2, 1, 30)]
        others.append(turned(session, thread, 3, 2, 20))

        assert branches.of_thread(session, thread.id) == (root, *others)
        assert branches.path(session, thread.id) == (
            Stretch(3),
            Stretch(2, 20),
            Stretch(1, 20),
            Stretch(0, 10),
        )
        assert branches.path(session, thread.id, 1) == (Stretch(1), Stretch(0, 10))
        assert branches.next_number(session, thread.id) == 4


def test_what_is_asked_of_a_thread_is_asked_of_the_branch_it_shows(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        turned(session, thread, 0, None)
        turned(session, thread, 1, 0, 5)
        exchange = stored_exchange(session, thread, ended=NOON)
        first = stored_run(session, exchange, status="failed", note_position=3)
        left = stored_run(session, exchange, status="failed", note_position=9, started=NOON + SECOND)
        own = stored_run(session, exchange, status="interrupted", branch=1, started=NOON - SECOND)
        numbers = [(1, first), (2, first), (8, left), (12, own)]
        events.append(session, [an_event(thread=thread.id, seq=n, run=run.id) for n, run in numbers])
        events.append(session, [an_event(thread=thread.id, seq=4)])
        old = stored_question(session, left, position=9)
        new = stored_question(session, own, position=13)
        rows = [stored_message(session, thread, key="k", position=2, branch=number) for number in (0, 1)]
        from chat_app.data import interrupts

        assert interrupts.pending(session, thread.id) == (old,)
        assert messages.of_thread(session, thread.id) == (rows[0],)
        threads.change(session, thread.id, branch=1)

        assert runs.last_of(session, thread.id) == own
        assert runs.noted(session, thread.id, first=0) == (first,)
        assert (
            interrupts.pending(session, thread.id) == interrupts.placed(session, thread.id, first=0) == (new,)
        )
        assert (
            messages.of_thread(session, thread.id)
            == messages.of_thread(session, thread.id, branch=1)
            == (rows[1],)
        )
        assert messages.first_from(session, thread.id, 1) == rows[1]
        assert messages.get(session, rows[0].id) == rows[0]
        assert messages.last(session, thread.id, branch=0, role="assistant", before=3) == rows[0]
        assert messages.last(session, thread.id, branch=0, before=2) is None
        log = events.of_path(session, thread.id, branches.path(session, thread.id))
        assert [one.seq for one in log] == [1, 2, 4, 12]
        assert [one.seq for one in events.of_path(session, thread.id, (Stretch(0),), after=1)] == [2, 4, 8]


@pytest.mark.parametrize(
    "wrong",
    [
        {"parent": None},
        {"parent": 2},
        {"parent": 1, "number": 0},
        {"parent": 7, "number": 9},
        {"message": None},
    ],
)
def test_a_branch_that_leads_nowhere_is_refused(database, wrong):
    with database.transaction() as session:
        thread = stored_thread(session)
        turned(session, thread, 0, None)
    good = BranchRecord(
        thread=thread.id, number=1, parent=0, message="m", wire_id="w", by=thread.owner, created=NOON
    )
    with pytest.raises(ConstraintBroken), database.transaction() as session:
        session.execute(insert(branch), [values_of(good) | wrong])


def test_branches_that_turned_off_a_branch_go_with_it(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        turned(session, thread, 0, None)
        turned(session, thread, 1, 0)
        session.execute(delete(branch).where(branch.c.number == 0))

        assert branches.of_thread(session, thread.id) == ()
