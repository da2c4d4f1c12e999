from datetime import timedelta

import pytest

from chat_app.data import oversight, threads, tool_calls
from chat_app.data.oversight import Wanted
from chat_app.data.threads import Place
from tests.support.records import (
    NOON,
    SECOND,
    a_tool_call,
    stored_exchange,
    stored_message,
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
