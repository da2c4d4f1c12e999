"""Admins who put one another out at once: one of them remains, whichever way each goes and whatever the database."""

import asyncio
from itertools import product

import pytest

from chat_app.data import users
from chat_app.services.policy import Person
from chat_app.services.problems import LastAdmin
from chat_app.services.provided import Claim
from chat_app.services.sign_ins import Visitor
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
pytestmark = pytest.mark.faults

ROUNDS = 5
HERE = Visitor("10.0.0.1", "Browser")


@pytest.fixture
async def world(database):
    async with World(database, role_map={"staff": "user", "bosses": "admin"}).running() as world:
        yield world


async def disable(world: World, by: Person, other: Person) -> None:
    await world.people.set_active(by, other.id, active=False)


async def demote(world: World, by: Person, other: Person) -> None:
    await world.people.set_roles(by, other.id, ["user"])


async def erase(world: World, by: Person, other: Person) -> None:
    await world.services.departures.erase(by, other.id, "They asked")


async def lose_group(world: World, by: Person, other: Person) -> None:
    """Let the provider say at a sign-in that the other is no admin any more."""
    del by
    claim = Claim(issuer="https://id", subject=other.id, name="x", groups=("staff",))
    await world.provided.come_in(claim, way="oidc", visitor=HERE)


WAYS = (disable, demote, erase, lose_group)


def admins(world: World) -> list[str]:
    with world.database.reading() as session:
        return [one.id for one in users.active_with(session, "admin")]


async def two_admins(world: World, number: int) -> tuple[Person, Person]:
    """Return two admins, who are all there are, and whom a provider knows."""
    for one in admins(world):
        with world.database.transaction() as session:
            users.set_active(session, one, active=False)
    eve, mia = (world.person(f"{name}{number}", name.title(), "user", "admin") for name in ("eve", "mia"))
    for one in (eve, mia):
        claim = Claim(issuer="https://id", subject=one.id, name="x", groups=("bosses",))
        await world.provided.connect(one.id, claim)
    return eve, mia


@pytest.mark.parametrize(("one", "other"), tuple(product(WAYS, WAYS)), ids=lambda way: way.__name__)
async def test_of_two_last_admins_who_put_one_another_out_at_once_one_remains(world, one, other):
    for number in range(ROUNDS):
        eve, mia = await two_admins(world, number)
        tried = [one(world, eve, mia), other(world, mia, eve)]
        ended = await asyncio.gather(*tried, return_exceptions=True)
        assert len(admins(world)) >= 1
        assert {type(each) for each in ended} <= {type(None), bytes, LastAdmin}


async def test_an_admin_alone_is_put_out_by_nobody(world):
    eve, mia = await two_admins(world, 0)
    await disable(world, eve, mia)
    for way in WAYS[:3]:
        with pytest.raises(LastAdmin):
            await way(world, eve, eve)
    await lose_group(world, mia, eve)
    assert admins(world) == [eve.id]
