import dataclasses

import pytest

from chat_app.data import decisions, interrupts
from tests.support.records import (
    NOON,
    SECOND,
    a_decision,
    stored_exchange,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def run(database):
    with database.transaction() as session:
        return stored_run(session, stored_exchange(session, stored_thread(session)), status="interrupted")


def test_a_question_comes_back_as_it_was_stored(database, run):
    with database.transaction() as session:
        asked = stored_question(
            session,
            run,
            metadata={"a": 1},
            response_schema={"type": "object"},
            expires_at=NOON,
            args='{"b":2}',
        )

        assert interrupts.get(session, asked.id) == asked
        assert interrupts.get(session, "unknown") is None


def test_questions_come_in_the_order_they_were_asked(database, run):
    with database.transaction() as session:
        second, first = stored_question(session, run, position=2), stored_question(session, run, position=1)

        assert interrupts.of_run(session, run.id) == (first, second)
        assert interrupts.pending(session, run.thread) == (first, second)


def test_a_question_that_is_settled_is_not_pending(database, run):
    with database.transaction() as session:
        asked = stored_question(session, run)
        stored_question(session, run, status="withdrawn")

        assert interrupts.pending(session, run.thread) == (asked,)


def test_a_question_moves_only_from_where_it_is_expected(database, run):
    with database.transaction() as session:
        asked = stored_question(session, run)
        assert interrupts.set_status(session, [asked.id, "unknown"], status="answered") == 1
        assert interrupts.set_status(session, [asked.id], status="expired") == 0
        assert interrupts.set_status(session, [asked.id], status="superseded", was=["answered"]) == 1

        assert interrupts.get(session, asked.id) == dataclasses.replace(asked, status="superseded")


def test_a_run_waits_for_the_questions_without_answer_whose_time_is_not_over(database, run):
    with database.transaction() as session:
        asker = stored_thread(session).owner
        endless = stored_question(session, run, position=1)
        timed = stored_question(session, run, position=2, expires_at=NOON)
        decided = stored_question(session, run, position=3)
        stored_question(session, run, position=4, status="withdrawn")
        decisions.record(session, a_decision(interrupt=decided.id, by=asker))

        assert interrupts.undecided(session, run.id, now=NOON - SECOND) == (endless, timed)
        assert interrupts.undecided(session, run.id, now=NOON) == (endless,)


def test_questions_are_found_by_where_they_are_shown(database, run):
    with database.transaction() as session:
        asked = [stored_question(session, run, position=n) for n in (1, 2, 3)]

        assert interrupts.placed(session, run.thread, first=2) == tuple(asked[1:])
        assert interrupts.placed(session, run.thread, first=1, before=3) == tuple(asked[:2])


def test_questions_whose_time_is_over_are_found_in_all_threads(database, run):
    with database.transaction() as session:
        late = stored_question(session, run, expires_at=NOON)
        stored_question(session, run, expires_at=NOON + 9 * SECOND)
        stored_question(session, run)
        stored_question(session, run, expires_at=NOON, status="expired")

        assert interrupts.overdue(session, now=NOON) == (late,)
