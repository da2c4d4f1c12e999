import pytest

from chat_app.services.policy import Refused
from chat_app.services.problems import EmptyMessage, MessageTooLong
from chat_app.services.shelf import LONGEST_TITLE, MOST_TAGS
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


async def test_a_title_is_one_line_of_the_persons_own(world):
    thread = world.thread()
    assert await world.shelf.rename(world.ada, thread.id, "  Broken\n pumps ") == thread.id
    assert world.get_thread(thread.id).title == "Broken pumps"
    assert world.get_thread(thread.id).updated == thread.updated


@pytest.mark.parametrize(
    ("title", "error"), [(" ", EmptyMessage), ("x" * (LONGEST_TITLE + 1), MessageTooLong)]
)
async def test_what_can_be_no_title_is_refused(world, title, error):
    thread = world.thread()
    with pytest.raises(error):
        await world.shelf.rename(world.ada, thread.id, title)
    assert world.get_thread(thread.id).title == thread.title


async def test_a_thread_is_pinned_and_archived_and_back(world):
    thread = world.thread()
    for value in (True, False):
        await world.shelf.pin(world.ada, thread.id, pinned=value)
        await world.shelf.archive(world.ada, thread.id, archived=value)
        held = world.get_thread(thread.id)
        assert (held.pinned, held.archived) == (value, value)


async def test_tags_are_kept_once_each_in_their_order(world):
    thread = world.thread()
    await world.shelf.tag(world.ada, thread.id, ["pumps", " north  sea ", "pumps", " "])
    assert world.get_thread(thread.id).tags == ("pumps", "north sea")


@pytest.mark.parametrize("tags", [["x" * 31], [str(n) for n in range(MOST_TAGS + 1)]])
async def test_too_many_or_too_long_tags_are_refused(world, tags):
    thread = world.thread()
    with pytest.raises(MessageTooLong):
        await world.shelf.tag(world.ada, thread.id, tags)


async def test_a_thread_of_somebody_else_stays_as_it_is(world):
    thread = world.thread()
    acts = (
        world.shelf.rename(world.bob, thread.id, "Mine"),
        world.shelf.pin(world.bob, thread.id, pinned=True),
        world.shelf.archive(world.bob, thread.id, archived=True),
        world.shelf.tag(world.bob, thread.id, ["mine"]),
    )
    for act in acts:
        with pytest.raises(Refused):
            await act
    assert world.get_thread(thread.id) == thread
