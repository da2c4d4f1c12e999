"""How long chats are kept, and erasing what is over."""

from datetime import timedelta

import pytest

from chat_app.data import agents, audit, threads
from chat_app.services.keeping import BadDays, Moved
from chat_app.services.policy import Refused
from chat_app.services.retention import Retention, Terms
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
DAY = timedelta(days=1)


@pytest.fixture
def world(database):
    world = World(database)
    world.thread(pinned=True)  # it stays whatever happens, and its agent is there
    return world


@pytest.fixture
def max_(world):
    return world.person("max", "Max", "admin")


@pytest.fixture
def keeping(world):
    return world.keeping_of(Retention(world.database, Terms(9, 30 * DAY), now=world.clock))


def agent_of(world):
    with world.database.reading() as session:
        return agents.every(session)[0]


def act_of(world, thing):
    with world.database.reading() as session:
        return audit.of_object(session, thing)[-1]


async def test_what_would_go_is_counted_once_and_nothing_goes(world, keeping, max_):
    deleted, unused = world.thread(), world.thread()
    with world.database.transaction() as session:
        threads.delete(session, deleted.id, now=world.clock())
    before = await keeping.outlook(max_)
    assert (before.days, before.undo, before.due, before.deleted, before.last, before.next) == (
        9,
        30,
        0,
        1,
        None,
        None,
    )
    world.clock.forward(days=31)
    outlook = await keeping.outlook(max_)
    (kept,) = outlook.kept
    assert (kept.days, kept.own, kept.due) == (9, None, 1)
    assert (outlook.deleted, outlook.due_deleted, outlook.due) == (1, 1, 2)
    assert world.get_thread(unused.id)
    assert await keeping.erase(max_, "2") == 2
    after = await keeping.outlook(max_)
    assert (after.due, after.last.erased) == (0, 2)
    assert after.next > after.last.at
    act = act_of(world, "retention")
    assert (act.action, act.actor, act.detail) == ("retention.run", max_.id, {"erased": 2})


async def test_a_deleted_chat_that_is_unused_too_is_counted_as_what_it_goes_for(world, keeping, max_):
    thread = world.thread()
    with world.database.transaction() as session:
        threads.delete(session, thread.id, now=world.clock())
    world.clock.forward(days=10)
    outlook = await keeping.outlook(max_)
    assert (outlook.due_deleted, outlook.due) == (0, 1)


@pytest.mark.parametrize("agreed", ["", "2", "01", "x"])
async def test_nothing_is_erased_unless_it_is_what_was_agreed_to(world, keeping, max_, agreed):
    thread = world.thread()
    world.clock.forward(days=10)
    with pytest.raises(Moved):
        await keeping.erase(max_, agreed)
    assert world.get_thread(thread.id)


async def test_an_agent_has_days_of_its_own_until_they_are_taken_back(world, keeping, max_):
    world.thread()
    world.clock.forward(days=5)
    agent = agent_of(world)
    await keeping.keep(max_, agent.id, " 3 ")
    (kept,) = (await keeping.outlook(max_)).kept
    assert (kept.days, kept.own, kept.due) == (3, 3, 1)
    act = act_of(world, f"agent:{agent.id}")
    assert (act.action, act.detail) == ("agent.changed", {"retention_days": 3, "was": None})
    await keeping.keep(max_, agent.id, "")
    (kept,) = (await keeping.outlook(max_)).kept
    assert (kept.days, kept.own, agent_of(world).policy) == (9, None, None)


async def test_the_other_rules_of_an_agent_stay(world, keeping, max_):
    agent = agent_of(world)
    for policy in ({"use": {"roles": ["user"]}}, ["broken"]):
        with world.database.transaction() as session:
            agents.change(session, agent.id, policy=policy)
        await keeping.keep(max_, agent.id, "7")
        others = policy if isinstance(policy, dict) else {}
        assert agent_of(world).policy == {**others, "retention_days": 7}


async def test_chats_stay_for_ever_unless_days_are_set(world, max_):
    world.thread()
    world.clock.forward(days=9999)
    keeping = world.keeping_of(Retention(world.database, Terms(None, DAY), now=world.clock))
    outlook = await keeping.outlook(max_)
    assert (outlook.days, outlook.kept[0].days, outlook.due) == (None, None, 0)


@pytest.mark.parametrize("days", ["0", "-1", "1.5", "²", "x", "36501", "9" * 30])
async def test_what_is_no_number_of_days_changes_nothing(world, keeping, max_, days):
    with pytest.raises(BadDays):
        await keeping.keep(max_, agent_of(world).id, days)
    assert agent_of(world).policy is None


async def test_nobody_else_sees_or_changes_it(world, keeping, max_):
    agent = agent_of(world).id
    for person in (world.ada, world.person("eve", "Eve", "auditor"), world.person("tom", "Tom", "approver")):
        for use in (keeping.outlook(person), keeping.keep(person, agent, "1"), keeping.erase(person, "0")):
            with pytest.raises(Refused):
                await use
    with pytest.raises(Refused):
        await keeping.keep(max_, "unknown", "1")
