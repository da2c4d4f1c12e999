import pytest

from chat_app.data import exchanges
from chat_app.data.errors import ThreadBusy
from tests.support.records import NOON, SECOND, an_exchange, stored_exchange, stored_thread

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def thread(database):
    with database.transaction() as session:
        return stored_thread(session)


@pytest.fixture
def exchange(database, thread):
    with database.transaction() as session:
        return stored_exchange(session, thread)


def test_a_second_exchange_of_a_thread_is_refused_while_the_first_lives(database, thread, exchange):
    second = an_exchange(thread=thread.id, by=thread.owner)

    with pytest.raises(ThreadBusy) as caught, database.transaction() as session:
        exchanges.start(session, second)

    assert caught.value.thread == thread.id


def test_the_next_exchange_starts_when_the_first_has_ended(database, thread, exchange):
    with database.transaction() as session:
        assert exchanges.end(session, exchange.id, worker_id="w1", now=NOON)
        following = stored_exchange(session, thread)

        assert exchanges.live_of(session, thread.id) == following
        assert exchanges.get(session, exchange.id).ended == NOON


def test_a_thread_at_rest_has_no_live_exchange(database, thread):
    with database.reading() as session:
        assert exchanges.live_of(session, thread.id) is None
        assert exchanges.get(session, "unknown") is None


def test_an_exchange_is_ended_once_and_by_its_worker(database, exchange):
    with database.transaction() as session:
        assert not exchanges.end(session, exchange.id, worker_id="w2", now=NOON)
        assert exchanges.end(session, exchange.id, worker_id="w1", now=NOON)
        assert not exchanges.end(session, exchange.id, worker_id="w1", now=NOON)


def test_a_worker_renews_what_it_holds_and_learns_what_it_lost(database, exchange):
    until = NOON + 60 * SECOND
    with database.transaction() as session:
        other = stored_exchange(session, stored_thread(session), worker_id="w2")
        over = stored_exchange(session, stored_thread(session), ended=NOON)
        asked = [exchange.id, other.id, over.id, "unknown"]
        held = exchanges.renew(session, asked, worker_id="w1", lease_until=until)

        assert held == exchanges.held(session, asked, worker_id="w1") == {exchange.id}
        assert exchanges.get(session, exchange.id).lease_until == until
        assert exchanges.get(session, other.id) == other
        assert exchanges.renew(session, [], worker_id="w1", lease_until=until) == frozenset()


def test_a_late_lease_is_noticed(database, exchange):
    with database.transaction() as session:
        stored_exchange(session, stored_thread(session), ended=NOON, lease_until=NOON)

        assert exchanges.expired(session, now=exchange.lease_until) == ()
        assert exchanges.expired(session, now=exchange.lease_until + SECOND) == (exchange,)


def test_live_exchanges_are_listed_the_most_urgent_first(database, exchange):
    with database.transaction() as session:
        urgent = stored_exchange(session, stored_thread(session), lease_until=NOON)
        stored_exchange(session, stored_thread(session), ended=NOON)

        assert exchanges.live(session) == (urgent, exchange)


def test_one_reaper_takes_an_exchange_over(database, exchange):
    until = NOON + 60 * SECOND
    with database.transaction() as session:
        assert exchanges.take_over(session, exchange, worker_id="w2", lease_until=until)
        assert not exchanges.take_over(session, exchange, worker_id="w3", lease_until=until)
        assert exchanges.held(session, [exchange.id], worker_id="w2") == {exchange.id}
        assert exchanges.held(session, [exchange.id], worker_id="w1") == frozenset()


def test_an_exchange_that_was_renewed_meanwhile_is_not_taken_over(database, exchange):
    with database.transaction() as session:
        exchanges.renew(session, [exchange.id], worker_id="w1", lease_until=NOON + 11 * SECOND)

        assert not exchanges.take_over(session, exchange, worker_id="w2", lease_until=NOON + 60 * SECOND)


def test_the_first_who_asks_to_stop_is_remembered(database, thread, exchange):
    with database.transaction() as session:
        first = exchanges.request_stop(session, thread.id, by=thread.owner, now=NOON)
        second = exchanges.request_stop(session, thread.id, by=thread.owner, now=NOON + SECOND)

    assert first == second
    assert (first.id, first.stop_requested_at, first.stop_requested_by) == (exchange.id, NOON, thread.owner)


def test_a_stop_finds_nothing_when_nothing_is_alive(database, thread, exchange):
    with database.transaction() as session:
        exchanges.end(session, exchange.id, worker_id="w1", now=NOON)

        assert exchanges.request_stop(session, thread.id, by=thread.owner, now=NOON) is None
        assert exchanges.get(session, exchange.id).stop_requested_at is None
