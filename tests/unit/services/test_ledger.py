from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from chat_app.agui import TOLERANT, LocalMessage, UserMessage
from chat_app.data import events, exchanges, messages, runs, threads
from chat_app.data.errors import MigrationNeeded, ThreadGone
from chat_app.data.records import EventRecord, MessageRecord, RunRecord, ToolCallRecord
from chat_app.services.agents import Peer
from chat_app.services.approvals import Answer
from chat_app.services.batch import Batch, ClosedRun
from chat_app.services.exchange import SERVER_RESTART
from chat_app.services.ledger import SqlLedger
from chat_app.tools import offered
from tests.support.records import NOON
from tests.support.world import World, answer, ask, called, finished, started

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def begun(world: World, words: str = "Hello") -> RunRecord:
    """Open an exchange as sending does, without anybody who runs it; return its run."""
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        world.opener.say(session, thread.id, run, words)
    return run


def exchange_of(world: World, run: RunRecord):
    with world.database.reading() as session:
        return exchanges.get(session, run.exchange)


def batch_of(world: World, run: RunRecord, **fields) -> Batch:
    base = {"exchange": run.exchange, "thread": run.thread, "at": world.clock(), "last_seq": 5, "leaf": None}
    return Batch(**{**base, **fields})


def event_at(run: RunRecord, seq: int, at) -> EventRecord:
    payload = {"type": "STEP_STARTED", "stepName": "s"}
    return EventRecord(thread=run.thread, seq=seq, run=run.id, type="STEP_STARTED", payload=payload, at=at)


# ---------------------------------------------------------------- load


def test_work_is_everything_an_exchange_starts_from(world):
    run = begun(world)
    work = world.ledger.load(run.exchange)
    thread = world.get_thread(run.thread)
    assert (work.kind, work.wire_thread, work.finished) == ("send", thread.wire_id, False)
    assert work.log == [LocalMessage(UserMessage(id=f"{thread.wire_id}-msg-1", content="Hello"))]
    assert (work.pending, work.entries) == ((), ())
    assert (work.ground.exchange, work.ground.run.id, work.ground.last_seq) == (run.exchange, run.id, 1)
    assert work.ground.leaf == thread.leaf
    (place,) = work.ground.places.values()
    assert (place.id, place.position, place.run) == (thread.leaf, 1, run.id)


def test_an_unknown_exchange_is_gone(world):
    with pytest.raises(ThreadGone):
        world.ledger.load("unknown")


def test_the_exchange_of_a_deleted_thread_is_gone(world):
    run = begun(world)
    with world.database.transaction() as session:
        threads.delete(session, run.thread, now=world.clock())
    with pytest.raises(ThreadGone):
        world.ledger.load(run.exchange)


def test_an_exchange_without_a_running_run_is_gone(world):
    run = begun(world)
    with world.database.transaction() as session:
        runs.finish(session, run.id, status="success", ended=world.clock())
    with pytest.raises(ThreadGone):
        world.ledger.load(run.exchange)


def test_a_run_whose_log_holds_its_end_is_finished(world):
    run = begun(world)
    end = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"}
    with world.database.transaction() as session:
        seq = threads.reserve(session, run.thread)
        record = event_at(run, seq, world.clock())
        events.append(session, [replace(record, type="RUN_FINISHED", payload=end)])
    assert world.ledger.load(run.exchange).finished


async def test_parts_of_recent_messages_keep_their_times(sqlite):
    async with World(sqlite).running() as world:
        thread = await world.said("Hello", answer("Hi"))
        with world.database.transaction() as session:
            run = world.opener.open(session, world.get_thread(thread), kind="retry", by=world.ada.id)
        spans = world.ledger.load(run.exchange).ground.spans
        turn = world.messages(thread)[1]
        assert spans[turn.key, turn.content[0]["key"]].ended == turn.content[0]["ended"] != ""


