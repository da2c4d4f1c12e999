from contextlib import aclosing

import pytest
from sqlalchemy import update

from chat_app.data import audit
from chat_app.data.runs import run as run_table
from chat_app.services.oversight import PAGE, SEARCH, Asked, Contents
from chat_app.services.policy import Refused
from chat_app.services.problems import NoReason
from chat_app.services.viewing import SHOWN, VIEW
from tests.fakes import next_frame
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture
def eve(world):
    return world.person("eve", "Eve", "auditor")


async def titles(world: World, person, **asked) -> list[str]:
    return [one.title for one in (await world.oversight.listed(person, Asked(**asked))).threads]


async def test_the_list_is_narrowed_by_what_is_typed(world, eve):
    world.thread(title="One", mark="waiting")
    world.thread(world.bob, title="Two")
    today = world.clock().date().isoformat()
    assert await titles(world, eve) == ["Two", "One"]
    assert await titles(world, eve, user=" ADA ") == await titles(world, eve, status="waiting") == ["One"]
    assert await titles(world, eve, status="idle") == await titles(world, eve, words="tw") == ["Two"]
    assert len(await titles(world, eve, since=today, until=today)) == 2
    assert await titles(world, eve, since="2999-01-01") == []
    (agent,) = await world.oversight.agents(eve)
    assert len(await titles(world, eve, agent=agent.id)) == 2


@pytest.mark.parametrize(
    "asked",
    [
        {"user": "nobody"},
        {"agent": "\x00"},
        {"status": "odd"},
        {"since": "soon"},
        {"until": "9"},
        {"until": "9999-12-31"},
        {"after": "x"},
        {"after": "2026-01-01~x"},
        {"after": "2026-01-01T00:00:00+00:00~"},
        {"tool": "none"},
    ],
)
async def test_what_cannot_be_asked_finds_nothing(world, eve, asked):
    world.thread()
    assert await titles(world, eve, **asked) == []


async def test_words_in_messages_find_their_threads_and_are_written_down_without_a_word(world, eve):
    await world.said("Where is order 4711?", answer("It is in Oslo"))
    await world.said("Hello", answer("Hi"))
    assert await titles(world, eve, text="OSLO order") == []  # both in one message
    assert await titles(world, eve, text="Ósló") == ["Where is order 4711?"]
    assert await titles(world, eve, text="oslo", user="bob") == []
    assert await titles(world, eve, text="order", user="ada") == ["Where is order 4711?"]
    with world.database.reading() as session:
        written = [act for act in audit.of_object(session, "threads") if act.action == SEARCH]
    assert [act.actor for act in written] == [eve.id] * 4
    assert [act.detail["found"] for act in written] == [0, 1, 0, 1]
    assert "oslo" not in repr(written).casefold()


async def test_each_thread_tells_what_is_in_it(world, eve):
    thread = await world.said("Do it", ask())
    with world.database.transaction() as session:
        session.execute(update(run_table).values(usage=[{"inputTokens": 10, "outputTokens": 3}]))
    empty = world.thread().id
    listed = await world.oversight.listed(eve, Asked())
    assert listed.contents[thread] == Contents(2, ("send_mail",), 13)
    assert listed.contents[empty] == Contents()


async def test_pages_follow_one_another_without_gap_or_repetition(world, eve):
    made = [world.thread(title=str(number)).title for number in range(PAGE + 3)]
    first = await world.oversight.listed(eve, Asked())
    second = await world.oversight.listed(eve, Asked(after=first.after))
    assert [one.title for one in (*first.threads, *second.threads)] == made[::-1]
    assert (len(first.threads), second.after) == (PAGE, "")


async def test_an_opening_is_told_to_the_owner_at_once_and_in_the_next_view(world, eve):
    thread = await world.said("Hello", answer("Hi"))
    assert (await world.oversight.about(eve, thread)).thread.owner_name == "Ada"
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        assert (await next_frame(frames))["snapshot"]["run"]["viewed"] == []
        assert await world.oversight.open(eve, thread, "a complaint") == thread
        told = str(await next_frame(frames))
        assert "'by': 'Eve'" in told
        assert "'reason': 'a complaint'" in told
    for number in range(SHOWN):
        await world.oversight.open(eve, thread, f"again {number}")
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        told = (await next_frame(frames))["snapshot"]["run"]["viewed"]
    assert [one["reason"] for one in told] == [f"again {number}" for number in range(SHOWN)]


async def test_what_is_known_of_a_thread_holds_its_runs_and_who_opened_it(world, eve):
    thread = await world.said("Hello", answer("Hi"))
    about = await world.oversight.about(eve, thread)
    assert [one.status for one in about.runs] == ["success"]
    assert (about.viewed, about.opened) == ((), False)
    await world.oversight.open(eve, thread, "a complaint")
    about = await world.oversight.about(eve, thread)
    assert ([one.reason for one in about.viewed], about.opened) == (["a complaint"], True)


async def test_nobody_else_lists_asks_about_or_opens(world):
    thread = world.thread().id
    for person in (world.ada, world.person("tom", "Tom", "approver")):
        for use in (
            world.oversight.listed(person, Asked()),
            world.oversight.agents(person),
            world.oversight.about(person, thread),
            world.oversight.open(person, thread, "I am curious"),
        ):
            with pytest.raises(Refused):
                await use


async def test_a_reason_is_needed_and_the_thread_must_be_there(world, eve):
    with pytest.raises(NoReason):
        await world.oversight.open(eve, world.thread().id, " ")
    with pytest.raises(Refused):
        await world.oversight.about(eve, "unknown")


async def test_a_setting_forbids_openings_and_ends_those_that_hold(database):
    async with World(database, opens=False).running() as world:
        eve, thread = world.person("eve", "Eve", "admin"), world.thread(title="Hello").id
        with world.database.transaction() as session:
            before = audit.Act(action=VIEW, object=f"thread:{thread}", actor=eve.id, at=world.clock())
            audit.append(session, before)
        assert not world.oversight.opens
        assert await titles(world, eve) == [""]
        assert await titles(world, eve, words="Hello") == await titles(world, eve, text="Hello") == []
        about = await world.oversight.about(eve, thread)
        assert (about.thread.title, about.opened) == ("", False)
        for use in (
            world.oversight.open(eve, thread, "a complaint"),
            world.threads.older(eve, thread, 9),
        ):
            with pytest.raises(Refused):
                await use
