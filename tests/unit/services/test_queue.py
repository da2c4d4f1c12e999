import asyncio

import pytest

from chat_app.agui import StreamCut
from chat_app.data import queued_sends, users
from chat_app.data.errors import DatabaseBusy
from chat_app.services.openings import Limits
from chat_app.services.policy import Refused
from chat_app.services.problems import AgentClosed, EmptyMessage, QueueFull, Restarting, Sent, Waiting
from chat_app.services.queue import LONGEST_QUEUE
from tests.fakes import until
from tests.support.records import NOON
from tests.support.world import Gate, World, answer, ask, started, texts

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def busy(world: World, gate: Gate, *after: object) -> str:
    """Let Ada say something whose answer waits at `gate`; return the thread."""
    ending = after or answer("one")
    world.agent.scripts.append(
        lambda run: [started(run), gate, *(after or ending(run)[1:])]  # the start has been said
    )
    thread = await world.chat.send(world.ada, None, "One")
    await until(lambda: world.agent.waiting)
    return thread


def waiting(world: World, thread: str) -> list[str]:
    return [line.text for line in world.view(thread).run.queued]


def ids(world: World, thread: str) -> list[str]:
    return [line.id for line in world.view(thread).run.queued]


# ---------------------------------------------------------------- turns


async def test_a_line_waits_for_the_answer_and_goes_by_itself(world):
    gate = Gate()
    thread = await busy(world, gate)
    assert await world.queue.put(world.ada, thread, "Two") == thread
    assert waiting(world, thread) == ["Two"]
    assert texts(world.view(thread)) == ["One"]
    world.agent.scripts.append(answer("two"))
    gate.set()
    await until(lambda: len(world.agent.requests) == 2)
    await world.idle()
    assert texts(world.view(thread)) == ["One", "one", "Two", "two"]
    assert waiting(world, thread) == []
    assert [run.status for run in world.runs(thread)] == ["success", "success"]


async def test_lines_go_one_by_one_in_their_order(world):
    gate = Gate()
    thread = await busy(world, gate)
    for line in ("Two", "Three", "Four"):
        await world.queue.put(world.ada, thread, line)
    world.agent.scripts.extend([answer("two"), answer("three"), answer("four")])
    gate.set()
    await until(lambda: not world.agent.scripts)
    await world.idle()
    assert texts(world.view(thread)) == ["One", "one", "Two", "two", "Three", "three", "Four", "four"]


async def test_a_line_of_an_idle_thread_goes_at_once(world):
    thread = await world.said("One", answer("one"))
    world.agent.scripts.append(answer("two"))
    await world.queue.put(world.ada, thread, "Two")
    await world.idle()
    assert texts(world.view(thread)) == ["One", "one", "Two", "two"]


async def test_a_line_of_an_idle_thread_goes_also_after_a_failure(world):
    thread = await world.said("One", lambda run: [started(run), StreamCut("cut")])
    world.agent.scripts.append(answer("two"))
    await world.queue.put(world.ada, thread, "Two")
    await world.idle()
    assert texts(world.view(thread))[-2:] == ["Two", "two"]


@pytest.mark.parametrize("how", ["failure", "stop"])
async def test_after_a_failure_or_a_stop_the_lines_wait_for_a_person(world, how):
    gate = Gate()
    thread = await busy(world, gate, StreamCut("cut"))
    await world.queue.put(world.ada, thread, "Two")
    if how == "failure":
        gate.set()
    else:
        await world.chat.stop(world.ada, thread)
    await world.idle()
    await world.supervisor.look()
    assert (waiting(world, thread), len(world.agent.requests)) == (["Two"], 1)

    world.agent.scripts.append(answer("two"))
    await world.queue.send_now(world.ada, ids(world, thread)[0])
    await world.idle()
    assert texts(world.view(thread))[-2:] == ["Two", "two"]


async def test_lines_go_on_when_a_retry_succeeds(world):
    gate = Gate()
    thread = await busy(world, gate, StreamCut("cut"))
    await world.queue.put(world.ada, thread, "Two")
    gate.set()
    await world.idle()
    world.agent.scripts.extend([answer("one"), answer("two")])
    await world.chat.retry(world.ada, thread)
    await until(lambda: not world.agent.scripts)
    await world.idle()
    assert texts(world.view(thread))[-3:] == ["one", "Two", "two"]


@pytest.mark.parametrize("closing", [{"enabled": False}, {"policy": {"use": {"roles": []}}}])
async def test_a_line_whose_agent_is_closed_when_its_turn_comes_is_kept_until_it_is_open(world, closing):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    assert [line.shut for line in world.view(thread).run.queued] == [False]
    world.change_agent(world.agents.default_id, **closing)
    gate.set()
    await world.idle()
    assert texts(world.view(thread)) == ["One", "one"]
    assert [(line.text, line.shut) for line in world.view(thread).run.queued] == [("Two", True)]
    with pytest.raises(AgentClosed):
        await world.queue.send_now(world.ada, ids(world, thread)[0])
    with pytest.raises(AgentClosed):
        await world.queue.put(world.ada, thread, "Three")
    world.change_agent(world.agents.default_id, enabled=True, policy=None)
    world.agent.scripts.append(answer("two"))
    await world.supervisor.look()
    await world.idle()
    assert texts(world.view(thread)) == ["One", "one", "Two", "two"]


async def test_a_line_of_somebody_who_was_kept_out_is_not_sent(world):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    with world.database.transaction() as session:
        users.set_active(session, world.ada.id, active=False)
    gate.set()
    await world.idle()
    assert waiting(world, thread) == ["Two"]
    assert len(world.agent.requests) == 1


