import pytest

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.problems import NotEditable
from chat_app.services.rows import Row
from chat_app.state.chat import NO_PROBLEM
from chat_app.state.turns import Turns
from tests.support.tabs import call, go, page, thread_of
from tests.support.world import World, answer, texts

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


@pytest.fixture
async def turns(world) -> Turns:
    """Return the state of a tab in a thread with one answered line."""
    cookie = (await world.accounts.sign_in_local()).decode().partition(";")[0]
    state = await page(world, "/", cookie=cookie, kind=Turns)
    thread = await thread_of(world, state, answer("Hi"))
    go(state, f"/t/{thread}", cookie)
    return state


def rows(world: World, state: Turns) -> list[Row]:
    return world.view(state._thread_in_address()).rows


async def test_a_line_is_edited_and_its_earlier_version_chosen_again(world, turns):
    world.agent.scripts.append(answer("Good morning"))
    await call(turns, "edit", rows(world, turns)[0].key, "Good morning")
    await world.idle()
    assert texts(world.view(turns._thread_in_address())) == ["Good morning", "Good morning"]
    edited = rows(world, turns)[0]
    assert (len(edited.ways), edited.way) == (2, 1)
    await call(turns, "choose", edited.ways[0])
    assert texts(world.view(turns._thread_in_address())) == ["Hello", "Hi"]
    assert turns.problem == NO_PROBLEM


async def test_an_answer_is_given_again(world, turns):
    world.agent.scripts.append(answer("Hello there"))
    await call(turns, "regenerate", rows(world, turns)[1].key)
    await world.idle()
    assert texts(world.view(turns._thread_in_address())) == ["Hello", "Hello there"]


async def test_an_answer_is_judged(world, turns):
    await call(turns, "rate", rows(world, turns)[1].key, "bad", "too short")
    judged = rows(world, turns)[1]
    assert (judged.verdict, judged.comment) == ("bad", "too short")


async def test_what_a_run_took_is_shown(world, turns):
    run = rows(world, turns)[1].run
    await call(turns, "look", run)
    assert turns.details.run == run


@pytest.mark.parametrize(
    ("handler", "arguments"),
    [
        ("edit", ("no such row", "text")),
        ("regenerate", ("no such row",)),
        ("choose", (7,)),
        ("rate", ("no such row", "good", "")),
        ("look", ("no such run",)),
    ],
)
async def test_what_is_not_there_any_more_is_said_so(world, turns, handler, arguments):
    await call(turns, handler, *arguments)
    assert turns.problem == NotEditable.problem
