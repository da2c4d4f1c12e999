import asyncio

import pytest

from chat_app.agent.sql_memory import SqlMemory
from chat_app.data import engines
from tests.fakes import FakeClock

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