async def test_open_questions_are_pending(sqlite):
    async with World(sqlite).running() as world:
        thread = await world.said("Go", ask())
        with world.database.transaction() as session:
            run = world.opener.open(session, world.get_thread(thread), kind="retry", by=world.ada.id)
        work = world.ledger.load(run.exchange)
        assert [question.id for question in work.pending] == ["q1"]
        assert work.entries == ()


# ---------------------------------------------------------------- leases


def test_leases_are_renewed_and_stops_found(world):
    quiet, stopped, foreign = begun(world), begun(world), begun(world)
    with world.database.transaction() as session:
        exchanges.request_stop(session, stopped.thread, by=world.ada.id, now=world.clock())
        seen = exchanges.get(session, foreign.exchange)
        exchanges.take_over(session, seen, worker_id="worker-2", lease_until=seen.lease_until)
    world.clock.forward(seconds=5)
    held, to_stop = world.ledger.renew([quiet.exchange, stopped.exchange, foreign.exchange, "unknown"])
    assert held == {quiet.exchange, stopped.exchange}
    assert to_stop == [stopped.exchange]
    assert exchange_of(world, quiet).lease_until > exchange_of(world, foreign).lease_until


def test_nothing_to_renew_asks_nothing(world):
    world.database.dispose()
    assert world.ledger.renew([]) == (frozenset(), [])


def test_expired_exchanges_are_taken_over_and_live_ones_are_not(world):
    old = begun(world)
    world.clock.forward(seconds=60)
    new = begun(world)
    other = SqlLedger(world.database, "worker-2", world.clock, world.ledger.peer)
    assert [launch.exchange for launch in other.orphans(everything=False)] == [old.exchange]
    assert exchange_of(world, old).worker_id == "worker-2"
    assert exchange_of(world, new).worker_id == "worker-1"
    assert other.orphans(everything=False) == []


def test_a_single_process_takes_over_everything_at_its_start(world):
    one, two = begun(world), begun(world)
    other = SqlLedger(world.database, "worker-2", world.clock, world.ledger.peer)
    launches = other.orphans(everything=True)
    assert {launch.exchange for launch in launches} == {one.exchange, two.exchange}
    assert {launch.owner for launch in launches} == {world.ada.id}


def test_failing_an_exchange_leaves_a_note_and_frees_the_thread(world):
    run = begun(world)
    world.ledger.fail(run.exchange)
    (failed,) = world.runs(run.thread)
    assert (failed.status, failed.error_code, failed.note_position) == ("failed", SERVER_RESTART, 2)
    assert (world.live(run.thread), world.get_thread(run.thread).mark) == (None, "failed")


def test_an_exchange_of_another_worker_is_not_failed(world):
    run = begun(world)
    SqlLedger(world.database, "worker-2", world.clock, world.ledger.peer).fail(run.exchange)
    assert world.runs(run.thread)[0].status == "running"
    assert world.live(run.thread) is not None


# ---------------------------------------------------------------- write


def test_a_batch_is_written_whole(world):
    run = begun(world)
    now = world.clock()
    message = MessageRecord(
        id="m-1",
        thread=run.thread,
        position=3,
        key="a",
        wire_id="a",
        role="assistant",
        content=[],
        run=run.id,
        created=now,
        updated=now,
    )
    call = ToolCallRecord(id="c-1", message="m-1", wire_id="c", name="add", started=now)
    closed = ClosedRun(run=run.id, status="failed", at=now, error_code="quota", note_position=5)
    batch = batch_of(
        world,
        run,
        events=[event_at(run, 2, now)],
        messages=[message],
        calls=[call],
        closed=[closed],
        leaf="m-1",
        state=({"a": 1},),
        mark="failed",
    )
    assert world.ledger.write([batch]) == []
    thread = world.get_thread(run.thread)
    assert (thread.last_seq, thread.leaf, thread.state, thread.mark) == (5, "m-1", {"a": 1}, "failed")
    assert [row.key for row in world.messages(run.thread)][-1] == "a"
    assert world.runs(run.thread)[0].error_code == "quota"
    assert world.live(run.thread) is None


