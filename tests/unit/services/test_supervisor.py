import asyncio
from contextlib import aclosing
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from chat_app.agui import ConnectFailed, StreamCut
from chat_app.data import events, exchanges, threads
from chat_app.data.errors import DatabaseBusy
from chat_app.data.records import EventRecord
from chat_app.services.approvals import Answer
from chat_app.services.exchange import BREATH
from chat_app.services.openings import Limits
from chat_app.services.problems import Crowded, TooManyRuns
from chat_app.services.supervisor import Launch, Supervisor, _Live
from tests.fakes import FakeClock, next_frame, until, within
from tests.support.world import (
    Gate,
    PlayedAgent,
    World,
    answer,
    ask,
    finished,
    opened,
    said,
    started,
    text,
    texts,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def midway(gate: Gate, *words: str):
    """Script a run that has said something and waits."""
    return lambda run: [started(run), opened("a"), *(said("a", word) for word in words), gate]


async def reach(world: World, script) -> str:
    """Let Ada say something and the agent come to its gate; return the thread."""
    world.agent.scripts.append(script)
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    return thread


def notes(world: World, thread: str) -> list[tuple[str, bool]]:
    return [(row.code, row.retry) for row in world.view(thread).rows if row.kind == "note"]


# ---------------------------------------------------------------- a whole run


async def test_a_launched_exchange_runs_to_its_end_and_is_committed(world):
    thread = await world.said("Hello", answer("Good ", "day"))
    assert texts(world.view(thread)) == ["Hello", "Good day"]
    assert [run.status for run in world.runs(thread)] == ["success"]
    assert world.live(thread) is None
    assert world.get_thread(thread).mark == ""
    assert world.hub.channel(thread) is None


async def test_followers_end_with_what_a_reload_shows(world):
    gate = Gate()
    thread = await reach(
        world, lambda run: [started(run), opened("a"), gate, said("a", "Hi"), StreamCut("cut")]
    )
    async with world.hub.use(thread) as channel:
        gate.set()
        await world.idle()
        await until(lambda: channel.live.run.status == "idle")
        assert channel.live.rows() == world.view(thread).rows
        assert channel.live.writing == set()


async def test_a_run_is_shown_while_it_writes(world):
    gate = Gate()
    thread = await reach(world, midway(gate, "so ", "far"))
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        shown = (await next_frame(frames))["snapshot"]
        assert [row["parts"][0]["text"] for row in shown["rows"]] == ["Hello", "so far"]
        assert shown["run"]["status"] == "running"


# ---------------------------------------------------------------- stop


async def test_a_stop_keeps_what_was_said_and_closes_the_connection(world):
    thread = await reach(world, midway(Gate(), "half"))
    await world.chat.stop(world.ada, thread)
    await world.idle()
    assert texts(world.view(thread)) == ["Hello", "half"]
    assert notes(world, thread) == [("CANCELLED", True)]
    assert world.agent.left == 1
    assert (world.get_thread(thread).mark, world.live(thread)) == ("", None)


async def test_a_stop_before_the_agent_has_said_anything_ends_the_run(world):
    gate = Gate()
    thread = await reach(world, lambda _run: [gate])
    await world.chat.stop(world.ada, thread)
    await world.idle()
    assert notes(world, thread) == [("CANCELLED", True)]


async def test_a_stop_while_the_exchange_is_read_sends_nothing(world):
    opening = asyncio.ensure_future(world.chat.send(world.ada, None, "Hello"))
    await until(lambda: world.supervisor._lives)
    ((exchange, live),) = world.supervisor._lives.items()
    assert live.exchange is None
    world.supervisor.stop(exchange)
    thread = await within(opening)
    await world.idle()
    assert world.agent.requests == []
    assert notes(world, thread) == [("CANCELLED", True)]


async def test_a_stop_that_cannot_be_written_frees_the_thread_all_the_same(world):
    world.journal._write = lambda batches: [batch.exchange for batch in batches]
    opening = asyncio.ensure_future(world.chat.send(world.ada, None, "Hello"))
    await until(lambda: world.supervisor._lives)
    world.supervisor.stop(next(iter(world.supervisor._lives)))
    thread = await within(opening)
    await world.idle()
    assert world.live(thread) is None


async def test_a_second_stop_changes_nothing(world):
    thread = await reach(world, midway(Gate(), "half"))
    await asyncio.gather(world.chat.stop(world.ada, thread), world.chat.stop(world.ada, thread))
    await world.chat.stop(world.ada, thread)
    await world.idle()
    assert await world.chat.stop(world.ada, thread) == thread
    assert notes(world, thread) == [("CANCELLED", True)]


async def test_a_stop_after_the_last_word_leaves_the_verdict(world):
    gate = Gate()
    thread = await reach(world, lambda run: [*answer("done")(run), gate])
    await world.chat.stop(world.ada, thread)
    await world.idle()
    assert [run.status for run in world.runs(thread)] == ["success"]
    assert notes(world, thread) == []


async def test_a_stop_while_the_end_is_committed_leaves_the_end(world):
    gate = Gate()
    thread = await reach(world, lambda run: [started(run), *text("a", "x"), gate, StreamCut("cut")])
    (live,) = world.supervisor._lives.values()
    world.writes.away = True
    gate.set()
    await until(lambda: live.exchange._closing)
    await world.chat.stop(world.ada, thread)
    world.writes.away = False
    await world.idle()
    assert notes(world, thread) == [("connection_cut", True)]


async def test_a_stop_of_what_runs_elsewhere_is_no_trouble(world):
    world.supervisor.stop("unknown")


async def test_a_stop_asked_for_by_another_process_is_found(sqlite):
    async with World(sqlite, tick=0.05).running() as world:
        thread = await reach(world, midway(Gate(), "half"))
        with world.database.transaction() as session:
            exchanges.request_stop(session, thread, by=world.ada.id, now=world.clock())
        await world.idle()
        assert notes(world, thread) == [("CANCELLED", True)]


# ---------------------------------------------------------------- failures


async def test_an_agent_that_cannot_be_reached_fails_the_run_with_a_note(world):
    thread = await world.said("Hello", lambda _run: [ConnectFailed("no route")])
    assert notes(world, thread) == [("agent_unreachable", True)]
    assert world.get_thread(thread).mark == "failed"


async def test_an_exchange_that_cannot_be_read_is_closed_with_a_note(world):
    thread = await world.said("Hello", answer("ok"))
    with world.database.transaction() as session:
        seq = threads.reserve(session, thread)
        entry = EventRecord(thread=thread, seq=seq, type="NONSENSE", payload={}, at=world.clock())
        events.append(session, [entry])
    with capture_logs() as logs:
        await world.said("Again", thread=thread)
    assert "exchange_unreadable" in [entry["event"] for entry in logs]
    assert notes(world, thread) == [("SERVER_RESTART", True)]
    assert world.live(thread) is None


async def test_an_answer_the_database_refuses_is_closed_by_what_was_kept(world):
    gate = Gate()
    bad = {"type": "STATE_SNAPSHOT", "snapshot": {"n": float("inf")}}
    thread = await reach(world, lambda run: [started(run), *text("a", "kept"), gate, bad])
    await until(lambda: texts(world.view(thread)) == ["Hello", "kept"])
    with capture_logs() as logs:
        gate.set()
        await world.idle()
    assert "batch_refused" in [entry["event"] for entry in logs]
    assert notes(world, thread) == [("INTERNAL", True)]
    assert texts(world.view(thread)) == ["Hello", "kept"]
    assert (world.live(thread), world.get_thread(thread).mark) == (None, "failed")


async def test_a_cut_stream_keeps_what_was_said(world):
    thread = await world.said(
        "Hello", lambda run: [started(run), opened("a"), said("a", "half"), StreamCut("cut")]
    )
    assert texts(world.view(thread)) == ["Hello", "half"]
    assert notes(world, thread) == [("connection_cut", True)]
    assert not any(part.streaming for row in world.view(thread).rows for part in row.parts)


async def test_followers_are_told_when_the_database_is_back(sqlite):
    world = World(sqlite)
    told = []

    async def changed(owner: str, thread: str) -> None:
        told.append((owner, thread))
        if len(told) == 1:
            raise DatabaseBusy("away")

    world.supervisor = Supervisor(
        world.ledger, world.hub, world.journal, world.chat._supervisor._makers, changed=changed, tick=0.05
    )
    await within(world.supervisor._show(Launch("x", "t", "ada")))
    assert told == [("ada", "t"), ("ada", "t")]


# ---------------------------------------------------------------- orphans


async def leave_behind(sqlite, script) -> tuple[str, str]:
    """Let a process die in the middle of a run; return the thread, and its exchange."""
    dead = World(sqlite, agent=PlayedAgent(script))
    await dead.services.agents.start()
    thread = await dead.chat.send(dead.ada, None, "Hello")
    await until(lambda: dead.agent.waiting)
    await dead.journal.flush()
    (live,) = dead.supervisor._lives.values()
    dead.writes.away = True
    live.task.cancel()
    dead.journal._open.clear()
    await asyncio.wait([live.task])
    await dead.services.agents.stop()
    assert dead.live(thread) is not None
    return thread, live.launch.exchange


async def test_what_an_earlier_process_left_open_is_closed_at_start(sqlite):
    thread, _ = await leave_behind(sqlite, midway(Gate(), "half"))
    async with World(sqlite, worker="worker-2").running() as world:
        assert texts(world.view(thread)) == ["Hello", "half"]
        assert notes(world, thread) == [("SERVER_RESTART", True)]
        assert (world.live(thread), world.get_thread(thread).mark) == (None, "failed")
        assert not any(part.streaming for row in world.view(thread).rows for part in row.parts)


async def test_an_orphan_whose_log_holds_its_end_is_closed_by_what_it_says(sqlite):
    gate = Gate()
    thread, _ = await leave_behind(sqlite, lambda run: [*answer("done")(run), gate])
    async with World(sqlite, worker="worker-2").running() as world:
        assert [run.status for run in world.runs(thread)] == ["success"]
        assert notes(world, thread) == []
        assert texts(world.view(thread)) == ["Hello", "done"]


async def test_an_orphan_whose_log_cannot_be_read_is_closed_and_frees_its_thread(sqlite):
    thread, _ = await leave_behind(sqlite, midway(Gate(), "half"))
    broken = World(sqlite)
    with broken.database.transaction() as session:
        seq = threads.reserve(session, thread)
        entry = EventRecord(thread=thread, seq=seq, type="NONSENSE", payload={}, at=broken.clock())
        events.append(session, [entry])
    with capture_logs() as logs:
        async with World(sqlite, worker="worker-2").running() as world:
            assert world.live(thread) is None
            assert notes(world, thread) == [("SERVER_RESTART", True)]
            assert world.get_thread(thread).mark == "failed"
    assert "exchange_unreadable" in [entry["event"] for entry in logs]


async def test_an_orphan_that_cannot_be_written_is_closed_without_its_words(sqlite):
    thread, _ = await leave_behind(sqlite, midway(Gate(), "half"))
    world = World(sqlite, worker="worker-2")
    world.journal._write = lambda batches: [batch.exchange for batch in batches]
    async with world.running():
        assert (world.live(thread), notes(world, thread)) == (None, [("SERVER_RESTART", True)])


async def test_an_orphan_of_a_deleted_thread_is_closed(sqlite):
    thread, exchange = await leave_behind(sqlite, midway(Gate(), "half"))
    with sqlite.transaction() as session:
        threads.delete(session, thread, now=FakeClock().now)
    async with World(sqlite, worker="worker-2").running() as world:
        with world.database.reading() as session:
            assert exchanges.get(session, exchange).ended is not None


async def test_what_another_worker_left_is_closed_when_its_lease_is_over(sqlite):
    async with World(sqlite, worker="worker-2", tick=0.05).running() as world:
        thread, _exchange = await leave_behind(sqlite, midway(Gate(), "half"))
        assert world.live(thread).worker_id == "worker-1"
        world.clock.forward(seconds=3600)
        await until(lambda: world.live(thread) is None)
        assert notes(world, thread) == [("SERVER_RESTART", True)]


async def test_followers_see_an_orphan_closed(sqlite):
    async with World(sqlite, worker="worker-2", tick=0.05).running() as world:
        thread, _ = await leave_behind(sqlite, midway(Gate(), "half"))
        async with world.hub.use(thread) as channel:
            assert channel.live.run.status == "running"
            world.clock.forward(seconds=3600)
            await until(lambda: channel.live.run.status == "idle")
            assert channel.live.rows() == world.view(thread).rows


# ---------------------------------------------------------------- leases


async def test_a_lease_is_renewed_while_the_run_lives(sqlite):
    async with World(sqlite, tick=0.05).running() as world:
        thread = await reach(world, midway(Gate()))
        lease = world.live(thread).lease_until
        world.clock.forward(seconds=9)
        await until(lambda: world.live(thread).lease_until > lease + timedelta(seconds=8))


async def test_a_lost_lease_stops_the_run_and_writes_nothing_more(sqlite):
    async with World(sqlite, tick=0.05).running() as world:
        thread = await reach(world, midway(Gate(), "half"))
        with capture_logs() as logs:
            world.take_away(thread)
            await world.idle()
        assert "exchange_lost" in [entry["event"] for entry in logs]
        assert world.agent.left == 1
        assert world.live(thread).worker_id == "worker-2"
        assert [run.status for run in world.runs(thread)] == ["running"]


async def test_a_lease_that_somebody_else_holds_is_noticed_at_the_next_look(world):
    thread = await reach(world, midway(Gate(), "half"))
    await world.journal.flush()
    with capture_logs() as logs:
        world.take_away(thread)
        await within(world.supervisor._renew())
        await world.idle()
    assert "exchange_lost" in [entry["event"] for entry in logs]
    assert world.agent.left == 1


async def test_an_exchange_that_ended_meanwhile_is_not_lost(sqlite):
    world = World(sqlite)
    supervisor = world.supervisor

    class Slow:
        def renew(self, exchange_ids):
            assert exchange_ids == ["x"]
            supervisor._lives.clear()
            return frozenset(), ["x"]

    supervisor._ledger = Slow()
    supervisor._lives["x"] = _Live(Launch("x", "t", "ada"))
    with capture_logs() as logs:
        await within(supervisor._renew())
    assert logs == []


async def test_leases_are_looked_after_again_after_any_trouble(sqlite):
    class Troubled(World):
        looks = 0

    world = Troubled(sqlite, tick=0.005)
    renew = world.ledger.renew

    class Ledger:
        calls = 0

        def load(self, exchange_id):
            return world.ledger.load(exchange_id)

        def renew(self, exchange_ids):
            self.calls += 1
            if self.calls == 1:
                raise LookupError("a fault of ours")
            if self.calls == 2:
                raise DatabaseBusy("away")
            return renew(exchange_ids)

        def orphans(self, *, everything):
            return world.ledger.orphans(everything=everything)

        def fail(self, exchange_id):
            world.ledger.fail(exchange_id)

    ledger = Ledger()
    world.supervisor._ledger = ledger
    with capture_logs() as logs:
        async with world.running():
            await until(lambda: ledger.calls >= 3)
    named = [entry["event"] for entry in logs]
    assert "task_failed" in named
    assert "supervisor_waits" in named


# ---------------------------------------------------------------- shutdown


async def test_a_run_that_ends_in_time_outlives_the_shutdown(sqlite):
    world = World(sqlite, grace=5.0)
    async with world.running():
        gate = Gate()
        thread = await reach(world, lambda run: [started(run), gate, *answer("done")(run)[1:]])
        closing = asyncio.ensure_future(world.supervisor.shutdown())
        await until(world.supervisor.is_closing)
        gate.set()
        await within(closing)
        assert [run.status for run in world.runs(thread)] == ["success"]


async def test_a_run_that_does_not_end_is_closed_as_restarted(sqlite):
    world = World(sqlite, grace=0.01)
    async with world.running():
        thread = await reach(world, midway(Gate(), "half"))
        await within(world.supervisor.shutdown())
        assert notes(world, thread) == [("SERVER_RESTART", True)]
        assert texts(world.view(thread)) == ["Hello", "half"]
        assert world.live(thread) is None


async def test_what_was_committed_during_the_shutdown_is_closed_at_once(sqlite):
    world = World(sqlite, grace=0.01)
    async with world.running():
        launch = None
        with world.database.transaction() as session:
            thread = world.chat._new(world.ada, "Hello", draft="", agent=world.agents.default_id)
            threads.create(session, thread)
            run = world.opener.open(session, thread, kind="send", by=world.ada.id)
            world.opener.say(session, thread.id, run, "Hello")
            launch = Launch(run.exchange, thread.id, thread.owner)
        await within(world.supervisor.shutdown())
        world.supervisor.launch(launch)
        await world.idle()
        assert world.agent.requests == []
        assert notes(world, thread.id) == [("SERVER_RESTART", True)]


async def test_an_idle_process_goes_down_at_once(sqlite):
    world = World(sqlite, grace=60)
    async with world.running():
        await within(world.supervisor.shutdown())
    assert all(task.done() for task in world.supervisor._background)


# ---------------------------------------------------------------- limits and fairness


async def stuck(world, person=None) -> str:
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, finished(run)])
    before = world.agent.waiting
    thread = await world.chat.send(person or world.ada, None, "Hello")
    await until(lambda: world.agent.waiting > before)
    return thread


