"""Lists of the inbox: one query each, narrowed and ordered."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chat_app.data import endorsements, inbox, interrupts, users
from chat_app.data.inbox import Looker, Mark, Wanted
from chat_app.data.records import EndorsementRecord, InboxItemRecord
from tests.support.records import NOON, a_user, stored_exchange, stored_question, stored_run, stored_thread

pytest_plugins = ("tests.support.databases",)

APPROVER = 2


def stored_item(session, owner, *, by="role", roles=APPROVER, **values):
    thread = stored_thread(session, owner=owner)
    run = stored_run(session, stored_exchange(session, thread), status="interrupted")
    asked = stored_question(session, run, **values)
    record = InboxItemRecord(
        interrupt=asked.id, owner=owner, agent=thread.agent, by=by, roles=roles, rules="r"
    )
    inbox.put(session, [record])
    return asked


@pytest.fixture
def session(database):
    with database.transaction() as session:
        yield session


@pytest.fixture
def ada(session):
    return users.ensure(session, a_user()).id


@pytest.fixture
def carla(session):
    return Looker(id=users.ensure(session, a_user()).id, roles=APPROVER, asks=False)


def found(session, looker, **wanted):
    return [line.id for line in inbox.lines(session, looker, Wanted(**wanted))]


def test_lists_come_in_the_order_that_is_wanted(session, ada, carla):
    later = {"created": NOON + timedelta(hours=1), "expires_at": NOON + timedelta(hours=2)}
    old, new = stored_item(session, ada), stored_item(session, ada, **later)
    assert found(session, carla) == [old.id, new.id]
    assert found(session, carla, sort="newest") == [new.id, old.id]
    assert found(session, carla, sort="expiry") == [new.id, old.id]
    assert found(session, carla, limit=0) == [old.id]


def test_lists_are_narrowed_by_everything_at_once(session, ada, carla):
    soon = NOON + timedelta(minutes=5)
    one = stored_item(session, ada, tool_name="refund", expires_at=soon)
    stored_item(session, ada, tool_name="mail")
    agent = inbox.get(session, one.id).agent
    narrowed = {"tool": "refund", "owner": ada, "agent": agent, "asked_before": NOON, "expires_before": soon}
    assert found(session, carla, **narrowed) == [one.id]
    assert found(session, carla, asked_before=NOON - timedelta(seconds=1)) == []
    (share,) = [share for share in inbox.shares(session, carla, "all") if share.tool == "refund"]
    assert (share.owner, share.agent, share.count) == (ada, agent, 1)


def test_the_print_differs_when_something_changes(session, ada, carla):
    empty = inbox.print_of(session)
    one = stored_item(session, ada)
    asked = inbox.print_of(session)
    inbox.hold(session, one.id, holder=carla.id, by=carla.id, at=NOON, was=None)
    held = inbox.print_of(session)
    interrupts.set_status(session, [one.id], status="expired", at=NOON)
    assert len({empty, asked, held, inbox.print_of(session)}) == 4


def test_what_is_over_is_decided_and_counts_no_more(session, ada, carla):
    one = stored_item(session, ada)
    assert inbox.counts(session, carla).all == 1
    interrupts.set_status(session, [one.id], status="expired", at=NOON)
    assert inbox.counts(session, carla).all == 0
    assert found(session, carla, tab="decided") == [one.id]
    assert found(session, Looker(id=ada, roles=1, asks=True), tab="decided") == [one.id]
    assert found(session, Looker(id="x", roles=8, asks=True), tab="decided") == []


@pytest.mark.parametrize(
    ("wanted", "moment"),
    [
        (Wanted(sort="oldest"), "created"),
        (Wanted(sort="newest"), "created"),
        (Wanted(sort="expiry"), "expires_at"),
        (Wanted(tab="decided"), "settled_at"),
    ],
    ids=["oldest", "newest", "expiry", "decided"],
)
def test_a_list_is_read_in_stretches_without_a_gap_or_a_repetition(session, ada, carla, wanted, moment):
    hour = timedelta(hours=1)
    for number in range(7):
        settled = (
            {"status": "answered", "settled_at": NOON + number // 2 * hour} if wanted.tab == "decided" else {}
        )
        expires = None if number > 4 else NOON + number // 2 * hour
        stored_item(session, ada, created=NOON + number // 3 * hour, expires_at=expires, **settled)
    whole = [line.id for line in inbox.lines(session, carla, wanted)]
    read, after = [], None
    while found := inbox.lines(session, carla, replace(wanted, limit=2, after=after))[:2]:
        read += [line.id for line in found]
        after = Mark(getattr(found[-1], moment), found[-1].id)
    assert read == whole
    assert len(whole) == 7


def test_what_one_of_two_has_agreed_to_waits_for_somebody_else(session, ada, carla):
    asked = stored_item(session, ada, by="two")
    stored_item(session, ada, by="role")
    assert inbox.counts(session, carla).open == 2
    said = {"interrupt": asked.id, "by": carla.id, "kind": "approve", "digest": "d", "at": NOON}
    endorsements.put(session, EndorsementRecord(id="e1", **said))
    counted = inbox.counts(session, carla)
    assert (counted.open, counted.all) == (1, 2)


def test_the_newest_that_waits_comes_with_its_thread_where_that_is_ones_own(session, ada, carla):
    mine = Looker(id=ada, roles=1, asks=True)
    assert inbox.newest(session, carla) is None
    old = stored_item(session, ada)
    new = stored_item(session, ada, created=NOON + timedelta(hours=1))
    assert inbox.newest(session, carla) == (new.id, "")
    own = stored_item(session, ada, by="requester", created=NOON + timedelta(hours=2))
    assert inbox.newest(session, mine) == (own.id, own.thread)
    interrupts.set_status(session, [new.id], status="answered", was={"pending"}, at=NOON)
    assert inbox.newest(session, carla) == (old.id, "")
