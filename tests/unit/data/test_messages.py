import dataclasses

import pytest

from chat_app.data import messages
from tests.support.records import NOON, SECOND, a_message, stored_message, stored_thread

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def thread(database):
    with database.transaction() as session:
        return stored_thread(session)


def test_a_row_is_added_and_then_brought_up_to_date(database, thread):
    with database.transaction() as session:
        first = stored_message(session, thread, key="k", content=[{"text": "a"}])
    changed = a_message(
        thread=thread.id, key="k", content=[{"text": "ab"}], created=NOON + SECOND, updated=NOON + SECOND
    )
    with database.transaction() as session:
        messages.upsert(session, [changed])

        assert messages.by_key(session, thread.id, "k") == dataclasses.replace(
            changed, id=first.id, created=first.created
        )


def test_one_batch_holds_rows_of_many_threads(database, thread):
    with database.transaction() as session:
        other = stored_thread(session)
        here, there = a_message(thread=thread.id, key="k"), a_message(thread=other.id, key="k")
        messages.upsert(session, [here, there])

        assert messages.of_thread(session, thread.id) == (here,)
        assert messages.of_thread(session, other.id) == (there,)


def test_an_empty_batch_changes_nothing(database, thread):
    with database.transaction() as session:
        messages.upsert(session, [])

        assert messages.of_thread(session, thread.id) == ()


def test_a_key_nobody_holds_is_none(database, thread):
    with database.reading() as session:
        assert messages.by_key(session, thread.id, "k") is None


def test_ids_are_found_by_keys(database, thread):
    with database.transaction() as session:
        a, b = stored_message(session, thread), stored_message(session, thread)

        assert messages.ids(session, thread.id, [a.key, b.key, "?"]) == {a.key: a.id, b.key: b.id}


def test_rows_the_transcript_lost_are_removed(database, thread):
    with database.transaction() as session:
        lost, kept = stored_message(session, thread), stored_message(session, thread)

        assert messages.drop(session, thread.id, [lost.key, "?"]) == 1
        assert messages.of_thread(session, thread.id) == (kept,)


@pytest.fixture
def rows(database, thread):
    positions = (5, 1, 3, 2, 4)
    with database.transaction() as session:
        made = [stored_message(session, thread, position=n, key=f"k{n}") for n in positions]
    return sorted(made, key=lambda row: row.position)


@pytest.mark.parametrize(
    ("asked", "kept", "older"),
    [
        ({"limit": 2}, slice(3, 5), True),
        ({"limit": 2, "before": 4}, slice(1, 3), True),
        ({"limit": 2, "before": 2}, slice(1), False),
        ({"limit": 5}, slice(5), False),
        ({"limit": 9}, slice(5), False),
        ({"limit": 2, "before": 1}, slice(0), False),
    ],
)
def test_the_newest_rows_come_in_the_order_they_are_drawn(database, rows, asked, kept, older):
    with database.reading() as session:
        page = messages.newest(session, rows[0].thread, **asked)

    assert page == messages.MessagePage(tuple(rows[kept]), older)


def test_a_page_does_not_cut_between_rows_of_one_position(database, thread):
    with database.transaction() as session:
        for key, position in (("a", 1), ("c", 2), ("b", 2), ("d", 3)):
            stored_message(session, thread, key=key, position=position)
        page = messages.newest(session, thread.id, limit=2)
        rest = messages.newest(session, thread.id, before=page.messages[0].position, limit=2)

    assert ([row.key for row in page.messages], page.older) == (["b", "c", "d"], True)
    assert ([row.key for row in rest.messages], rest.older) == (["a"], False)
