import pytest

from chat_app.data import feedback
from chat_app.services.feedback import LONGEST
from chat_app.services.policy import Refused
from chat_app.services.problems import MessageTooLong, NotEditable
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


def opinions(world, thread: str) -> list[tuple[str, str]]:
    return [(row.verdict, row.comment) for row in world.view(thread).rows if row.kind == "turn"]


def answer_key(world, thread: str) -> str:
    return next(row.key for row in world.view(thread).rows if row.kind == "turn")


async def test_an_opinion_is_shown_with_its_answer_and_can_be_changed_and_taken_back(world):
    thread = await world.said("Hello", answer("Hi"))
    key = answer_key(world, thread)
    assert opinions(world, thread) == [("", "")]
    assert await world.feedback.rate(world.ada, thread, key, "good") == thread
    assert opinions(world, thread) == [("good", "")]
    await world.feedback.rate(world.ada, thread, key, "bad", "  It greets nobody. ")
    assert opinions(world, thread) == [("bad", "It greets nobody.")]
    await world.feedback.rate(world.ada, thread, key, "")
    assert opinions(world, thread) == [("", "")]


async def test_who_follows_the_thread_is_told_at_once(world):
    thread = await world.said("Hello", answer("Hi"))
    async with world.hub.use(thread) as channel:
        await world.feedback.rate(world.ada, thread, answer_key(world, thread), "good")
        assert '"verdict":"good"' in channel.live.snapshot()[1]


async def test_only_an_answer_of_ones_own_thread_is_rated(world):
    thread = await world.said("Hello", answer("Hi"))
    key = answer_key(world, thread)
    line = next(row.key for row in world.view(thread).rows if row.kind == "user")
    for wrong in (line, "nothing", "\x00"):
        with pytest.raises(NotEditable):
            await world.feedback.rate(world.ada, thread, wrong, "good")
    with pytest.raises(Refused):
        await world.feedback.rate(world.bob, thread, key, "good")
    with pytest.raises(Refused):
        await world.feedback.rate(world.ada, "", key, "good")
    with pytest.raises(MessageTooLong):
        await world.feedback.rate(world.ada, thread, key, "good", "x" * (LONGEST + 1))
    with world.database.reading() as session:
        assert feedback.by_key(session, thread, world.ada.id) == {}
