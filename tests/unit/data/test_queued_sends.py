import pytest

from chat_app.data import exchanges, queued_sends, threads
from chat_app.data.records import QueuedSendRecord
from tests.support.records import NOON, SECOND, stored_exchange, stored_thread

pytest_plugins = ("tests.support.databases",)


def queued(session, thread, name: str, position: int, **values) -> QueuedSendRecord:
    base = {"id": name, "thread": thread.id, "by": thread.owner, "position": position, "text": name}
    record = QueuedSendRecord(**base | {"created": NOON, "updated": NOON} | values)
    queued_sends.add(session, record)
    return record


def test_lines_stand_in_their_order_urgent_ones_first(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        one, two = queued(session, thread, "one", 1), queued(session, thread, "two", 2)
        assert queued_sends.of_thread(session, thread.id) == (one, two)
        assert queued_sends.hurry(session, "two", now=NOON + SECOND)
        first, _ = queued_sends.of_thread(session, thread.id)
        assert (first.id, first.urgent, first.updated) == ("two", True, NOON + SECOND)
        assert queued_sends.count(session, thread.id) == 2


def test_a_line_is_changed_and_taken_once(database):
    with database.transaction() as session:
        thread = stored_thread(session)
        queued(session, thread, "one", 1)
        assert queued_sends.change(session, "one", text="uno", now=NOON + SECOND)
        assert queued_sends.get(session, "one") == queued_sends.lock(session, "one")
        assert queued_sends.get(session, "one").text == "uno"
        assert [queued_sends.take(session, "one") for _ in range(2)] == [True, False]
        assert queued_sends.lock(session, "one") is None
        assert not queued_sends.change(session, "one", text="x", now=NOON)
        assert not queued_sends.hurry(session, "one", now=NOON)


@pytest.mark.parametrize("gone", [False, True])
def test_lines_wait_in_idle_threads_that_are_there(database, gone):
    with database.transaction() as session:
        idle, busy = stored_thread(session), stored_thread(session)
        queued(session, idle, "one", 1)
        queued(session, busy, "two", 1)
        exchange = stored_exchange(session, busy)
        if gone:
            threads.delete(session, idle.id, now=NOON)
        assert queued_sends.waiting(session) == (() if gone else (idle.id,))
        assert exchanges.end(session, exchange.id, worker_id="w1", now=NOON)
        assert busy.id in queued_sends.waiting(session)


def test_the_live_are_counted_by_person_and_by_worker(database):
    with database.transaction() as session:
        one, two = stored_thread(session), stored_thread(session)
        stored_exchange(session, one)
        stored_exchange(session, two, worker_id="w2")
        assert exchanges.alive(session) == 2
        assert exchanges.alive(session, by=one.owner) == 1
        assert exchanges.alive(session, worker_id="w2") == 1
        assert exchanges.alive(session, by=one.owner, worker_id="w2") == 0