async def test_a_person_has_so_many_answers_at_once_and_others_have_theirs(sqlite):
    async with World(sqlite, limits=Limits(per_user=2)).running() as world:
        first = await stuck(world)
        await stuck(world)
        with pytest.raises(TooManyRuns):
            await world.chat.send(world.ada, None, "Hello")
        await stuck(world, world.bob)
        await world.chat.stop(world.ada, first)
        await until(lambda: not world.live(first))
        await stuck(world)
        with world.database.reading() as session:
            assert exchanges.alive(session) == 3


async def test_a_process_has_so_many_answers_at_once(sqlite):
    async with World(sqlite, limits=Limits(per_process=1)).running() as world:
        await stuck(world)
        with pytest.raises(Crowded):
            await world.chat.send(world.bob, None, "Hello")


async def test_a_decision_over_the_limit_is_not_kept_and_can_be_made_again(sqlite):
    async with World(sqlite, limits=Limits(per_user=1)).running() as world:
        thread = await world.said("Go", ask())
        (one,) = world.questions(thread)
        other = await stuck(world)
        with pytest.raises(TooManyRuns):
            await world.approvals.decide(world.ada, one.id, Answer("approve"))
        assert world.questions(thread)[0].status == "pending"
        await world.chat.stop(world.ada, other)
        await world.idle()
        world.agent.scripts.append(answer("ok"))
        await world.approvals.decide(world.ada, one.id, Answer("approve"))
        await world.idle()
        assert texts(world.view(thread))[-1] == "ok"


async def test_an_agent_that_hangs_blocks_its_thread_alone(world):
    hanging = await stuck(world)
    for _ in range(3):
        world.agent.scripts.append(answer("quick"))
        thread = await world.chat.send(world.ada, None, "Hello")
        await until(lambda thread=thread: not world.live(thread))
        assert texts(world.view(thread)) == ["Hello", "quick"]
    assert world.live(hanging) is not None


async def test_an_agent_that_floods_lets_the_others_take_their_turns(world):
    turns = 0

    async def count() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    counting = asyncio.ensure_future(count())
    world.agent.scripts.append(answer(*(f"{n} " for n in range(6400))))
    thread = await world.chat.send(world.ada, None, "Flood")
    await until(lambda: not world.live(thread))
    counting.cancel()
    assert turns > 6400 / BREATH
    assert len(texts(world.view(thread))[1].split()) == 6400


async def test_a_stop_between_commit_and_launch_sends_nothing(world):
    launch = world.supervisor.launch
    held = []
    world.supervisor.launch = held.append
    thread = await world.chat.send(world.ada, None, "Hello")
    await world.chat.stop(world.ada, thread)
    launch(*held)
    await world.idle()
    assert world.agent.requests == []
    assert notes(world, thread) == [("CANCELLED", True)]
