import asyncio
import threading
from contextlib import aclosing, contextmanager, nullcontext

import pytest

from chat_app.data import agents
from chat_app.data import threads as rows
from chat_app.services.bus import LocalBus
from chat_app.services.policy import Policy, Refused
from chat_app.services.problems import AgentClosed
from chat_app.services.threads import LISTED, Threads
from tests.fakes import next_frame, nothing_comes, until, within
from tests.support.world import World, answer, frame_of, texts

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


class Slow:
    """A database of which one reading is held up after it was made."""

    def __init__(self, database) -> None:
        self._database = database
        self.transaction = database.transaction
        self.hold = False
        self.holding = threading.Event()
        self.go_on = threading.Event()

    @contextmanager
    def reading(self):
        held, self.hold = self.hold, False
        with self._database.reading() as session:
            yield session
        if held:
            self.holding.set()
            assert self.go_on.wait(5)


async def first(frames) -> dict:
    async with aclosing(frames) as stream:
        return await next_frame(stream)


# ---------------------------------------------------------------- rights


async def test_a_foreign_thread_and_an_unknown_one_are_refused_alike(world):
    foreign = world.thread(world.bob)
    for thread in (foreign.id, "unknown", "", "\x00", "t" * 65):
        with pytest.raises(Refused):
            await first(world.threads.follow(world.ada, thread, ""))
        with pytest.raises(Refused):
            await world.threads.older(world.ada, thread, 1)
        with world.database.reading() as session, pytest.raises(Refused):
            world.threads.writable(session, world.ada, thread)
    assert world.hub.channel(foreign.id) is None


async def test_a_deleted_thread_is_refused(world):
    thread = world.thread()
    with world.database.transaction() as session:
        rows.delete(session, thread.id, now=world.clock())
    with pytest.raises(Refused):
        await first(world.threads.follow(world.ada, thread.id, ""))


async def test_the_owner_gets_the_thread_to_write_to(world):
    thread = world.thread()
    with world.database.reading() as session:
        assert world.threads.writable(session, world.ada, thread.id).id == thread.id


# ---------------------------------------------------------------- following


async def test_a_thread_is_followed_from_a_snapshot(world):
    thread = await world.said("Hello", answer("Hi"))
    frame = await first(world.threads.follow(world.ada, thread, ""))
    assert frame["t"] == thread
    assert [row["parts"][0]["text"] for row in frame["snapshot"]["rows"]] == ["Hello", "Hi"]


async def test_nobody_holds_a_thread_when_its_followers_are_gone(world):
    thread = world.thread()
    await first(world.threads.follow(world.ada, thread.id, ""))
    assert world.hub.channel(thread.id) is None


async def test_looking_at_a_thread_makes_it_read_and_tells_the_lists_once(world):
    thread = await world.said("Hello", answer("Hi"))
    # the lists are told of the end of a run a moment after it is over
    await until(lambda: not any(task.get_name().startswith("exchange-") for task in asyncio.all_tasks()))
    assert world.get_thread(thread).unread
    async with aclosing(world.threads.follow_list(world.ada)) as lists:
        assert (await next_frame(lists))["threads"][0]["unread"]
        await first(world.threads.follow(world.ada, thread, ""))
        assert (await next_frame(lists))["thread"]["unread"] is False
        await first(world.threads.follow(world.ada, thread, ""))
        await nothing_comes(lists)
    assert not world.get_thread(thread).unread


async def test_what_happens_before_the_owners_eyes_is_read(world):
    thread = await world.said("Hello", answer("Hi"))
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        await next_frame(frames)
        await world.said("More", answer("Sure"), thread=thread)
        await until(lambda: not world.get_thread(thread).unread)
    await world.said("Unseen", answer("Sure"), thread=thread)
    await until(lambda: world.get_thread(thread).unread)


async def test_older_rows_come_as_a_page(world):
    thread = await world.said("One", answer("1"))
    await world.said("Two", answer("2"), thread=thread)
    before = world.messages(thread)[2].position
    page = frame_of(await world.threads.older(world.ada, thread, before))
    assert (page["t"], page["page"]["older"]) == (thread, False)
    assert [row["parts"][0]["text"] for row in page["page"]["rows"]] == ["One", "1"]


async def test_a_page_reaches_as_far_back_as_is_asked(world):
    thread = await world.said("One", answer("1"))
    for number in range(2, 30):
        await world.said(str(number), answer(str(number)), thread=thread)
    held = world.messages(thread)
    short = frame_of(await world.threads.older(world.ada, thread, held[-1].position))["page"]
    far = frame_of(await world.threads.older(world.ada, thread, held[-1].position, until=held[1].position))[
        "page"
    ]
    assert len(short["rows"]) < len(far["rows"])
    assert held[1].key in {row["key"] for row in far["rows"]}


