"""What clicks in the inbox do, and what they say when they come to nothing."""

from types import SimpleNamespace

import pytest

from chat_app.data.records import UserRecord
from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.inbox import Query
from chat_app.services.policy import Person
from chat_app.services.problems import InHand, NotAlike
from chat_app.state.chat import NO_PROBLEM
from chat_app.state.inbox import Inbox
from tests.support.tabs import call, page, person_of
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


async def asked(world: World) -> str:
    world.rule({"decide": [{"by": "role", "roles": ["approver"]}]})
    thread = await world.said("Go", ask())
    return world.questions(thread)[-1].id


async def listed(world: World, person: Person | UserRecord, **query):
    return (await world.inbox.page(person, Query(**query))).questions


async def test_a_question_is_taken_and_let_go(world):
    state, one = await page(world, "/approvals", kind=Inbox), await asked(world)
    me = await person_of(world, state)
    await call(state, "claim", one)
    assert [item.id for item in await listed(world, me, tab="assigned")] == [one]
    await call(state, "give", one, "")
    assert await listed(world, me, tab="assigned") == []
    assert state.problem == NO_PROBLEM


async def test_who_comes_too_late_to_take_it_is_told_who_has_it(world):
    carla, one = world.person("carla", "Carla", "approver"), await asked(world)
    await world.inbox.claim(carla, one)
    state = await page(world, "/approvals", kind=Inbox)
    await call(state, "claim", one)
    assert state.problem == InHand("Carla").problem


async def test_alike_ones_are_approved_and_others_are_refused(world):
    state, one, two = await page(world, "/approvals", kind=Inbox), await asked(world), await asked(world)
    await call(state, "approve_alike", [one, "unknown"])
    assert state.problem == NotAlike.problem
    world.agent.scripts.extend([answer("ok")] * 2)
    await call(state, "approve_alike", [one, two])
    await world.idle()
    assert state.problem == NO_PROBLEM
    assert await listed(world, await person_of(world, state)) == []


async def test_what_came_in_the_way_of_one_of_them_is_told(world):
    state, one = await page(world, "/approvals", kind=Inbox), await asked(world)
    world.rule({"decide": [{"by": "two", "roles": ["approver"]}]})
    world.agent.scripts.append(answer("ok"))
    carla, dan = (world.person(name, name, "approver") for name in ("carla", "dan"))
    for person in (carla, dan):
        await world.inbox.approve_alike(person, [one])
    await world.idle()
    await call(state, "approve_alike", [one])
    assert state.problem == NotAlike.problem


async def test_what_came_in_the_way_while_they_were_approved_is_told(world):
    state, one, two = await page(world, "/approvals", kind=Inbox), await asked(world), await asked(world)
    decide = world.approvals.decide

    async def only_the_first(person, interrupt_id, given):
        if interrupt_id == two:
            raise InHand("Carla")
        return await decide(person, interrupt_id, given)

    world.inbox._approvals = SimpleNamespace(decide=only_the_first)
    world.agent.scripts.append(answer("ok"))
    await call(state, "approve_alike", [one, two])
    await world.idle()
    assert state.problem == InHand("Carla").problem
    assert [item.id for item in await listed(world, await person_of(world, state))] == [two]
