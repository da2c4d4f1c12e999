import pytest
from sqlalchemy import update

from chat_app.data import audit, exchanges, messages, threads
from chat_app.data.messages import message
from chat_app.data.threads import thread as thread_table
from chat_app.data.tool_calls import tool_call
from chat_app.services.approvals import Answer
from chat_app.services.verify import Verdict, Verifier, verdict
from tests.support.world import World, answer, ask, called, finished, opened, said, started, text

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def looked_at(world, thread: str) -> Verdict:
    with world.database.reading() as session:
        return verdict(session, thread)


def broken(world, thread: str) -> list[str]:
    return [found.what for found in looked_at(world, thread).differences]


async def full(world) -> str:
    """Have a conversation with everything in it: text, calls, results, state, a question and its answer."""
    state = {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1}}
    result = {"type": "TOOL_CALL_RESULT", "messageId": "r1", "toolCallId": "c0", "content": "42"}
    thread = await world.said(
        "One",
        lambda run: [started(run), *text("a", "1 ", "one"), *called("c0"), result, state, finished(run)],
    )
    await world.said("Nul \x00 and half \ud83d", ask(), thread=thread)
    world.agent.scripts.append(answer("done"))
    await world.approvals.decide(world.ada, world.questions(thread)[0].id, Answer("approve"))
    await world.idle()
    return thread


async def test_a_conversation_is_what_its_log_folds_to(world):
    thread = await full(world)

    assert list(Verifier(world.database).threads()) == [looked_at(world, thread)]
    assert looked_at(world, thread) == Verdict(thread, rows=len(world.messages(thread)))


async def test_text_that_was_cut_off_is_what_its_log_folds_to(world):
    cut = lambda run: [started(run), opened("a"), said("a", "half"), ConnectionError()]  # noqa: E731
    thread = await world.said("One", cut)

    assert broken(world, thread) == []


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (update(message).where(message.c.role == "user").values(content=[]), "row "),
        (update(message).where(message.c.role == "user").values(position=0), "row "),
        (update(tool_call).where(tool_call.c.wire_id == "c0").values(result="43"), "call c0"),
        (update(thread_table).values(state={"n": 2}), "state"),
        (update(thread_table).values(last_seq=1), "counter"),
        (update(thread_table).values(leaf=None), "leaf"),
    ],
)
async def test_a_table_that_says_something_else_is_noticed(world, damage, told):
    thread = await full(world)
    with world.database.transaction() as session:
        session.execute(damage)

    assert broken(world, thread)
    assert all(what.startswith(told) for what in broken(world, thread))


async def test_a_row_that_is_missing_is_noticed(world):
    thread = await full(world)
    lost = world.messages(thread)[1]
    with world.database.transaction() as session:
        messages.drop(session, thread, [lost.key])

    assert broken(world, thread) == [f"row {lost.key}"]


async def test_a_log_that_cannot_be_read_is_told(world):
    thread = await full(world)
    from chat_app.data.events import run_event

    with world.database.transaction() as session:
        session.execute(update(run_event).where(run_event.c.type == "RUN_STARTED").values(payload={}))

    assert [what[:4] for what in broken(world, thread)] == ["log:"]


async def test_a_thread_with_a_live_run_is_left_out(world):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
        world.opener.say(session, thread.id, run, "Hello")

    assert looked_at(world, thread.id) == Verdict(thread.id, live=True)
    with world.database.transaction() as session:
        exchanges.end(session, run.exchange, worker_id=world.worker, now=world.clock())


async def test_deleted_threads_are_looked_at_and_erased_ones_are_not(world):
    thread = await full(world)
    with world.database.transaction() as session:
        threads.delete(session, thread, now=world.clock())

    assert looked_at(world, thread).rows
    assert looked_at(world, "erased") == Verdict("erased")


def test_the_audit_is_looked_at(sqlite):
    world = World(sqlite)
    with sqlite.transaction() as session:
        audit.append(session, audit.Act(action="a", object="o", actor=None, at=world.clock()))

    assert Verifier(sqlite).audit_broken_at() is None
