import json

import pytest

from chat_app.data import audit, threads
from chat_app.services.approvals import Answer
from chat_app.services.policy import Refused
from chat_app.services.problems import Late
from tests.fakes import until
from tests.support.world import Gate, World, answer, ask, opened, said, started, texts

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def listed(world: World) -> list[str]:
    with world.database.reading() as session:
        return [line.id for line in threads.listed(session, world.ada.id).threads]


def noted(world: World, name: str) -> list[tuple[str, str | None]]:
    with world.database.reading() as session:
        return [(entry.action, entry.actor) for entry in audit.of_object(session, name)]


async def test_a_deleted_thread_is_gone_at_once_and_its_answer_stops(world):
    world.agent.scripts.append(lambda run: [started(run), opened("a"), said("a", "half"), Gate()])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    with world.hub.feed(world.ada.id) as feed:
        await world.removal.delete(world.ada, thread)
        assert json.loads(feed._frames[thread]) == {"thread_gone": thread}
        await world.idle()
        assert json.loads(feed._frames[thread]) == {"thread_gone": thread}
    assert (listed(world), world.agent.left, world.live(thread)) == ([], 1, None)
    for act in (world.chat.stop, world.chat.retry, world.removal.delete):
        with pytest.raises(Refused):
            await act(world.ada, thread)
    assert noted(world, f"thread:{thread}") == [("thread.delete", world.ada.id)]


async def test_what_was_asked_in_a_deleted_thread_waits_no_longer_and_again_when_it_is_back(world):
    thread = await world.said("Go", ask())
    (one,) = world.questions(thread)
    await world.removal.delete(world.ada, thread)
    (withdrawn,) = world.questions(thread)
    assert (withdrawn.status, withdrawn.settled_at is None) == ("withdrawn", False)
    with pytest.raises(Refused):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))

    await world.removal.restore(world.ada, thread)
    (again,) = world.questions(thread)
    assert (again.status, again.settled_at) == ("pending", None)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("approve"))
    await world.idle()
    assert texts(world.view(thread))[-1] == "ok"
    assert [action for action, _ in noted(world, f"interrupt:{one.id}")] == [
        "question.propose",
        "question.withdraw",
        "question.restore",
        "question.approve",
        "question.resume",
        "question.execute",
    ]
    with pytest.raises(Late):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))


async def test_only_the_owner_deletes_and_restores(world):
    thread = await world.said("Hello", answer("Hi"))
    with pytest.raises(Refused):
        await world.removal.delete(world.bob, thread)
    with pytest.raises(Refused):
        await world.removal.restore(world.ada, thread)
    await world.removal.delete(world.ada, thread)
    for person, key in ((world.bob, thread), (world.ada, "unknown"), (world.ada, "x" * 65)):
        with pytest.raises(Refused):
            await world.removal.restore(person, key)
    await world.removal.restore(world.ada, thread)
    assert listed(world) == [thread]
