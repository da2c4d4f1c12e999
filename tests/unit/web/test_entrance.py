from ipaddress import ip_network

import pytest

from chat_app.services.accounts import Ways
from chat_app.services.problems import ProviderFailed
from chat_app.services.proxy import Proxies
from chat_app.web.entrance import Entrance
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)

PROXIES = Proxies(networks=(ip_network("10.0.0.0/8"),), secret="hush")


@pytest.fixture
def world(sqlite):
    return World(sqlite, ways=Ways(password=True, proxy=True))


def connection(user: str = "zoe", *, secret: str = "hush", peer: str = "10.0.0.1") -> dict:
    headers = [
        (b"x-forwarded-user", user.encode()),
        (b"x-parley-proxy-secret", secret.encode()),
        (b"user-agent", b"Fox"),
    ]
    return {"type": "http", "headers": headers, "client": (peer, 1)}


def header(cookie: bytes) -> str:
    return cookie.decode().partition(";")[0]


def entrance(world: World) -> Entrance:
    return Entrance(world.accounts, world.provided, PROXIES)


async def test_a_page_of_whom_the_proxy_vouches_for_gets_a_session(world):
    door = entrance(world)
    none, cookie = await door.look(connection(), "", page=True)
    assert none is None
    found, again = await door.look(connection(), header(cookie), page=True)
    assert (found.name, found.way, again) == ("zoe", "proxy", None)


async def test_what_is_no_page_gets_no_session(world):
    assert await entrance(world).look(connection(), "", page=False) == (None, None)


async def test_a_session_of_the_proxy_is_worth_nothing_without_its_word(world):
    door = entrance(world)
    _, cookie = await door.look(connection(), "", page=True)
    for other in (connection(secret="x"), connection(peer="192.0.2.1"), connection("")):
        assert await door.look(other, header(cookie), page=False) == (None, None)


async def test_who_the_proxy_vouches_for_now_is_in_and_no_longer_who_it_was(world):
    door = entrance(world)
    _, cookie = await door.look(connection(), "", page=True)
    assert await door.look(connection("bea"), header(cookie), page=False) == (None, None)
    none, other = await door.look(connection("bea"), header(cookie), page=True)
    assert (none, (await world.accounts.signed_in(header(other))).name) == (None, "bea")


async def test_a_session_by_password_needs_no_proxy(world):
    cookie = await world.cookie_of(world.ada)
    found, _ = await entrance(world).look(connection("zoe", secret=""), cookie, page=True)
    assert found.person == world.ada


async def test_a_name_that_is_taken_is_refused(world):
    with pytest.raises(ProviderFailed):
        await entrance(world).look(connection("ada"), "", page=True)


async def test_in_single_user_mode_a_page_is_the_local_users(sqlite):
    world = World(sqlite)
    door = Entrance(world.accounts, world.provided, Proxies())
    scope = {"type": "http", "headers": []}
    assert await door.look(scope, "", page=False) == (None, None)
    _, cookie = await door.look(scope, "", page=True)
    found, _ = await door.look(scope, header(cookie), page=True)
    assert found.way == "local"


def test_a_visitor_is_told_by_address_and_browser(world):
    visitor = entrance(world).visitor(
        {**connection(), "headers": [*connection()["headers"], (b"x-forwarded-for", b"203.0.113.9")]}
    )
    assert (visitor.address, visitor.device) == ("203.0.113.9", "Fox")
