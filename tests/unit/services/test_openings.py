import pytest

from chat_app.data import decisions, events, exchanges, messages, runs, threads
from chat_app.data.errors import ThreadBusy, ThreadGone
from chat_app.services.approvals import Answer
from chat_app.services.openings import LEASE, launch_of
from tests.support.world import World, answer, ask, unreachable

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def test_an_exchange_opens_with_its_run_and_a_lease(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        exchange = exchanges.live_of(session, thread.id)
    assert (exchange.id, exchange.kind, exchange.worker_id) == (run.exchange, "send", "worker-1")
    assert exchange.lease_until == exchange.started + LEASE
    assert (run.status, run.wire_run_id) == ("running", f"{thread.wire_id}-run-1")
    assert world.get_thread(thread.id).mark == "running"


def test_run_ids_count_per_thread(world):
    thread = world.thread()
    for number in (1, 2):
        with world.database.transaction() as session:
            run = world.opener.open(session, thread, kind="send", by=world.ada.id)
            exchanges.end(session, run.exchange, worker_id="worker-1", now=world.clock())
        assert run.wire_run_id == f"{thread.wire_id}-run-{number}"


def test_a_thread_with_a_live_exchange_opens_no_other(world):
    thread = world.thread()
    with world.database.transaction() as session:
        world.opener.open(session, thread, kind="send", by=world.ada.id)
    with pytest.raises(ThreadBusy), world.database.transaction() as session:
        world.opener.open(session, thread, kind="retry", by=world.ada.id)
    assert len(world.runs(thread.id)) == 1


def test_a_line_is_logged_and_drawn_at_one_number(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        world.opener.say(session, thread.id, run, "Hello")
    with world.database.reading() as session:
        (entry,) = events.of_thread(session, thread.id)
        (row,) = messages.of_thread(session, thread.id)
    assert entry.payload == {"id": row.wire_id, "role": "user", "content": "Hello"}
    assert entry.seq == row.position == world.get_thread(thread.id).last_seq == 1
    assert (row.parent, world.get_thread(thread.id).leaf) == (None, row.id)


def test_the_next_line_hangs_on_the_last_message(world):
    thread = world.thread()
    for text in ("One", "Two"):
        with world.database.transaction() as session:
            run = world.opener.open(session, thread, kind="send", by=world.ada.id)
            world.opener.say(session, thread.id, run, text)
            exchanges.end(session, run.exchange, worker_id="worker-1", now=world.clock())
    one, two = world.messages(thread.id)
    assert (two.parent, two.position) == (one.id, 2)


def test_a_line_in_a_thread_that_is_gone_is_refused(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
    with world.database.transaction() as session:
        threads.delete(session, thread.id, now=world.clock())
    with pytest.raises(ThreadGone), world.database.transaction() as session:
        world.opener.say(session, thread.id, run, "Hello")


def test_an_act_of_ours_takes_a_number_of_the_thread(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        world.opener.note(session, run, "decision", {"by": "ada"})
        world.opener.say(session, thread.id, run, "Hello")
    with world.database.reading() as session:
        log = events.of_thread(session, thread.id)
    assert [(entry.seq, entry.type, entry.run) for entry in log] == [
        (1, "decision", run.id),
        (2, "user_message", run.id),
    ]


def test_what_the_supervisor_needs_is_named(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
    launch = launch_of(run, thread)
    assert (launch.exchange, launch.thread, launch.owner) == (run.exchange, thread.id, world.ada.id)


async def test_a_new_exchange_carries_the_answers_that_are_owed(sqlite):
    async with World(sqlite).running() as world:
        thread = await world.said("Go", ask())
        (asked,) = world.questions(thread)
        world.agent.scripts.append(unreachable)
        await world.approvals.decide(world.ada, asked.id, Answer("approve"))
        await world.idle()
        await world.said("Well?", answer("done"), thread=thread)
        assert [entry.interrupt_id for entry in world.agent.requests[-1].resume] == ["q1"]
        with world.database.reading() as session:
            (decision,) = decisions.of_interrupts(session, [asked.id])
            assert decision.resume_run == runs.last_of(session, thread).id
