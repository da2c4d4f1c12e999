import pytest

from chat_app.services.choosing import NOBODY, Choice
from chat_app.services.policy import Refused
from chat_app.services.problems import AgentClosed
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
NO_ROLE = {"use": {"roles": []}}


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def test_the_first_agent_of_the_settings_comes_first_and_is_chosen(world):
    desk, before = world.agent_called("Desk"), world.agent_called("A", builtin=True)
    found = await world.choosing.for_new(world.ada)
    assert found.agent == Choice(world.agents.default_id, "Parley")
    assert [one.id for one in found.choices] == [world.agents.default_id, before.id, desk.id]
    assert [one.title for one in found.suggestions] == ["Say hello"]


async def test_only_agents_that_are_open_to_the_person_can_be_chosen(world):
    bobs = world.agent_called("Bobs", policy={"use": {"roles": [], "people": [world.bob.id]}})
    assert (await world.choosing.for_new(world.ada, bobs.id)).agent.name == "Parley"
    assert (await world.choosing.for_new(world.bob, bobs.id)).agent.name == "Bobs"
    assert (await world.choosing.take(world.bob, bobs.id)).agent.name == "Bobs"
    for claim in (bobs.id, "unknown"):
        with pytest.raises(AgentClosed):
            await world.choosing.take(world.ada, claim)


async def test_where_no_agent_is_open_nobody_is_chosen(world):
    world.rule(NO_ROLE)
    found = await world.choosing.for_new(world.ada)
    assert (found.agent, found.choices, found.shut) == (NOBODY, [], True)
    assert await world.choosing.accepted(world.ada, thread="", agent="") == ()


async def test_a_thread_is_with_its_agent_even_when_that_is_closed(world):
    orders = world.agent_called("Orders", enabled=False)
    thread = world.thread(agent=orders.id)
    found = await world.choosing.for_thread(world.ada, thread.id)
    assert (found.agent, found.choices, found.shut) == (Choice(orders.id, "Orders"), [], True)
    world.change_agent(orders.id, enabled=True)
    assert not (await world.choosing.for_thread(world.ada, thread.id)).shut
    world.change_agent(orders.id, policy=NO_ROLE)
    assert (await world.choosing.for_thread(world.ada, thread.id)).shut


async def test_a_thread_of_somebody_else_is_with_nobody_until_it_is_open_for_reading(world):
    thread, max_ = world.thread(), world.person("max", "Max", "auditor")
    for person, claim in (
        (world.bob, thread.id),
        (max_, thread.id),
        (world.ada, "unknown"),
        (world.ada, "\x00"),
    ):
        assert (await world.choosing.for_thread(person, claim)).agent == NOBODY
    await world.viewing.open(max_, thread.id, "Ticket 5512")
    assert (await world.choosing.for_thread(max_, thread.id)).agent.name == "Parley"
    with pytest.raises(Refused):
        await world.viewing.open(world.bob, thread.id, "Curious")


async def test_what_is_taken_is_the_word_of_the_agent_in_question(world):
    quiet = world.agent_called("Quiet", url="http://127.0.0.1:1/")
    thread = world.thread(agent=quiet.id)
    takes = world.choosing.accepted
    assert await takes(world.ada, thread="", agent="") == ("image", "pdf", "file")
    assert await takes(world.ada, thread="", agent=quiet.id) == ()
    assert await takes(world.ada, thread=thread.id, agent="") == ()
    assert await takes(world.ada, thread="", agent="unknown") == ()
    await world.choosing.require_kinds(world.ada, [], agent=quiet.id)
