from datetime import timedelta

import pytest
import sqlalchemy as sa

from chat_app.agent.servers import Observation
from chat_app.agent.store import (
    KEPT_FOR,
    QUESTIONS,
    TURNS,
    Asked,
    Reply,
    StillAnswering,
    SuspendedTurn,
    TurnStore,
)
from chat_app.agent.transcript import AssistantEntry, ToolCall, ToolEntry
from chat_app.data import engines
from tests.fakes import FakeClock

pytest_plugins = ("tests.support.databases",)

CALL = ToolCall("c1", "delete_task", '{"id": 7}')


@pytest.fixture
def engine(database_url):
    """An engine of its own on migrated tables, as the wiring hands one in."""
    engine = engines.build(engines.parse(database_url), wait_s=5)
    yield engine
    engine.dispose()


@pytest.fixture
def clock():
    return FakeClock(step=timedelta(milliseconds=1))


@pytest.fixture
def store(engine, clock):
    return TurnStore(engine, now=clock)


def turn(key="t1", *interrupts, thread="thread"):
    entries = (
        AssistantEntry("On it.", "hm", (CALL,), {"signature": "s"}),
        ToolEntry("c0", "list_tasks", "none"),
    )
    questions = tuple(Asked(interrupt, CALL) for interrupt in interrupts or ("q1",))
    return SuspendedTurn(id=key, thread=thread, model="m", entries=entries, questions=questions)


async def test_a_suspended_turn_comes_back_whole(store):
    await store.suspend(turn("t1", "q1", "q2"))

    assert await store.find("thread", ["q2"]) == turn("t1", "q1", "q2")


async def test_nothing_is_found_under_other_names(store):
    await store.suspend(turn())

    assert await store.find("thread", ["other"]) is None
    assert await store.find("another", ["q1"]) is None
    assert await store.find("thread", []) is None


async def test_of_several_turns_the_latest_is_found(store):
    await store.suspend(turn("t1", "q1"))
    await store.suspend(turn("t2", "q2"))

    assert (await store.find("thread", ["q1", "q2"])).id == "t2"


async def test_an_answer_is_acted_on_once_and_its_first_result_kept(store):
    await store.suspend(turn())
    assert await store.begin("thread", "q1")
    assert not await store.begin("thread", "q1")
    assert not await store.begin("thread", "unknown")
    await store.conclude("thread", "q1", Observation("deleted", is_error=True))
    asked = (await store.find("thread", ["q1"])).questions[0]

    assert asked.result == Observation("deleted", is_error=True)
    assert asked.begun.tzinfo is not None


async def test_a_turn_nobody_came_back_to_is_forgotten_in_time(store, clock, engine):
    await store.suspend(turn("t1", "q1"))
    clock.now += KEPT_FOR + timedelta(days=1)
    await store.suspend(turn("t2", "q2"))
    with engine.connect() as connection:
        turns = connection.execute(sa.select(TURNS.c.id)).scalars().all()
        questions = connection.execute(sa.select(QUESTIONS.c.interrupt)).scalars().all()

    assert (turns, questions) == (["t2"], ["q2"])


async def test_names_no_database_holds_are_no_trouble(store):
    odd = "a\x00b\ud800"
    await store.suspend(turn("t1", "q1", thread=odd))

    assert (await store.find(odd, ["q1", "\x00"])).id == "t1"
    assert await store.begin(odd, "q1")


async def test_a_call_with_arguments_no_text_column_holds_is_kept(store):
    call = ToolCall("c", "say", '{"text": "\x00"}')
    question = Asked("q9", call)
    await store.suspend(SuspendedTurn(id="t", thread="th", model="m", entries=(), questions=(question,)))

    assert (await store.find("th", ["q9"])).questions == (question,)


PATIENCE = timedelta(minutes=2)


async def test_a_reply_is_said_once_and_kept_for_who_asks_again(store):
    await store.suspend(turn())
    assert await store.claim("t1", patience=PATIENCE) is None
    with pytest.raises(StillAnswering):
        await store.claim("t1", patience=PATIENCE)
    reply = Reply(after="mark", entries=turn().entries, asked=("c1",))
    await store.keep_reply("t1", reply)

    assert await store.claim("t1", patience=PATIENCE) == reply


async def test_a_reply_that_was_given_up_is_said_by_the_next(store):
    await store.suspend(turn())
    await store.claim("t1", patience=PATIENCE)
    await store.release("t1")

    assert await store.claim("t1", patience=PATIENCE) is None


async def test_who_claimed_a_reply_and_vanished_is_not_waited_for_for_ever(store, clock):
    await store.suspend(turn())
    await store.claim("t1", patience=PATIENCE)
    clock.now += PATIENCE + timedelta(seconds=1)

    assert await store.claim("t1", patience=PATIENCE) is None
