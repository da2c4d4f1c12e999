from datetime import timedelta

import pytest

from chat_app.data import auth_sessions
from chat_app.services.sign_ins import SignIn, Visitor, hash_of, new_token
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def stored(world: World, cookie: str):
    with world.database.reading() as session:
        return auth_sessions.find(session, hash_of(cookie.partition("=")[2]), now=world.clock.now)


async def test_a_sign_in_says_whose_it_is_and_how_they_came(world):
    cookie = await world.cookie_of(world.ada)
    found = world.accounts.sign_ins.find(cookie)
    assert found == SignIn(stored(world, cookie).id, world.ada, "password", "ada")


async def test_use_does_not_carry_a_sign_in_past_its_end(world):
    cookie = await world.cookie_of(world.ada)
    for _ in range(5):
        world.clock.forward(days=17)
        assert world.accounts.sign_ins.find(cookie) is not None
    world.clock.forward(days=6)
    assert world.accounts.sign_ins.find(cookie) is None


async def test_a_sign_in_of_an_earlier_version_has_no_end_of_its_own(world):
    cookie = await world.cookie_of(world.ada)
    with world.database.transaction() as session:
        session.execute(auth_sessions.auth_session.update().values(ends_at=None))
    for _ in range(10):
        world.clock.forward(days=29)
        assert world.accounts.sign_ins.find(cookie) is not None


async def test_what_a_browser_calls_itself_is_kept_in_part(world):
    with world.database.transaction() as session:
        user = world.user(world.ada)
        cookie = world.accounts.sign_ins.begin(session, user, way="local", visitor=Visitor(device="x" * 999))
    assert len(stored(world, cookie.decode().partition(";")[0]).device) == 300


async def test_an_ended_sign_in_is_nobodys(world):
    cookie = await world.cookie_of(world.ada)
    found = world.accounts.sign_ins.find(cookie)
    with world.database.transaction() as session:
        world.accounts.sign_ins.end(session, found)
    assert world.accounts.sign_ins.find(cookie) is None


def test_a_farewell_makes_the_browser_forget(world):
    assert b"Max-Age=0" in world.accounts.sign_ins.farewell()


def test_tokens_are_long_and_never_alike():
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 43


async def test_a_sign_in_ends_on_the_day_it_says(world):
    held = stored(world, await world.cookie_of(world.ada))
    assert (held.expires_at - held.created, held.ends_at - held.created) == (
        timedelta(days=30),
        timedelta(days=90),
    )
