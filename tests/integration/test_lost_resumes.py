"""An answer that may be lost on its way: at each moment, by the wire and by the process. Never lost, never sent twice.

A person answers a question; the request that carries the answer breaks at one of six moments. Before the agent's
RUN_FINISHED it is unknown whether the answer arrived: the card says so, the answer stays owed, nothing sends it by
itself, and one retry of a person carries the same answer again. From RUN_FINISHED on it has arrived.
"""

import asyncio
from contextlib import suppress

import pytest

from chat_app.agui import ConnectFailed, StreamCut
from chat_app.data import decisions, exchanges
from chat_app.services.approvals import Answer
from chat_app.services.problems import Late, NothingToRetry
from tests.fakes import until
from tests.support.world import Gate, World, answer, ask, called, finished, opened, said, started, text

pytest_plugins = ("tests.support.databases",)

CUT = StreamCut("The connection broke.")
BEFORE = {
    "before connect": lambda _run: [ConnectFailed("Nobody answers.")],
    "before RUN_STARTED": lambda _run: [CUT],
    "after RUN_STARTED": lambda run: [started(run), CUT],
    "mid-stream": lambda run: [started(run), opened("b"), said("b", "Work"), CUT],
    "at RUN_FINISHED": lambda run: [started(run), *text("b", "Worked"), CUT],
}
AFTER = {"after RUN_FINISHED": lambda run: [started(run), *text("b", "Worked"), finished(run), CUT]}
APPROVED = [("q1", "resolved", {"approved": True})]


def card(world: World, thread: str):
    (row,) = (row for row in world.view(thread).rows if row.kind == "approval")
    return row


def owed(world: World, thread: str) -> int:
    with world.database.reading() as session:
        return len(decisions.owed(session, thread))


def sent(request) -> list[tuple]:
    return [(entry.interrupt_id, entry.status, entry.payload) for entry in request.resume or ()]


@pytest.mark.parametrize("moment", BEFORE)
async def test_an_answer_the_wire_lost_stays_owed_and_one_retry_carries_it(sqlite, moment):
    async with World(sqlite).running() as world:
        thread = await world.said("Go", ask())
        (question,) = world.questions(thread)
        world.agent.scripts.append(BEFORE[moment])
        await world.approvals.decide(world.ada, question.id, Answer("approve"))
        await world.idle()
        await world.supervisor.look()  # nothing is sent by itself
        await world.idle()
        assert [sent(request) for request in world.agent.requests[1:]] == [APPROVED]
        assert (card(world, thread).owed, card(world, thread).status, owed(world, thread)) == (
            True,
            "answered",
            1,
        )
        with pytest.raises(Late):  # the decision stands
            await world.approvals.decide(world.ada, question.id, Answer("reject"))

        world.agent.scripts.append(answer("done"))
        await world.chat.retry(world.ada, thread)
        await world.idle()
        assert sent(world.agent.requests[-1]) == APPROVED
        assert (card(world, thread).owed, owed(world, thread)) == (False, 0)
        with pytest.raises(NothingToRetry):
            await world.chat.retry(world.ada, thread)

        await world.said("Thanks", answer("."), thread=thread)
        assert sent(world.agent.requests[-1]) == []


@pytest.mark.parametrize("moment", AFTER)
async def test_an_answer_the_agent_finished_on_has_arrived(sqlite, moment):
    async with World(sqlite).running() as world:
        thread = await world.said("Go", ask())
        (question,) = world.questions(thread)
        world.agent.scripts.append(AFTER[moment])
        await world.approvals.decide(world.ada, question.id, Answer("approve"))
        await world.idle()
        assert (card(world, thread).owed, owed(world, thread)) == (False, 0)
        with pytest.raises(NothingToRetry):
            await world.chat.retry(world.ada, thread)
        assert len(world.agent.requests) == 2


