import dataclasses

import pytest

from chat_app.data import threads
from chat_app.data.errors import ThreadGone
from tests.support.records import NOON, SECOND, stored_thread

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def thread(database):
    with database.transaction() as session:
        return stored_thread(session, title="first")


def stored(database, thread):
    with database.reading() as session:
        return threads.get(session, thread.id)


def test_a_thread_comes_back_as_it_was_stored(database, thread):
    assert stored(database, thread) == thread


def test_only_its_owner_gets_a_thread(database, thread):
    with database.reading() as session:
        assert threads.owned(session, thread.id, owner=thread.owner) == thread
        assert threads.owned(session, thread.id, owner="somebody") is None
        assert threads.owned(session, "unknown", owner=thread.owner) is None


def test_a_list_is_newest_first_and_says_whether_there_is_more(database):
    with database.transaction() as session:
        first = stored_thread(session)
        ids = [
            stored_thread(session, owner=first.owner, updated=NOON + n * SECOND, last_seq=n).id
            for n in (3, 1, 2)
        ]
        stored_thread(session)  # somebody else's
        page = threads.listed(session, first.owner, limit=3)
        rest = threads.listed(session, first.owner, before=page.threads[-1], limit=3)

    assert [line.id for line in page.threads] == [ids[0], ids[2], ids[1]]
    assert [line.unread for line in page.threads] == [True, True, True]
    assert page.more
    assert [line.id for line in rest.threads] == [first.id]
    assert not rest.more


def test_threads_of_one_moment_are_paged_without_gap_or_overlap(database):
    with database.transaction() as session:
        first = stored_thread(session)
        ids = {first.id, *(stored_thread(session, owner=first.owner).id for _ in range(4))}
        seen, page = [], threads.listed(session, first.owner, limit=2)
        seen += page.threads
        while page.more:
            page = threads.listed(session, first.owner, before=seen[-1], limit=2)
            seen += page.threads

    assert len(seen) == 5
    assert {line.id for line in seen} == ids


def test_archived_threads_have_a_list_of_their_own(database, thread):
    with database.transaction() as session:
        threads.change(session, thread.id, archived=True)

        assert threads.listed(session, thread.owner).threads == ()
        assert [line.id for line in threads.listed(session, thread.owner, archived=True).threads] == [
            thread.id
        ]


def test_a_line_of_the_list_is_had_alone(database, thread):
    with database.reading() as session:
        line = threads.line(session, thread.id)
        listed = threads.listed(session, thread.owner).threads

        assert (line,) == listed
        assert threads.line(session, "unknown") is None


def test_changes_are_stored(database, thread):
    values = {"title": "other", "mark": "waiting", "leaf": "m1", "state": {"a": [1]}, "state_seen": True}
    with database.transaction() as session:
        assert threads.change(session, thread.id, **values)
        assert not threads.change(session, "unknown", **values)

    assert stored(database, thread) == dataclasses.replace(thread, **values)


def test_a_state_that_is_null_differs_from_none_seen(database, thread):
    with database.transaction() as session:
        threads.change(session, thread.id, state=None, state_seen=True)

    found = stored(database, thread)
    assert (found.state, found.state_seen) == (None, True)


def test_numbers_are_reserved_once(database, thread):
    with database.transaction() as session:
        first = threads.reserve(session, thread.id)
        three = threads.reserve(session, thread.id, count=3)
        after = threads.reserve(session, thread.id)

    assert (first, three, after) == (1, 2, 5)
    assert stored(database, thread).last_seq == 5


def test_a_thread_that_is_gone_has_no_numbers(database):
    with database.transaction() as session, pytest.raises(ThreadGone):
        threads.reserve(session, "unknown")


def test_the_counter_only_goes_up(database, thread):
    with database.transaction() as session:
        assert threads.advance(session, thread.id, last_seq=7)
        assert not threads.advance(session, thread.id, last_seq=7)
        assert not threads.advance(session, thread.id, last_seq=3)

    assert stored(database, thread).last_seq == 7


def test_what_was_seen_stays_seen(database, thread):
    with database.transaction() as session:
        threads.advance(session, thread.id, last_seq=7)
        assert threads.see(session, thread.id, seq=7)
        assert not threads.see(session, thread.id, seq=5)

    assert not stored(database, thread).unread


def test_a_deleted_thread_is_out_of_sight_until_it_is_restored(database, thread):
    with database.transaction() as session:
        assert threads.delete(session, thread.id, now=NOON)
        assert not threads.delete(session, thread.id, now=NOON)
        assert threads.get(session, thread.id) is None
        assert threads.line(session, thread.id) is None
        assert threads.owned(session, thread.id, owner=thread.owner) is None
        assert threads.listed(session, thread.owner).threads == ()
        assert threads.restore(session, thread.id)
        assert not threads.restore(session, thread.id)

    assert stored(database, thread) == thread


def test_a_deleted_thread_still_takes_what_arrives(database, thread):
    with database.transaction() as session:
        threads.delete(session, thread.id, now=NOON)
        assert threads.change(session, thread.id, title="late")
        threads.restore(session, thread.id)

    assert stored(database, thread).title == "late"


def test_threads_deleted_long_ago_are_erased_for_good(database, thread):
    with database.transaction() as session:
        recent = stored_thread(session)
        threads.delete(session, thread.id, now=NOON)
        threads.delete(session, recent.id, now=NOON + 2 * SECOND)

        due = threads.due_deleted(session, before=NOON + SECOND, limit=9)
        assert list(due) == [thread.id]
        assert threads.erase(session, due) == 1
        assert not threads.restore(session, thread.id)
        assert threads.restore(session, recent.id)
