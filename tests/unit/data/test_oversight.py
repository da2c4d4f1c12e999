from datetime import timedelta

import pytest

from chat_app.data import decisions, oversight, search, sql, threads, tool_calls
from chat_app.data.oversight import Holds, Wanted
from chat_app.data.records import SearchEntryRecord
from chat_app.data.threads import Place
from tests.support.records import (
    NOON,
    SECOND,
    a_decision,
    a_tool_call,
    stored_exchange,
    stored_message,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def session(database):
    with database.transaction() as session:
        yield session


def ids(session, **wanted) -> list[str]:
    return [one.id for one in oversight.page(session, Wanted(**wanted))]


def test_everybodys_threads_come_newest_first_a_page_at_a_time_without_deleted_ones(session):
    old, new = stored_thread(session), stored_thread(session, updated=NOON + SECOND, archived=True)
    gone = stored_thread(session, updated=NOON + 2 * SECOND)
    threads.delete(session, gone.id, now=NOON)
    (first,) = oversight.page(session, Wanted(), limit=1)
    rest = oversight.page(session, Wanted(), before=Place(first.updated, first.id))
    assert [first.id, *(one.id for one in rest)] == [new.id, old.id]
    assert (first.archived, bool(first.owner_name), bool(first.agent_name)) == (True, True, True)
    assert oversight.one(session, new.id) == first
    assert oversight.one(session, gone.id) is None


def test_each_wish_narrows_the_list(session):
    one = stored_thread(session, title="Refund 100% of it", mark="failed")
    other = stored_thread(session, title="Stock", updated=NOON + timedelta(days=2))
    message = stored_message(session, one)
    tool_calls.upsert(session, [a_tool_call(message=message.id, name="refund")])
    assert ids(session) == [other.id, one.id]
    for wish in (
        {"owner": one.owner},
        {"agent": one.agent},
        {"mark": "failed"},
        {"tool": "refund"},
        {"words": "REFUND 100%"},
        {"until": NOON + SECOND},
    ):
        assert ids(session, **wish) == [one.id], wish
    assert ids(session, mark="") == ids(session, since=NOON + SECOND) == [other.id]
    assert ids(session, words="%") == [one.id]
    assert ids(session, owner=one.owner, tool="search") == []


def test_texts_are_found_in_one_message_of_whoever_is_meant(session):
    one, other = stored_thread(session), stored_thread(session)
    for thread, folded in ((one, "order 4711 is in oslo"), (other, "order 100%")):
        message = stored_message(session, thread)
        entry = {"id": message.id, "owner": thread.owner, "thread": thread.id, "message": message.id}
        search.put(session, [SearchEntryRecord(**entry, at=NOON, folded=folded)])
    assert ids(session, texts=("oslo", "order")) == [one.id]
    assert ids(session, texts=("%",)) == ids(session, texts=("order",), owner=other.owner) == [other.id]
    assert ids(session, texts=("oslo", "100%")) == []


def test_a_tool_that_is_called_often_finds_the_same_threads(session):
    one, _ = stored_thread(session), stored_thread(session)
    message = stored_message(session, one).id
    tool_calls.upsert(session, [a_tool_call(message=message, name="refund")])
    few = ids(session, tool="refund")
    many = [a_tool_call(message=message, name="refund") for _ in range(oversight.COMMON)]
    tool_calls.upsert(session, many)
    assert ids(session, tool="refund") == few == [one.id]


def test_what_is_in_a_thread_is_counted(session):
    thread, empty = stored_thread(session), stored_thread(session)
    first, second = stored_message(session, thread), stored_message(session, thread, branch=1)
    calls = [a_tool_call(message=one.id, name=name) for one in (first, second) for name in ("refund", "ask")]
    tool_calls.upsert(session, calls)
    exchange = stored_exchange(session, thread)
    stored_run(session, exchange, status="success", usage=[{"inputTokens": 1}])
    stored_run(session, exchange)
    found = oversight.holds(session, [thread.id, empty.id])
    assert found[thread.id] == Holds(2, ("ask", "refund"), ([{"inputTokens": 1}],))
    assert found[empty.id] == Holds(0, (), ())
    assert oversight.holds(session, []) == {}


def test_a_question_that_stopped_waiting_is_told_with_when_a_person_answered(session):
    thread = stored_thread(session)
    run = stored_run(session, stored_exchange(session, thread), status="interrupted")
    answered = stored_question(session, run, status="answered", settled_at=NOON + 2 * SECOND)
    stored_question(session, run, status="expired", settled_at=NOON + 3 * SECOND)
    stored_question(session, run)
    decisions.record(session, a_decision(interrupt=stored_question(session, run).id, by=thread.owner))
    given = a_decision(interrupt=answered.id, by=thread.owner, at=NOON + SECOND)
    session.execute(decisions.decision.insert().values(sql.values_of(given)))
    found = oversight.waited(session, since=NOON, until=NOON + 4 * SECOND)
    assert [(one.owner, one.asked, one.settled, one.decided) for one in found] == [
        (thread.owner, NOON, NOON + 2 * SECOND, NOON + SECOND),
        (thread.owner, NOON, NOON + 3 * SECOND, None),
    ]
    assert oversight.waited(session, since=NOON + 4 * SECOND, until=NOON + 5 * SECOND) == ()


def test_what_runs_took_is_told_by_their_start(session):
    thread = stored_thread(session)
    early = stored_run(
        session, stored_exchange(session, thread), status="success", usage=[{"inputTokens": 1}]
    )
    found = oversight.took(session, since=NOON, until=NOON + SECOND)
    assert [(one.owner, one.agent, one.status, one.usage) for one in found] == [
        (thread.owner, thread.agent, "success", early.usage)
    ]
    assert oversight.took(session, since=NOON + SECOND, until=NOON + 2 * SECOND) == ()
