from itertools import product
from typing import get_args

import pytest

from chat_app.data import audit, decisions, interrupts, runs
from chat_app.data.records import InterruptStatus
from chat_app.services import questions
from chat_app.services.questions import MOVES, Act
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

STANDINGS = get_args(InterruptStatus)
LEADS = {
    ("pending", "answer"): "answered",
    ("pending", "cancel"): "cancelled",
    ("pending", "expire"): "expired",
    ("pending", "supersede"): "superseded",
    ("pending", "withdraw"): "withdrawn",
    ("expired", "cancel"): "cancelled",
    ("expired", "supersede"): "superseded",
    ("answered", "supersede"): "superseded",
    ("cancelled", "supersede"): "superseded",
    ("withdrawn", "restore"): "pending",
}


def asked(session, count=1, **fields):
    thread = stored_thread(session)
    run = stored_run(session, stored_exchange(session, thread, ended=NOON), status="interrupted")
    return thread, run, [stored_question(session, run, position=n, **fields) for n in range(count)]


def standing(session, question):
    found = interrupts.get(session, question.id)
    return found.status, found.settled_at


@pytest.mark.parametrize(("status", "act"), list(product(STANDINGS, get_args(Act))))
def test_each_act_leads_from_each_standing_where_the_table_says(sqlite, status, act):
    with sqlite.transaction() as session:
        _, _, (one,) = asked(session, status=status)
        moved = questions.move(session, [one.id], act, now=NOON)
        expected = LEADS.get((status, act))
        settled = NOON if expected not in (None, "pending") else None
        assert (moved, standing(session, one)) == (int(expected is not None), (expected or status, settled))


def test_the_table_names_every_act_and_every_standing():
    assert set(MOVES) == set(get_args(Act))
    assert {move.target for move in MOVES.values()} == set(STANDINGS)


def test_nothing_moves_nothing(sqlite):
    with sqlite.transaction() as session:
        assert questions.move(session, [], "expire", now=NOON) == 0


def test_a_run_is_sealed_once_and_only_with_every_answer(database):
    with database.transaction() as session:
        thread, run, (one, two, three) = asked(session, 3)
        late = stored_question(session, run, position=9, expires_at=NOON - SECOND)
        runs.lock(session, run.id)
        decisions.record(session, a_decision(interrupt=one.id, by=thread.owner, kind="approve"))
        decisions.record(session, a_decision(interrupt=two.id, by=thread.owner, kind="cancel"))
        assert not questions.seal(session, run.id, now=NOON)
        decisions.record(session, a_decision(interrupt=three.id, by=thread.owner, kind="reject"))
        assert questions.seal(session, run.id, now=NOON)
        assert not questions.seal(session, run.id, now=NOON)
        assert [standing(session, one)[0] for one in (one, two, three, late)] == [
            "answered",
            "cancelled",
            "answered",
            "expired",
        ]


def test_questions_expire_by_the_clock_that_is_handed_in_and_it_is_written_down(database):
    with database.transaction() as session:
        thread, _, (one, two) = asked(session, 2, expires_at=NOON + SECOND)
        assert questions.expire(session, thread.id, now=NOON) == ()
        ended = questions.expire(session, thread.id, now=NOON + SECOND)
        assert {question.id for question in ended} == {one.id, two.id}
        assert questions.expire(session, thread.id, now=NOON + SECOND) == ()
        assert standing(session, one) == standing(session, two) == ("expired", NOON + SECOND)
        (entry,) = audit.of_object(session, f"interrupt:{one.id}")
        assert (entry.action, entry.actor, entry.detail["thread"]) == ("question.expire", None, thread.id)


def test_a_question_answered_while_it_expires_stays_answered(sqlite):
    with sqlite.transaction() as session:
        _, _, (one,) = asked(session, expires_at=NOON)
        found = interrupts.overdue(session, now=NOON)
        questions.move(session, [one.id], "answer", now=NOON)
        assert [questions.move(session, [late.id], "expire", now=NOON) for late in found] == [0]


def test_what_the_conversation_goes_on_without_is_superseded_owed_answers_too(database):
    with database.transaction() as session:
        thread, run, (one,) = asked(session)
        decisions.record(session, a_decision(interrupt=one.id, by=thread.owner))
        assert questions.seal(session, run.id, now=NOON)
        assert decisions.owed(session, thread.id)
        assert questions.supersede(session, thread.id, now=NOON) == 1
        assert decisions.owed(session, thread.id) == ()
        assert standing(session, one)[0] == "superseded"
        assert questions.supersede(session, thread.id, now=NOON) == 0


def test_what_is_withdrawn_can_be_restored_once(database):
    with database.transaction() as session:
        thread, _, (one,) = asked(session)
        assert questions.withdraw(session, thread.id, now=NOON) == 1
        assert questions.withdraw(session, thread.id, now=NOON) == 0
        assert questions.restore(session, thread.id, now=NOON) == 1
        assert questions.restore(session, thread.id, now=NOON) == 0
        assert standing(session, one) == ("pending", None)


def test_giving_up_replaces_ones_own_draft_and_leaves_that_of_another(sqlite):
    with sqlite.transaction() as session:
        thread, run, (one, two) = asked(session, 2)
        other = stored_thread(session).owner
        decisions.record(session, a_decision(interrupt=one.id, by=thread.owner, kind="approve"))
        decisions.record(session, a_decision(interrupt=two.id, by=other, kind="approve"))
        ids = iter(("d1", "d2"))
        questions.abandon(session, [one, two], by=thread.owner, now=NOON, new_id=lambda: next(ids))
        assert [answer.kind for answer in decisions.of_run(session, run.id)] == ["cancel", "approve"]
        assert [standing(session, each)[0] for each in (one, two)] == ["cancelled", "answered"]
