import dataclasses

import pytest

from chat_app.data import decisions, interrupts, runs, users
from tests.support.records import (
    NOON,
    SECOND,
    a_decision,
    a_user,
    stored_exchange,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


class Asked:
    """A thread whose run ended with one question."""

    def __init__(self, session) -> None:
        self.thread = stored_thread(session)
        self.exchange = stored_exchange(session, self.thread)
        self.run = stored_run(session, self.exchange, status="interrupted")
        self.question = stored_question(session, self.run)

    def answer(self, **values):
        return a_decision(**{"interrupt": self.question.id, "by": self.thread.owner} | values)

    def sealed(self, session, **values):
        """Store an answer, close it, and return it."""
        answer = self.answer(**values)
        assert decisions.record(session, answer)
        assert runs.seal(session, self.run.id, now=NOON)
        interrupts.set_status(session, [self.question.id], status="answered")
        return answer


@pytest.fixture
def asked(database):
    with database.transaction() as session:
        return Asked(session)


def test_the_first_answer_is_kept(database, asked):
    first = asked.answer(kind="edit", edited_args={"a": 1}, payload=[True], note="mind the gap")
    with database.transaction() as session:
        assert decisions.record(session, first)
        assert not decisions.record(session, asked.answer(kind="reject"))

        assert decisions.of_run(session, asked.run.id) == (first,)


@pytest.mark.parametrize("status", ["cancelled", "superseded", "withdrawn", "answered"])
def test_a_question_that_waits_no_longer_takes_no_answer(database, asked, status):
    with database.transaction() as session:
        interrupts.set_status(session, [asked.question.id], status=status)

        assert not decisions.record(session, asked.answer())


def test_a_question_that_expired_can_still_be_given_up(database, asked):
    with database.transaction() as session:
        interrupts.set_status(session, [asked.question.id], status="expired")

        assert decisions.record(session, asked.answer(kind="cancel"))


def test_a_question_nobody_asked_takes_no_answer(database, asked):
    with database.transaction() as session:
        assert not decisions.record(session, asked.answer(interrupt="unknown"))


def test_a_sealed_run_takes_no_answer(database, asked):
    with database.transaction() as session:
        runs.seal(session, asked.run.id, now=NOON)

        assert not decisions.record(session, asked.answer())


def test_an_author_changes_their_answer_until_it_is_sealed(database, asked):
    first, second = asked.answer(kind="approve"), asked.answer(kind="reject", note="no", at=NOON + SECOND)
    with database.transaction() as session:
        decisions.record(session, first)
        assert decisions.revise(session, second)
        runs.seal(session, asked.run.id, now=NOON)
        assert not decisions.revise(session, first)

        assert decisions.of_run(session, asked.run.id) == (dataclasses.replace(second, id=first.id),)


def test_nobody_changes_the_answer_of_somebody_else(database, asked):
    with database.transaction() as session:
        other = users.ensure(session, a_user())
        first = asked.answer()
        decisions.record(session, first)

        assert not decisions.revise(session, asked.answer(by=other.id, kind="reject"))
        assert decisions.of_run(session, asked.run.id) == (first,)


def test_an_answer_that_was_not_given_cannot_be_changed(database, asked):
    with database.transaction() as session:
        assert not decisions.revise(session, asked.answer())


def test_answers_come_in_the_order_of_their_questions(database, asked):
    with database.transaction() as session:
        later = stored_question(session, asked.run, position=2)
        second, first = asked.answer(interrupt=later.id), asked.answer()
        decisions.record(session, second)
        decisions.record(session, first)

        assert decisions.of_run(session, asked.run.id) == (first, second)
        assert decisions.of_interrupts(session, [later.id, asked.question.id]) == (first, second)
        assert decisions.of_interrupts(session, []) == ()


def test_an_answer_is_not_owed_before_it_is_sealed(database, asked):
    with database.transaction() as session:
        decisions.record(session, asked.answer())

        assert decisions.owed(session, asked.thread.id) == ()


def test_a_sealed_answer_that_no_run_carries_is_owed(database, asked):
    with database.transaction() as session:
        answer = asked.sealed(session)

        assert decisions.owed(session, asked.thread.id) == (answer,)


@pytest.mark.parametrize(
    ("status", "owed"),
    [("running", False), ("success", False), ("interrupted", False), ("cancelled", False), ("failed", True)],
)
def test_an_answer_is_owed_again_when_the_run_that_carried_it_failed(database, asked, status, owed):
    with database.transaction() as session:
        answer = asked.sealed(session)
        resume = stored_run(session, asked.exchange, status=status)
        assert decisions.set_resume_run(session, [answer.id, "unknown"], resume_run=resume.id) == 1
        found = decisions.owed(session, asked.thread.id)

    assert found == ((dataclasses.replace(answer, resume_run=resume.id),) if owed else ())


@pytest.mark.parametrize("status", ["superseded", "withdrawn"])
def test_an_answer_nobody_waits_for_is_not_owed(database, asked, status):
    with database.transaction() as session:
        asked.sealed(session)
        interrupts.set_status(session, [asked.question.id], status=status, was=["answered"])

        assert decisions.owed(session, asked.thread.id) == ()


def test_the_answers_a_run_carries_are_found(database, asked):
    with database.transaction() as session:
        answer = asked.sealed(session)
        resume = stored_run(session, asked.exchange)
        decisions.set_resume_run(session, [answer.id], resume_run=resume.id)

        assert decisions.carried(session, resume.id) == (dataclasses.replace(answer, resume_run=resume.id),)
        assert decisions.carried(session, asked.run.id) == ()


def test_an_answer_is_taken_back_until_it_is_sealed(database, asked):
    with database.transaction() as session:
        decisions.record(session, asked.answer())
        assert decisions.withdraw(session, asked.question.id)
        assert not decisions.withdraw(session, asked.question.id)
        sealed = asked.sealed(session)
        assert not decisions.withdraw(session, asked.question.id)

        assert decisions.of_run(session, asked.run.id) == (sealed,)
