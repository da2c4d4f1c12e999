"""The state of one tab, as Reflex holds it, and the calls its browser makes."""

from reflex.constants import RouteVar
from reflex.istate.data import HeaderData, URLData
from reflex.state import State

from chat_app.state.chat import Chat
from tests.support.world import World


async def page(world: World, path: str = "/", *, cookie: str | None = None, kind: type[Chat] = Chat) -> Chat:
    """Return the state of a tab at an address, signed in unless a cookie is given."""
    if cookie is None:
        cookie = (await world.accounts.sign_in_local()).decode().partition(";")[0]
    root = State(_reflex_internal_init=True)
    state = await root.get_state(kind)
    go(state, path, cookie)
    return state


def go(state: Chat, path: str, cookie: str) -> None:
    root = state._get_root_state()
    data = {RouteVar.HEADERS: {"origin": "http://localhost:3000", "cookie": cookie}, RouteVar.ORIGIN: path}
    root.rx_router_headers = HeaderData.from_router_data(data)
    root.rx_router_url = URLData.from_router_data(data)


async def call(state: Chat, handler: str, *arguments: object):
    return await maybe(type(state).event_handlers[handler].fn(state, *arguments))


async def maybe(result):
    return await result if hasattr(result, "__await__") else result


def target(event) -> str:
    """Return where a redirect goes."""
    return next(str(value._var_value) for name, value in event.args if str(name) == "path")


async def person_of(world: World, state: Chat):
    return await world.accounts.person_of(state.router.headers.raw_headers["cookie"])


async def thread_of(world: World, state: Chat, *scripts, words: str = "Hello") -> str:
    world.agent.scripts.extend(scripts)
    thread = await world.chat.send(await person_of(world, state), None, words)
    await world.idle()
    return thread