async def test_a_line_waits_while_a_question_is_open(world):
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, *ask()(run)[1:]])
    thread = await world.chat.send(world.ada, None, "One")
    await until(lambda: world.agent.waiting)
    await world.queue.put(world.ada, thread, "Two")
    gate.set()
    await world.idle()
    assert waiting(world, thread) == ["Two"]
    assert world.view(thread).run.status == "waiting"
    with pytest.raises(Waiting):
        await world.queue.send_now(world.ada, ids(world, thread)[0])


async def test_send_now_stops_the_answer_and_sends_the_line_before_the_others(world):
    thread = await busy(world, Gate())
    for line in ("Two", "Three"):
        await world.queue.put(world.ada, thread, line)
    world.agent.scripts.extend([answer("three"), answer("two")])
    await world.queue.send_now(world.ada, ids(world, thread)[1])
    await until(lambda: not world.agent.scripts)
    await world.idle()
    assert world.agent.left == 1
    assert texts(world.view(thread)) == ["One", "Three", "three", "Two", "two"]


async def test_what_a_dead_process_left_waiting_is_sent_by_the_next(world, sqlite):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    world.supervisor._due = lambda _: ()  # it dies between the end of the answer and the next line
    gate.set()
    await world.idle()
    async with World(sqlite, worker="worker-2", new_id=world.new_id).running() as other:
        other.agent.scripts.append(answer("two"))
        await other.supervisor.look()
        await other.idle()
        assert texts(other.view(thread)) == ["One", "one", "Two", "two"]


async def test_two_workers_send_a_line_once(world, sqlite):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    world.supervisor._due = lambda _: ()
    gate.set()
    await world.idle()
    other = World(sqlite, worker="worker-2", new_id=world.new_id)
    found = await asyncio.gather(
        *(asyncio.to_thread(one.lines.due, thread) for one in (world, other) for _ in range(4))
    )
    assert sum(map(len, found)) == 1


async def test_a_database_that_is_away_makes_lines_wait(world):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    due = world.supervisor._due

    def away(_thread):
        raise DatabaseBusy("The database is away.")

    world.supervisor._due = away
    gate.set()
    await world.idle()
    assert waiting(world, thread) == ["Two"]
    world.supervisor._due = due
    world.agent.scripts.append(answer("two"))
    await world.supervisor.look()
    await world.idle()
    assert waiting(world, thread) == []


async def test_a_person_with_enough_to_do_waits(sqlite):
    async with World(sqlite, limits=Limits(per_user=1)).running() as world:
        gate, other = Gate(), Gate()
        thread = await busy(world, gate)
        await world.queue.put(world.ada, thread, "Two")
        world.supervisor._due = lambda _: ()
        gate.set()
        await world.idle()
        world.agent.scripts.append(lambda run: [started(run), other, *answer("x")(run)[1:]])
        await world.chat.send(world.ada, None, "Elsewhere")
        assert await asyncio.to_thread(world.lines.due, None) == []
        assert waiting(world, thread) == ["Two"]
        other.set()
        await world.idle()


async def test_a_deleted_thread_sends_nothing(world):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    await world.removal.delete(world.ada, thread)
    await world.idle()
    await world.supervisor.look()
    assert len(world.agent.requests) == 1


async def test_a_thread_deleted_between_the_look_and_the_sending_sends_nothing(world):
    assert world.lines._send_next("gone") is None


# ---------------------------------------------------------------- changing what waits


async def test_a_waiting_line_can_be_changed_and_forgotten(world):
    thread = await busy(world, Gate())
    for line in ("Two", "Three"):
        await world.queue.put(world.ada, thread, line)
    two, three = ids(world, thread)
    await world.queue.edit(world.ada, two, "Deux")
    await world.queue.remove(world.ada, three)
    assert waiting(world, thread) == ["Deux"]


@pytest.mark.parametrize("act", ["edit", "remove", "send_now"])
async def test_a_line_that_waits_no_longer_is_not_changed(world, act):
    thread = await busy(world, Gate())
    await world.queue.put(world.ada, thread, "Two")
    (line,) = ids(world, thread)
    more = ("x",) if act == "edit" else ()
    with pytest.raises(Sent):  # somebody else's
        await getattr(world.queue, act)(world.bob, line, *more)
    with pytest.raises(Sent):
        await getattr(world.queue, act)(world.ada, "unknown", *more)
    with pytest.raises(Refused):
        await getattr(world.queue, act)(world.ada, "\x00", *more)
    assert waiting(world, thread) == ["Two"]


async def test_a_line_sent_meanwhile_is_gone_for_whoever_changes_it(sqlite):
    with sqlite.transaction() as session:
        assert not queued_sends.change(session, "gone", text="x", now=NOON)
        assert not queued_sends.take(session, "gone")
        assert not queued_sends.hurry(session, "gone", now=NOON)


async def test_nothing_and_too_much_do_not_wait(world):
    thread = await busy(world, Gate())
    with pytest.raises(EmptyMessage):
        await world.queue.put(world.ada, thread, " ")
    for number in range(LONGEST_QUEUE):
        await world.queue.put(world.ada, thread, str(number))
    with pytest.raises(QueueFull):
        await world.queue.put(world.ada, thread, "one more")
    with pytest.raises(Refused):
        await world.queue.put(world.bob, thread, "mine")


async def test_a_server_that_goes_down_takes_no_lines(world):
    thread = await busy(world, Gate())
    await world.supervisor.shutdown()
    with pytest.raises(Restarting):
        await world.queue.put(world.ada, thread, "Two")


async def test_a_server_that_goes_down_sends_no_lines(world):
    gate = Gate()
    thread = await busy(world, gate)
    await world.queue.put(world.ada, thread, "Two")
    gate.set()
    await world.supervisor.shutdown()
    assert len(world.agent.requests) == 1
    assert waiting(world, thread) == ["Two"]