# ---------------------------------------------------------------- the list


async def test_a_long_list_comes_in_pages_with_pinned_threads_on_top_of_the_first(world):
    made = [world.thread(title=str(number)) for number in range(LISTED + 2)]
    pinned = world.thread(title="On top", pinned=True)
    top = await first(world.threads.follow_list(world.ada))
    assert [top["threads"][0]["id"], len(top["threads"]), top["more"]] == [pinned.id, LISTED + 1, True]
    last = made[2]
    rest = frame_of(await world.threads.page(world.ada, (last.updated, last.id), archived=False))["list"]
    assert [thread["title"] for thread in rest["threads"]] == ["1", "0"]
    assert (rest["more"], rest["archived"]) == (False, False)


async def test_the_archive_is_a_list_of_its_own_with_its_pinned_threads(world):
    world.thread()
    plain = world.thread(archived=True)
    pinned = world.thread(archived=True, pinned=True)
    found = frame_of(await world.threads.page(world.ada, None, archived=True))["list"]
    assert [thread["id"] for thread in found["threads"]] == [pinned.id, plain.id]
    assert found["archived"]


async def test_the_list_holds_the_persons_threads_newest_first(world):
    one = await world.said("First", answer("1"))
    two = await world.said("Second", answer("2"))
    world.thread(world.bob)
    listed = (await first(world.threads.follow_list(world.ada)))["threads"]
    assert [(thread["id"], thread["title"]) for thread in listed] == [(two, "Second"), (one, "First")]
    assert listed[0]["agent"] == "Parley"
    assert listed[0]["updated"].endswith("+00:00")


async def test_a_list_learns_of_each_change(world):
    async with aclosing(world.threads.follow_list(world.ada)) as frames:
        assert await next_frame(frames) == {"threads": [], "more": False}
        thread = await world.said("Hello", answer("Hi"))
        marks = []
        while not marks or marks[-1] != "":
            frame = (await next_frame(frames))["thread"]
            assert frame["id"] == thread
            marks.append(frame["mark"])
        assert set(marks) <= {"running", ""}


async def test_lists_of_others_learn_nothing(world):
    async with aclosing(world.threads.follow_list(world.bob)) as frames:
        assert await next_frame(frames) == {"threads": [], "more": False}
        await world.said("Hello", answer("Hi"))
        await nothing_comes(frames)


async def test_a_thread_that_is_gone_leaves_the_list(world):
    with nullcontext(world.thread()) as thread, world.hub.feed(world.ada.id) as feed:
        with world.database.transaction() as session:
            rows.delete(session, thread.id, now=world.clock())
        await world.threads.changed(world.ada.id, thread.id)
        assert feed._frames == {thread.id: f'{{"thread_gone":"{thread.id}"}}'}


async def test_an_older_reading_of_a_thread_is_never_told_after_a_newer_one(world):
    thread, slow = world.thread(title="old"), Slow(world.database)
    service = Threads(slow, Policy(), world.hub, viewing=world.viewing, bus=LocalBus())
    with world.hub.feed(world.ada.id) as feed:
        slow.hold = True
        early = asyncio.ensure_future(service.changed(world.ada.id, thread.id))
        await until(slow.holding.is_set)
        with world.database.transaction() as session:
            rows.change(session, thread.id, title="new")
        late = asyncio.ensure_future(service.changed(world.ada.id, thread.id))
        await until(lambda: world.hub.turn(thread.id)._waiters)
        slow.go_on.set()
        await within(asyncio.gather(early, late))
        assert [frame_of(frame)["thread"]["title"] for frame in feed._frames.values()] == ["new"]


async def test_a_view_of_an_empty_thread_is_empty(world):
    assert texts(world.view(world.thread().id)) == []


async def test_an_agent_is_open_to_whom_its_rules_name_while_it_is_on(world):
    agent = world.thread().agent
    with world.database.transaction() as session:
        world.threads.require_agent(session, world.ada, agent)
        agents.change(session, agent, enabled=False)
        for closed in (agent, "unknown"):
            with pytest.raises(AgentClosed):
                world.threads.require_agent(session, world.ada, closed)


async def test_an_open_list_is_shown_whole(world):
    thread = world.thread()
    with world.hub.feed(world.ada.id) as feed:
        await world.threads.show_list(world.ada.id)
        (frame,) = feed._frames.values()
    assert [one["id"] for one in frame_of(frame)["threads"]] == [thread.id]