def test_removed_messages_go_before_new_ones_come(world):
    run = begun(world)
    (line,) = world.messages(run.thread)
    again = replace(line, id="again", position=4)
    assert world.ledger.write([batch_of(world, run, removed=[line.key], messages=[again])]) == []
    assert [row.id for row in world.messages(run.thread)] == ["again"]


def test_a_further_run_is_opened_before_its_events(world):
    run = begun(world)
    second = replace(run, id="second", wire_run_id="second")
    batch = batch_of(world, run, opened=[second], events=[event_at(second, 2, world.clock())])
    assert world.ledger.write([batch]) == []
    assert [one.id for one in world.runs(run.thread)] == [run.id, "second"]


def test_a_batch_without_an_end_leaves_the_exchange_open(world):
    run = begun(world)
    assert world.ledger.write([batch_of(world, run)]) == []
    assert world.live(run.thread) is not None
    assert world.get_thread(run.thread).mark == "running"


def test_the_counter_never_goes_back(world):
    run = begun(world)
    world.ledger.write([batch_of(world, run, last_seq=9)])
    world.ledger.write([batch_of(world, run, last_seq=4)])
    assert world.get_thread(run.thread).last_seq == 9


def test_a_batch_of_an_exchange_that_is_not_ours_is_lost(world):
    mine, foreign = begun(world), begun(world)
    with world.database.transaction() as session:
        seen = exchanges.get(session, foreign.exchange)
        exchanges.take_over(
            session, seen, worker_id="worker-2", lease_until=seen.lease_until + timedelta(hours=1)
        )
    lost = world.ledger.write([batch_of(world, foreign, mark=""), batch_of(world, mine, mark="")])
    assert lost == [foreign.exchange]
    assert world.live(foreign.thread) is not None
    assert world.live(mine.thread) is None


@pytest.mark.parametrize("poison", ["taken number", "unreadable time"])
def test_a_refused_batch_loses_its_exchange_and_no_other(world, poison):
    bad, good = begun(world), begun(world)
    at = world.clock() if poison == "taken number" else world.clock().replace(tzinfo=None)
    seq = 1 if poison == "taken number" else 2
    with capture_logs() as logs:
        lost = world.ledger.write(
            [batch_of(world, bad, events=[event_at(bad, seq, at)]), batch_of(world, good, mark="")]
        )
    assert lost == [bad.exchange]
    assert [entry["event"] for entry in logs] == ["batch_refused"]
    assert world.live(good.thread) is None
    with world.database.reading() as session:
        assert len(events.of_thread(session, bad.thread)) == 1
        assert len(messages.of_thread(session, bad.thread)) == 1


def test_trouble_with_the_database_refuses_nothing_for_good(world):
    run = begun(world)
    batch = batch_of(world, run, events=[event_at(run, 2, world.clock())])
    rename(world, "run_event", "away")
    with pytest.raises(MigrationNeeded):
        world.ledger.write([batch])
    rename(world, "away", "run_event")
    assert world.ledger.write([batch]) == []


def rename(world: World, before: str, after: str) -> None:
    with world.database.transaction() as session:
        session.execute(text(f"ALTER TABLE {before} RENAME TO {after}"))


async def test_a_tool_that_a_person_was_asked_by_is_known_until_they_answered(sqlite):
    world = World(sqlite, tools=offered(["ask_person"], NOON.replace))
    calls = called("c1", '{"question":"Which?"}', name="ask_person")
    async with world.running():
        thread = await world.said("Hello", lambda run: [started(run), *calls, finished(run)])
        given: list[tuple[str, ...]] = []

        def peer(agent) -> Peer:
            given.append(agent.tools)
            return Peer(world.agent, TOLERANT, world.tools)

        (asked,) = world.questions(thread)
        world.supervisor._ledger = replace(world.ledger, peer=peer)
        world.agent.scripts.append(answer("ok"))
        await world.approvals.decide(world.ada, asked.id, Answer("respond", note="This one"))
        await world.idle()
    assert given == [("ask_person",)]
    assert world.agent.requests[-1].messages[-1].content == "This one"
