import asyncio

import pytest

from chat_app.data import threads
from chat_app.services.policy import Refused
from chat_app.services.starting import Starter
from tests.fakes import until
from tests.support.world import World, answer, texts

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def test_a_page_that_leaves_while_its_line_is_committed_gets_its_answer_all_the_same(world):
    world.agent.scripts.append(answer("Hi"))
    committing = asyncio.Event()
    commit = world.chat._starter._commit
    loop = asyncio.get_running_loop()

    def slow(use_case):
        loop.call_soon_threadsafe(committing.set)
        return commit(use_case)

    world.chat._starter._commit = slow
    sending = asyncio.ensure_future(world.chat.send(world.ada, None, "Hello"))
    await committing.wait()
    sending.cancel()
    with pytest.raises(asyncio.CancelledError):
        await sending
    await until(lambda: world.agent.requests)
    await world.idle()
    (thread,) = _threads(world)
    assert texts(world.view(thread)) == ["Hello", "Hi"]


def _threads(world: World) -> list[str]:
    with world.database.reading() as session:
        return [line.id for line in threads.listed(session, world.ada.id).threads]


async def test_what_was_refused_changes_nothing(world):
    starter = Starter(world.database, world.threads, world.supervisor)

    def refuse(_session):
        raise Refused

    with pytest.raises(Refused):
        await starter.act(refuse)
