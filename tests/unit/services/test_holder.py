import pytest

from chat_app.services import holder
from chat_app.services.holder import current, install
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def nothing_installed():
    before = list(holder._held)
    holder._held.clear()
    yield
    holder._held[:] = before


def test_asking_before_anything_was_installed_says_what_to_do(nothing_installed):
    with pytest.raises(RuntimeError, match=r"chat_app\.wiring"):
        current()


def test_the_last_installed_are_the_current_ones(nothing_installed, sqlite):
    one, other = World(sqlite).services, World(sqlite).services
    install(one)
    install(other)
    assert current() is other


async def test_started_services_work_until_they_are_stopped(sqlite):
    world = World(sqlite)
    await world.services.start()
    thread = await world.said("Hello", answer("Hi"))
    await world.services.stop()
    assert world.runs(thread)[0].status == "success"
    assert world.supervisor.is_closing()
    assert world.agents._client.is_closed
