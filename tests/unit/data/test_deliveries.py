"""Notices on their way: once for each target, held by one worker at a time."""

import pytest

from chat_app.data import deliveries
from tests.support.records import NOON, SECOND, a_delivery, fresh

pytest_plugins = ("tests.support.databases",)

UNTIL = NOON + 60 * SECOND


@pytest.fixture
def session(database):
    with database.transaction() as session:
        yield session


def stored(session, **values):
    record = a_delivery(**values)
    assert deliveries.add(session, [record]) == 1
    return record


def due(session, now=NOON, **how):
    return [one.id for one in deliveries.due(session, now=now, limit=10, **how)]


def take(session, one, by="w1", now=NOON):
    return deliveries.take(session, one.id, by=by, now=now, until=now + 60 * SECOND)


def test_a_notice_is_written_down_once_for_each_target(session):
    one = stored(session, notice="asked:1", target="here")
    same = a_delivery(notice="asked:1", target="here")
    other = a_delivery(notice="asked:1", target="there")
    assert deliveries.add(session, [same, other, a_delivery(notice="asked:1", channel="mail")]) == 2
    assert deliveries.get(session, one.id) == one
    assert deliveries.get(session, same.id) is None


def test_what_is_due_comes_in_order_and_not_to_targets_that_are_busy(session):
    late = stored(session, due=NOON - SECOND)
    now = stored(session, target="elsewhere")
    stored(session, due=NOON + SECOND)
    assert due(session) == [late.id, now.id]
    assert due(session, without=["somewhere"]) == [now.id]
    assert len(deliveries.due(session, now=NOON, limit=1)) == 1


def test_a_delivery_is_held_by_one_until_the_lease_is_over(session):
    one = stored(session)
    assert take(session, one)
    assert not take(session, one, by="w2")
    assert due(session) == []
    assert due(session, UNTIL) == [one.id]
    assert take(session, one, by="w2", now=UNTIL)
    held = deliveries.get(session, one.id)
    assert (held.held_by, held.attempts) == ("w2", 2)


def test_who_lost_the_lease_changes_nothing(session):
    one = stored(session)
    assert take(session, one)
    assert take(session, one, by="w2", now=UNTIL)
    assert not deliveries.settle(session, one.id, by="w1", state="sent", outcome="204", at=UNTIL)
    assert not deliveries.postpone(session, one.id, by="w1", outcome="503", due=UNTIL)
    assert deliveries.settle(session, one.id, by="w2", state="sent", outcome="204", at=UNTIL)
    ended = deliveries.get(session, one.id)
    assert (ended.state, ended.outcome, ended.settled_at, ended.held_by) == ("sent", "204", UNTIL, None)
    assert due(session, UNTIL + 60 * SECOND) == []


def test_a_delivery_that_failed_for_now_is_due_later(session):
    one = stored(session)
    take(session, one)
    assert deliveries.postpone(session, one.id, by="w1", outcome="503", due=UNTIL)
    assert due(session) == []
    assert due(session, UNTIL) == [one.id]


def test_a_process_that_is_alone_lets_go_of_what_an_earlier_one_held(session):
    one = stored(session)
    stored(session)
    take(session, one)
    assert deliveries.release(session) == 1
    assert one.id in due(session)


def test_only_what_was_given_up_is_tried_anew(session):
    one, other = stored(session), stored(session)
    take(session, one)
    deliveries.settle(session, one.id, by="w1", state="failed", outcome="404", at=NOON)
    assert deliveries.again(session, one.id, now=UNTIL)
    assert not deliveries.again(session, other.id, now=UNTIL)
    assert not deliveries.again(session, "unknown", now=UNTIL)
    tried = stored(session, kind="test", state="failed", settled_at=NOON)
    assert not deliveries.again(session, tried.id, now=UNTIL)
    found = deliveries.get(session, one.id)
    assert (found.state, found.attempts, found.settled_at) == ("waiting", 0, None)


def test_lists_are_newest_first_and_counted_by_state(session):
    old = stored(session)
    new = stored(session, created=UNTIL)
    gone = stored(session, state="failed", settled_at=NOON)
    assert [one.id for one in deliveries.newest(session, limit=2)] == [new.id, gone.id]
    assert [one.id for one in deliveries.newest(session, limit=9, state="waiting")] == [new.id, old.id]
    assert deliveries.counts(session) == {"waiting": 2, "failed": 1}


def test_old_ones_that_ended_are_forgotten(session):
    stored(session)
    for at in (NOON, UNTIL):
        stored(session, state="sent", settled_at=at, notice=fresh("notice"))
    assert deliveries.purge(session, before=UNTIL) == 1
    assert deliveries.counts(session) == {"waiting": 1, "sent": 1}
