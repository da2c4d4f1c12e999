import pytest

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.problems import SignedOut
from chat_app.state.chat import NO_PROBLEM
from chat_app.state.side import Deleted, Side
from tests.support.tabs import call, page, target, thread_of
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


async def side(world, path: str = "/") -> Side:
    return await page(world, path, kind=Side)


async def own(world) -> str:
    """A thread of the local user, who is behind every tab."""
    return await thread_of(world, await page(world), answer("Hi"))


async def test_a_thread_is_renamed_pinned_archived_and_tagged(world):
    thread, tab = await own(world), await side(world)
    await call(tab, "rename", thread, "Pumps")
    await call(tab, "pin", thread, True)
    await call(tab, "archive", thread, True)
    await call(tab, "tag", thread, {"tags": "a, b"})
    held = world.get_thread(thread)
    assert (held.title, held.pinned, held.archived, held.tags) == ("Pumps", True, True, ("a", "b"))
    assert tab.problem.title == ""


async def test_what_is_not_there_is_said(world):
    tab = await side(world)
    await call(tab, "rename", "nothing", "Pumps")
    assert tab.problem.title != ""


async def test_who_is_signed_out_is_told_so_whatever_they_do(world):
    thread = await own(world)
    tab = await page(world, cookie="parley_session=guess", kind=Side)
    for handler, arguments in (
        ("rename", ("Pumps",)),
        ("pin", (True,)),
        ("archive", (True,)),
        ("tag", ({"tags": "a"},)),
        ("delete", ("Hello",)),
    ):
        tab.problem = NO_PROBLEM
        await call(tab, handler, thread, *arguments)
        assert tab.problem == SignedOut.problem, handler
    assert await call(tab, "undo") is None
    assert world.get_thread(thread).title == "Hello"


async def test_a_deleted_thread_is_left_and_can_be_brought_back(world):
    thread = await own(world)
    tab = await side(world, f"/t/{thread}")
    assert target(await call(tab, "delete", thread, "Hello")) == "/"
    assert tab.deleted == Deleted(thread, "Hello")
    await call(tab, "let_go", "another")
    assert target(await call(tab, "undo")) == f"/t/{thread}"
    assert tab.deleted == Deleted()
    assert world.get_thread(thread).id == thread


async def test_after_a_while_no_more_is_said_of_it(world):
    thread, tab = await own(world), await side(world)
    assert await call(tab, "delete", thread, "Hello") is None
    await call(tab, "let_go", thread)
    assert tab.deleted == Deleted()
    assert await call(tab, "undo") is None


async def test_a_search_shows_what_was_found_for_what(world):
    thread, tab = await own(world), await side(world)
    await call(tab, "find", " hello ")
    assert (tab.query, {hit.thread for hit in tab.hits}, tab.searched) == ("hello", {thread}, 1)


async def test_a_search_that_cannot_be_done_says_so(world):
    tab = await page(world, cookie="", kind=Side)
    await call(tab, "find", "hello")
    assert (tab.problem.title, tab.searched) == ("You are signed out", 0)
