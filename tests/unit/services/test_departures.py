import json

import pytest

from chat_app.data import audit, users
from chat_app.services.accounts import Ways
from chat_app.services.departures import Departures
from chat_app.services.people import TERMINAL
from chat_app.services.policy import Policy, Refused
from chat_app.services.problems import LastAdmin, NoReason
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database, ways=Ways(password=True)).running() as world:
        yield world


@pytest.fixture
def eve(world):
    return world.person("eve", "Eve", "admin")


async def test_everything_of_a_person_is_handed_out_and_then_erased_for_a_reason(world, eve):
    departures = world.services.departures
    thread = await world.said("Hello", answer("Hi"))
    lines = [json.loads(line) for line in (await departures.export(eve, world.ada.id)).splitlines()]
    assert {"user", "thread", "message"} <= {line["kind"] for line in lines}
    with world.database.reading() as session:
        (handed_out,) = audit.of_object(session, f"user:{world.ada.id}")
    assert (handed_out.action, handed_out.actor) == ("person.exported", eve.id)
    assert await departures.erase(eve, world.ada.id, " she left ") == 1
    assert world.user(world.ada).name.startswith(users.ERASED)
    with world.database.reading() as session:
        (erased,) = audit.of_object(session, f"thread:{thread}")
    assert (erased.actor, erased.reason) == (eve.id, "she left")
    for again in (departures.export(eve, world.ada.id), departures.erase(eve, world.ada.id, "again")):
        with pytest.raises(Refused):
            await again


async def test_the_last_admin_stays_and_a_reason_is_needed(world, eve):
    with pytest.raises(LastAdmin):
        await world.services.departures.erase(eve, eve.id, "I leave")
    with pytest.raises(NoReason):
        await world.services.departures.erase(eve, world.ada.id, "")


async def test_it_is_done_without_tabs_to_tell(world):
    assert (
        await Departures(world.database, Policy(), now=world.clock).erase(TERMINAL, world.bob.id, "left") == 0
    )


async def test_nobody_else_may(world, eve):
    for use in (
        world.services.departures.export(world.ada, eve.id),
        world.services.departures.erase(world.ada, eve.id, "no reason"),
    ):
        with pytest.raises(Refused):
            await use
