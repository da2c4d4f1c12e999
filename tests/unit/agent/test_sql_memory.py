import asyncio
import time

import anyio
import pytest
import sqlalchemy as sa

from chat_app.agent.sql_memory import SqlMemory
from chat_app.data import engines
from tests.fakes import FakeClock, until

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def memory(database_url):
    engine = engines.build(engines.parse(database_url), wait_s=5)
    yield SqlMemory(engine, now=FakeClock())
    engine.dispose()


async def test_the_document_kept_last_is_given(memory):
    assert await memory.load_projection("t") is None
    await memory.save_projection("t", {"n": 1})
    await memory.save_projection("t", {"n": 2})
    await memory.save_projection("other\x00", {"n": 3})

    assert await memory.load_projection("t") == {"n": 2}
    assert await memory.load_projection("other\x00") == {"n": 3}


async def test_two_first_documents_at_once_leave_one(memory):
    documents = [{"n": n} for n in range(6)]
    await asyncio.gather(*(memory.save_projection("t", document) for document in documents))

    assert await memory.load_projection("t") in documents


async def test_the_first_answer_stands(memory):
    assert await memory.sealed_answer("t", "q") is None
    assert await memory.seal_answer("t", "q", {"approved": True}) == {"approved": True}
    assert await memory.seal_answer("t", "q", {"approved": False}) == {"approved": True}
    assert await memory.sealed_answer("t", "q") == {"approved": True}
    assert await memory.seal_answer("other", "q", {"approved": False}) == {"approved": False}


async def test_who_gives_up_does_not_wait_for_a_lock_and_is_written_all_the_same(fresh_url):
    engine = engines.build(engines.parse(fresh_url("sqlite")), wait_s=5)
    memory, begun = SqlMemory(engine, now=FakeClock()), time.monotonic()
    with engine.connect() as other:
        other.execute(
            sa.text("SELECT 1")
        )  # which takes the one lock there is, as every transaction here does
        with anyio.move_on_after(0.1) as waiting:
            await memory.save_projection("t", {"n": 1})
        assert time.monotonic() - begun < 2
    assert waiting.cancelled_caught
    async with asyncio.timeout(5):
        while await memory.load_projection("t") is None:
            pass  # the abandoned thread has the lock by now, or takes it next
    engine.dispose()


async def test_however_many_give_up_all_are_written(fresh_url):
    engine = engines.build(engines.parse(fresh_url("sqlite")), wait_s=10)
    memory, names = SqlMemory(engine, now=FakeClock()), {f"t{n}" for n in range(60)}
    with engine.connect() as other:
        other.execute(sa.text("SELECT 1"))  # takes the lock
        with anyio.move_on_after(0.2):
            await asyncio.gather(*(memory.save_projection(name, {}) for name in names))

    def kept() -> set[str]:
        with engines.reading(engine).connect() as connection:  # a look must not take the writers' turn
            return set(connection.execute(sa.text("SELECT thread FROM agent_projection")).scalars())

    await until(lambda: kept() == names, 10)
    engine.dispose()
