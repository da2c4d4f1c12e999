import pytest
from structlog.testing import capture_logs

from chat_app.data.errors import DatabaseBusy
from chat_app.services.watch import Watch
from tests.fakes import until, within
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def sign_in_of(world: World, person):
    return await world.accounts.signed_in(await world.cookie_of(person))


async def test_a_tab_hears_at_once_that_its_sign_in_ended(world):
    held, other = await sign_in_of(world, world.ada), await sign_in_of(world, world.ada)
    watch = world.accounts.watch
    with watch.tab(held.id, held.person.roles) as mine, watch.tab(other.id, other.person.roles) as another:
        watch.end(held.id)
        assert (mine.over.is_set(), mine.out, another.over.is_set()) == (True, True, False)


async def test_an_end_that_came_from_elsewhere_is_heard_too(world):
    held = await sign_in_of(world, world.ada)
    watch = world.accounts.watch
    with watch.tab(held.id, held.person.roles) as tab:
        await watch.look()
        assert not tab.over.is_set()
        world.clock.forward(days=31)
        watch.look_now()
        await within(tab.over.wait())
    assert tab.out


async def test_other_roles_let_a_tab_come_again(world):
    held = await sign_in_of(world, world.ada)
    watch = world.accounts.watch
    with watch.tab(held.id, ("user", "approver")) as tab:
        await watch.look()
        assert (tab.over.is_set(), tab.out) == (True, False)


async def test_a_closed_tab_is_not_asked_about(world):
    watch = world.accounts.watch
    with watch.tab("s", ()):
        assert watch._tabs
    assert not watch._tabs


async def test_an_absent_database_ends_no_watch(sqlite):
    class Flaky:
        asked = 0

        def reading(self):
            self.asked += 1
            raise DatabaseBusy("away")

    database = Flaky()
    watch = Watch(database, now=lambda: None, every=0.001)
    with watch.tab("s", ()) as tab, capture_logs() as logs:
        watch.start()
        await until(lambda: database.asked > 1)
        await watch.stop()
    assert not tab.over.is_set()
    assert {entry["event"] for entry in logs} == {"watch_waits"}


async def test_a_watch_that_was_not_started_can_be_stopped(sqlite):
    await Watch(sqlite, now=lambda: None).stop()
