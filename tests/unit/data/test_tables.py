import pytest
from sqlalchemy import delete, func, insert, select

from chat_app.data import decisions, events, tool_calls
from chat_app.data.errors import ConstraintBroken
from chat_app.data.sql import values_of
from chat_app.data.tables import Agent, Base, Exchange, Run, Thread, ToolCall, User, table_of
from tests.support.records import (
    NOON,
    SECOND,
    a_decision,
    a_run,
    a_thread,
    a_tool_call,
    an_event,
    an_exchange,
    stored_exchange,
    stored_message,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


def refused(database, work) -> None:
    """Check that a transaction which does `work` breaks a constraint."""
    with pytest.raises(ConstraintBroken), database.transaction() as session:
        work(session)


OF_A_THREAD = {"thread", "exchange", "run", "run_event", "message", "tool_call", "interrupt", "decision"}


def full_thread(session):
    """Store a thread with a row in every table, and everything that may point at something pointing at it."""
    thread = stored_thread(session)
    exchange = stored_exchange(session, thread, ended=NOON)
    run = stored_run(session, exchange, status="interrupted", sealed_at=NOON)
    follow_up = stored_run(session, exchange, parent=run.id, status="failed")
    first = stored_message(session, thread, run=run.id)
    stored_message(session, thread, run=follow_up.id, parent=first.id)
    question = stored_question(session, run)
    events.append(session, [an_event(thread=thread.id, seq=1), an_event(thread=thread.id, seq=2, run=run.id)])
    tool_calls.upsert(session, [a_tool_call(message=first.id)])
    answer = a_decision(interrupt=question.id, by=thread.owner, resume_run=follow_up.id)
    session.execute(insert(table_of_decision()), [values_of(answer)])
    return thread


def table_of_decision():
    return Base.metadata.tables["decision"]


def counts(session) -> dict[str, int]:
    names = {
        name: session.execute(select(func.count()).select_from(Base.metadata.tables[name]))
        for name in OF_A_THREAD
    }
    return {name: found.scalar_one() for name, found in names.items()}


def test_deleting_a_thread_deletes_everything_of_it_and_nothing_of_others(database):
    with database.transaction() as session:
        doomed, other = full_thread(session), full_thread(session)
        before = counts(session)
        session.execute(delete(table_of(Thread)).where(table_of(Thread).c.id == doomed.id))
        after = counts(session)

    assert all(before.values())
    assert after == {name: number // 2 for name, number in before.items()}
    assert other.id != doomed.id


@pytest.mark.parametrize("model", [User, Agent])
def test_who_is_named_by_a_thread_cannot_be_deleted(database, model):
    def work(session):
        stored_thread(session)
        session.execute(delete(table_of(model)))

    refused(database, work)


def test_a_thread_has_one_live_exchange_and_any_number_of_ended_ones(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        stored_exchange(session, thread, ended=NOON)
        stored_exchange(session, thread, ended=NOON)
        stored_exchange(session, thread)
    second = an_exchange(thread=thread.id, by=thread.owner)

    def work(session):
        session.execute(insert(table_of(Exchange)), [values_of(second)])

    refused(database, work)


def test_a_number_of_the_log_is_used_once_per_thread(database):
    with database.transaction() as session:
        thread, other = stored_thread(session), stored_thread(session)
        events.append(session, [an_event(thread=thread.id, seq=1), an_event(thread=other.id, seq=1)])

    def work(session):
        events.append(session, [an_event(thread=thread.id, seq=1)])

    refused(database, work)


def test_a_wire_run_id_is_used_once_per_thread(database):
    with database.transaction() as session:
        exchange = stored_exchange(session, stored_thread(session))
        stored_run(session, exchange, wire_run_id="run-1", status="success")

    def work(session):
        stored_run(session, exchange, wire_run_id="run-1")

    refused(database, work)


def test_a_question_has_one_answer(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        question = stored_question(session, run)
        assert decisions.record(session, a_decision(interrupt=question.id, by=thread.owner))
    second = a_decision(interrupt=question.id, by=thread.owner)

    def work(session):
        session.execute(insert(table_of_decision()), [values_of(second)])

    refused(database, work)


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "lost"},
        {"status": "running", "ended": NOON},
        {"status": "success", "ended": None},
        {"status": "success", "sealed_at": NOON},
    ],
)
def test_a_run_cannot_contradict_itself(database, wrong):
    def work(session):
        exchange = stored_exchange(session, stored_thread(session))
        row = values_of(a_run(exchange=exchange.id, thread=exchange.thread, **wrong))
        session.execute(insert(table_of(Run)), [row])

    refused(database, work)


def test_a_stop_without_a_time_cannot_have_an_author(database):
    def work(session):
        thread = stored_thread(session)
        stored_exchange(session, thread, stop_requested_by=thread.owner)

    refused(database, work)


def test_edited_arguments_belong_to_an_edit(database):
    def work(session):
        thread = stored_thread(session)
        run = stored_run(session, stored_exchange(session, thread), status="interrupted")
        question = stored_question(session, run)
        answer = a_decision(interrupt=question.id, by=thread.owner, kind="approve", edited_args={"a": 1})
        decisions.record(session, answer)

    refused(database, work)


@pytest.mark.parametrize(
    ("store", "wrong"),
    [
        (stored_thread, {"mark": "odd"}),
        (lambda session, **v: stored_exchange(session, stored_thread(session), **v), {"kind": "odd"}),
    ],
)
def test_a_status_nobody_knows_is_refused(database, store, wrong):
    def work(session):
        store(session, **wrong)

    refused(database, work)


def test_a_tool_call_status_nobody_knows_is_refused(database):
    def work(session):
        message = stored_message(session, stored_thread(session))
        session.execute(
            insert(table_of(ToolCall)), [values_of(a_tool_call(message=message.id, status="odd"))]
        )

    refused(database, work)


def test_a_question_status_nobody_knows_is_refused(database):
    def work(session):
        run = stored_run(session, stored_exchange(session, stored_thread(session)))
        stored_question(session, run, status="odd")

    refused(database, work)


def test_a_wire_thread_belongs_to_one_thread_of_an_agent(database):
    with database.transaction() as session:
        thread = stored_thread(session, wire_id="w")
        stored_thread(session, wire_id="w")  # another agent
    twin = a_thread(owner=thread.owner, agent=thread.agent, wire_id="w", updated=NOON + SECOND)

    def work(session):
        session.execute(insert(table_of(Thread)), [values_of(twin)])

    refused(database, work)
