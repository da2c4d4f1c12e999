import pytest
from reflex.constants import RouteVar
from reflex.istate.data import HeaderData, URLData
from reflex.state import State

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.panels import PanelSpec
from chat_app.services.problems import NotInState
from chat_app.state.chat import NO_PROBLEM, Chat
from chat_app.state.shared import Shared
from tests.support.world import World, finished, started

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite, panels=(PanelSpec("state", edits=("/**",)),)).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


async def page(world: World) -> Shared:
    """Return the state of a tab on a thread whose agent shares a state."""
    cookie = (await world.accounts.sign_in_local()).decode().partition(";")[0]
    person = await world.accounts.person_of(cookie)
    world.agent.scripts.append(
        lambda run: [started(run), {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1}}, finished(run)]
    )
    thread = await world.chat.send(person, None, "Hello")
    await world.idle()
    root = State(_reflex_internal_init=True)
    state = await root.get_state(Shared)
    data = {RouteVar.HEADERS: {"cookie": cookie}, RouteVar.ORIGIN: f"/t/{thread}"}
    root.rx_router_headers = HeaderData.from_router_data(data)
    root.rx_router_url = URLData.from_router_data(data)
    return state


async def change(state: Shared, pointer: str, value: str) -> None:
    await Shared.event_handlers["change_state"].fn(state, pointer, value)


async def test_a_value_is_put_where_it_belongs(world):
    state = await page(world)
    await change(state, "/n", "2")
    assert world.get_thread(state._thread_in_address()).state == {"n": 2}
    assert (await state.get_state(Chat)).problem == NO_PROBLEM


@pytest.mark.parametrize(("pointer", "value"), [("/n", "{"), ("/m", "1")])
async def test_what_cannot_be_put_there_is_said(world, pointer, value):
    state = await page(world)
    await change(state, pointer, value)
    assert (await state.get_state(Chat)).problem == NotInState.problem
    assert world.get_thread(state._thread_in_address()).state == {"n": 1}