@pytest.mark.parametrize("moment", BEFORE)
async def test_a_new_line_carries_an_owed_answer_too(sqlite, moment):
    async with World(sqlite).running() as world:
        thread = await world.said("Go", ask())
        (question,) = world.questions(thread)
        world.agent.scripts.append(BEFORE[moment])
        await world.approvals.decide(world.ada, question.id, Answer("approve"))
        await world.idle()
        await world.said("And then?", answer("done"), thread=thread)
        assert sent(world.agent.requests[-1]) == APPROVED
        assert world.agent.requests[-1].messages[-1].content == "And then?"
        assert owed(world, thread) == 0


# ---------------------------------------------------------------- the process dies


DYING = {
    "before connect": lambda gate: lambda _run: [gate],
    "after RUN_STARTED": lambda gate: lambda run: [started(run), gate],
    "mid-stream": lambda gate: lambda run: [started(run), opened("b"), said("b", "Work"), gate],
    "in a call": lambda gate: lambda run: [started(run), *called("c9"), gate],
}


async def _die(world: World) -> None:
    """Let a process end without a word: its tasks are gone, what it committed is there."""
    for live in world.supervisor._lives.values():
        world.journal.remove(live.launch.exchange)
    tasks = [live.task for live in world.supervisor._lives.values()] + world.supervisor._background
    world.supervisor._ledger = world.supervisor._due = None
    for task in tasks:
        task.cancel()
    with suppress(asyncio.CancelledError):
        await asyncio.wait(tasks)


@pytest.mark.parametrize("moment", DYING)
async def test_an_answer_whose_process_died_stays_owed_and_one_retry_carries_it(sqlite, moment):
    first = World(sqlite)
    await first.services.start()
    thread = await first.said("Go", ask())
    (question,) = first.questions(thread)
    first.agent.scripts.append(DYING[moment](Gate()))
    await first.approvals.decide(first.ada, question.id, Answer("approve"))
    await until(lambda: first.agent.waiting)
    await first.journal.flush()
    with sqlite.reading() as session:
        assert exchanges.live_of(session, thread) is not None

    async with World(
        sqlite, worker="worker-2", new_id=first.new_id
    ).running() as second:  # it takes over what the first left
        assert first.agent.requests[1].resume is not None
        assert second.agent.requests == []
        assert (card(second, thread).owed, owed(second, thread)) == (True, 1)
        assert second.runs(thread)[-1].error_code == "SERVER_RESTART"
        second.agent.scripts.append(answer("done"))
        await second.chat.retry(second.ada, thread)
        await second.idle()
        assert [sent(request) for request in second.agent.requests] == [APPROVED]
        assert (card(second, thread).owed, owed(second, thread)) == (False, 0)
    await _die(first)
    await first.agents.stop()


async def test_a_process_that_died_after_the_last_event_leaves_nothing_owed(sqlite):
    first = World(sqlite)
    await first.services.start()
    thread = await first.said("Go", ask())
    (question,) = first.questions(thread)
    gate = Gate()
    first.agent.scripts.append(lambda run: [started(run), *text("b", "Worked"), finished(run), gate])
    await first.approvals.decide(first.ada, question.id, Answer("approve"))
    await until(lambda: first.agent.waiting)
    await first.journal.flush()
    async with World(sqlite, worker="worker-2", new_id=first.new_id).running() as second:
        assert [run.status for run in second.runs(thread)] == ["interrupted", "success"]
        assert owed(second, thread) == 0
    await _die(first)
    await first.agents.stop()


async def test_a_process_that_died_after_it_was_asked_keeps_the_question(sqlite):
    first = World(sqlite)
    await first.services.start()
    gate = Gate()
    thread = await first.said("Hello", answer("Hi"))
    first.agent.scripts.append(lambda run: [*ask()(run), gate])
    await first.chat.send(first.ada, thread, "Go")
    await until(lambda: first.agent.waiting)
    await first.journal.flush()
    async with World(sqlite, worker="worker-2", new_id=first.new_id).running() as second:
        (question,) = second.questions(thread)
        assert (question.status, second.get_thread(thread).mark) == ("pending", "waiting")
        second.agent.scripts.append(answer("done"))
        await second.approvals.decide(second.ada, question.id, Answer("approve"))
        await second.idle()
        assert [sent(request) for request in second.agent.requests] == [APPROVED]
    await _die(first)
    await first.agents.stop()
