from contextlib import asynccontextmanager

import pytest
from mcp import Client

from chat_app.agent.task_board.server import GUIDE_URI, STATE_KEY, THREAD_KEY, build_server
from chat_app.agent.task_board.tasks import open_store

META = {THREAD_KEY: "t1"}


@pytest.fixture
def serving(tmp_path):
    """Opens a client to a server in process; the SDK wants it closed by the task that opened it."""

    @asynccontextmanager
    async def client():
        engine = open_store(f"sqlite:///{tmp_path / 'tasks.db'}")
        async with Client(build_server(engine, pause=0)) as client:
            yield client
        engine.dispose()

    return client


async def text_of(client, name, **arguments):
    result = await client.call_tool(name, arguments, meta=META)
    return result.content[0].text


async def test_a_board_is_filled_worked_and_listed(serving):
    async with serving() as client:
        assert await text_of(client, "list_tasks") == "The board:\n\nThe board is empty."
        assert await text_of(client, "add_task", title="Milk") == "Added task 1.\n\n1. [ ] Milk"
        assert await text_of(client, "complete_task", number=1) == "Task 1 is done.\n\n1. [x] Milk"
        assert (
            await text_of(client, "delete_task", number=1) == "Deleted task 1: Milk.\n\nThe board is empty."
        )


async def test_every_answer_brings_the_whole_board(serving):
    async with serving() as client:
        result = await client.call_tool("add_task", {"title": "Milk"}, meta=META)
        assert result.meta[STATE_KEY] == [{"number": 1, "title": "Milk", "done": False}]


async def test_what_cannot_be_done_is_an_error_in_words(serving):
    async with serving() as client:
        result = await client.call_tool("delete_task", {"number": 7}, meta=META)
        assert (result.is_error, result.content[0].text) == (True, "There is no task 7 on this board.")


async def test_an_import_says_how_far_it_is(serving):
    async with serving() as client:
        seen = []

        async def progress(done, total, message):
            seen.append((done, total, message))

        result = await client.call_tool(
            "import_tasks", {"titles": ["a", "b"]}, progress_callback=progress, meta=META
        )
        assert result.content[0].text.startswith("Imported 2 tasks.")
        assert seen == [(1, 2, "a"), (2, 2, "b")]


async def test_only_deleting_asks_and_there_is_a_guide(serving):
    async with serving() as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools if tool.annotations.destructive_hint] == ["delete_task"]
        guide = await client.read_resource(GUIDE_URI)
        assert "numbered from one" in guide.contents[0].text
