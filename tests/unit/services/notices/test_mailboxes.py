"""Where people read mail: set by admins, used as the person says."""

import pytest

from chat_app.services.policy import Refused
from chat_app.services.problems import BadNotice
from tests.support.noticed import boss
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


async def kept(world, person):
    found = await world.mailboxes.of(person, person.id)
    return None if found is None else (found.address, found.wanted)


async def test_an_admin_sets_it_and_the_person_says_whether_it_is_used(world):
    assert await kept(world, world.ada) is None
    await world.mailboxes.put(boss(world), world.ada.id, " ada@example.org ")
    assert await kept(world, world.ada) == ("ada@example.org", True)
    await world.mailboxes.want(world.ada, wanted=False)
    await world.mailboxes.put(boss(world), world.ada.id, "ada@example.com")
    assert await kept(world, world.ada) == ("ada@example.com", False)
    await world.mailboxes.want(world.ada, wanted=True)
    assert (await world.mailboxes.of(boss(world), world.ada.id)).wanted
    await world.mailboxes.put(boss(world), world.ada.id, "")
    assert await kept(world, world.ada) is None


async def test_nobody_else_sets_or_sees_it(world):
    with pytest.raises(Refused):
        await world.mailboxes.put(world.ada, world.ada.id, "ada@example.org")
    with pytest.raises(Refused):
        await world.mailboxes.of(world.ada, world.bob.id)
    with pytest.raises(Refused):
        await world.mailboxes.want(world.ada, wanted=True)
    for gone in ("unknown", world.nameless()):
        with pytest.raises(Refused):
            await world.mailboxes.put(boss(world), gone, "ada@example.org")


@pytest.mark.parametrize(
    "address", ["ada", "ada@example.org\nBcc: x@y.z", "a@b,c@d", "Ada <a@b.c>", "a..b@c.d"]
)
async def test_what_is_no_address_is_not_kept(world, address):
    with pytest.raises(BadNotice) as trouble:
        await world.mailboxes.put(boss(world), world.ada.id, address)
    assert trouble.value.field == "address"
    assert await kept(world, world.ada) is None
