from contextlib import aclosing

import pytest

from chat_app.data import audit, threads
from chat_app.services.policy import Refused
from chat_app.services.problems import NoReason
from chat_app.services.viewing import LASTS, LONGEST_REASON, VIEW
from tests.fakes import next_frame, nothing_comes, until
from tests.support.world import Gate, World, answer, closed, finished, frame_of, opened, said, started

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture(params=["auditor", "admin"])
def reader(world, request):
    return world.person("eve", "Eve", request.param)


async def refused(world: World, person, thread: str) -> bool:
    """Say whether a person gets neither frames nor older rows of a thread."""
    with pytest.raises(Refused):
        await world.threads.older(person, thread, 9)
    async with aclosing(world.threads.follow(person, thread, "")) as frames:
        with pytest.raises(Refused):
            await next_frame(frames)
    return True


async def test_a_reader_sees_nothing_before_the_reason_is_given_and_everything_after(world, reader):
    thread = await world.said("Hello", answer("Hi"))
    assert await refused(world, reader, thread)

    assert await world.viewing.open(reader, thread, "  a complaint ") == thread

    async with aclosing(world.threads.follow(reader, thread, "")) as frames:
        assert await next_frame(frames) == {"t": thread, "may": "read"}
        rows = (await next_frame(frames))["snapshot"]["rows"]
        assert [row["parts"][0]["text"] for row in rows] == ["Hello", "Hi"]
    assert frame_of(await world.threads.older(reader, thread, 9))["page"]["rows"]
    with world.database.reading() as session:
        (seen,) = audit.of_object(session, f"thread:{thread}")
    assert (seen.action, seen.actor, seen.reason) == (VIEW, reader.id, "a complaint")


async def test_a_reader_follows_a_live_run_and_may_do_nothing(world, reader):
    gate = Gate()
    world.agent.scripts.append(
        lambda run: [
            started(run),
            opened("a"),
            said("a", "so "),
            gate,
            said("a", "far"),
            closed("a"),
            finished(run),
        ]
    )
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    await world.viewing.open(reader, thread, "looking after the agent")
    async with aclosing(world.threads.follow(reader, thread, "")) as frames:
        await next_frame(frames)
        assert (await next_frame(frames))["snapshot"]["run"]["status"] == "running"
        for act in (world.chat.stop, world.chat.retry, world.removal.delete):
            with pytest.raises(Refused):
                await act(reader, thread)
        with pytest.raises(Refused):
            await world.chat.send(reader, thread, "I say")
        gate.set()
        assert "far" in str(await next_frame(frames))


async def test_what_a_reader_looks_at_stays_unread_for_the_owner(world, reader):
    thread = await world.said("Hello", answer("Hi"))
    await world.viewing.open(reader, thread, "a complaint")
    async with aclosing(world.threads.follow(reader, thread, "")) as frames:
        await next_frame(frames)
        await next_frame(frames)
        async with aclosing(world.threads.follow_list(reader)) as lists:
            assert (await next_frame(lists))["threads"] == []
            await world.said("More", answer("Sure"), thread=thread)
            await nothing_comes(lists)
    assert world.get_thread(thread).unread


async def test_an_opening_is_one_persons_and_ends(world, reader):
    thread = await world.said("Hello", answer("Hi"))
    await world.viewing.open(reader, thread, "a complaint")
    assert await refused(world, world.person("max", "Max", "admin"), thread)
    world.clock.forward(seconds=LASTS.total_seconds())
    assert await refused(world, reader, thread)


@pytest.mark.parametrize("reason", ["", "  ", "x" * (LONGEST_REASON + 1)])
async def test_a_reason_is_needed(world, reader, reason):
    thread = await world.said("Hello", answer("Hi"))
    with pytest.raises(NoReason):
        await world.viewing.open(reader, thread, reason)
    assert await refused(world, reader, thread)


async def test_nobody_else_can_open_what_is_not_theirs(world, reader):
    thread = await world.said("Hello", answer("Hi"))
    with pytest.raises(Refused):
        await world.viewing.open(world.bob, thread, "I am curious")
    assert await refused(world, world.bob, thread)
    for nothing in ("unknown", "", "\x00"):
        with pytest.raises(Refused):
            await world.viewing.open(reader, nothing, "a complaint")
    with world.database.transaction() as session:
        threads.delete(session, thread, now=world.clock())
    with pytest.raises(Refused):
        await world.viewing.open(reader, thread, "a complaint")
    with world.database.reading() as session:
        assert audit.of_object(session, f"thread:{thread}") == ()
