import pytest
from reflex.constants import RouteVar
from reflex.istate.data import HeaderData, URLData
from reflex.state import State

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.problems import NotEditable
from chat_app.state.chat import Chat
from chat_app.state.run_details import NONE, RunDetails
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


async def page(world: World) -> RunDetails:
    """Return the state of a tab on a thread with one run."""
    cookie = (await world.accounts.sign_in_local()).decode().partition(";")[0]
    person = await world.accounts.person_of(cookie)
    world.agent.scripts.append(answer("Hi."))
    thread = await world.chat.send(person, None, "Hello")
    await world.idle()
    root = State(_reflex_internal_init=True)
    state = await root.get_state(RunDetails)
    data = {RouteVar.HEADERS: {"cookie": cookie}, RouteVar.ORIGIN: f"/t/{thread}"}
    root.rx_router_headers = HeaderData.from_router_data(data)
    root.rx_router_url = URLData.from_router_data(data)
    return state


async def test_the_last_run_is_shown(world):
    state = await page(world)
    await RunDetails.event_handlers["show_run"].fn(state, "")
    assert state.details.status == "success"


async def test_what_is_shown_stays_while_it_is_asked_about_again(world):
    state = await page(world)
    show = RunDetails.event_handlers["show_run"].fn
    await show(state, "")
    known = state.details
    asked = show(state, known.run)
    assert state.details == known
    await asked
    assert state.details == known


async def test_a_run_that_is_not_there_is_said_to_be(world):
    state = await page(world)
    await RunDetails.event_handlers["show_run"].fn(state, "nobody")
    assert state.details == NONE
    assert (await state.get_state(Chat)).problem == NotEditable.problem
