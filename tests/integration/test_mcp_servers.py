"""Tool servers for real: processes over stdio and HTTP, reached through the SDK, broken on purpose."""

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chat_app.agent.links import HttpLink, StdioLink, connect
from chat_app.agent.mcp import McpServer
from chat_app.agent.servers import CallContext, Observation, ServerFault
from tests.fakes import until, within
from tests.support.agent_parts import Reports, call, loop_of
from tests.support.processes import running

SUPPORT = Path(__file__).parents[1] / "support"
THREAD = CallContext("thread-1")


def stdio(script="tool_server.py", **fields):
    fields = {"name": "test", "command": sys.executable, "arguments": (str(SUPPORT / script),)} | fields
    return StdioLink(**fields)


@asynccontextmanager
async def serving(link):
    (server,) = connect([link])
    try:
        yield server
    finally:
        await within(server.aclose(), 15)


@pytest.fixture(params=["stdio", "http"])
async def server(request, free_port):
    """The test server, over each transport."""
    if request.param == "stdio":
        async with serving(stdio(timeout=10)) as server:
            yield server
        return
    port = free_port()
    async with running([str(SUPPORT / "tool_server.py"), str(port)], port=port):
        link = HttpLink(name="test", url=f"http://127.0.0.1:{port}/mcp", headers={"x-test": "1"}, timeout=10)
        async with serving(link) as server:
            yield server


async def test_tools_and_resources_are_listed_called_and_read(server):
    tools = {tool.name: tool for tool in await server.list_tools()}
    assert {name for name, tool in tools.items() if tool.asks} == {"fail"}
    assert tools["echo"].description == "Say it back, and for whom."
    assert tools["echo"].parameters["required"] == ["text"]
    assert await server.call_tool("echo", {"text": "hi"}, context=THREAD) == Observation("hi for thread-1")
    assert (await server.call_tool("echo", {"text": "hi"}, context=CallContext())).text == "hi for None"

    (resource,) = await server.list_resources()
    assert (resource.uri, resource.label) == ("note://inbox", "Inbox")
    assert await server.read_resource("note://inbox", context=THREAD) == "a note"


async def test_trouble_of_a_tool_is_an_observation_and_of_a_server_a_fault(server):
    failed = await server.call_tool("fail", {}, context=THREAD)
    assert failed.is_error
    assert "fail" in failed.text
    assert (await server.call_tool("echo", {}, context=THREAD)).is_error
    with pytest.raises(ServerFault, match="test refused to read note://other"):
        await server.read_resource("note://other", context=THREAD)


async def test_every_kind_of_content_becomes_text(server):
    many = await server.call_tool("many", {}, context=THREAD)
    structured = await server.call_tool("structured", {}, context=THREAD)

    assert many == Observation("text\n[image/png]\ninside\n[application/pdf]\n[x://link]", state={"n": 1})
    assert structured.text == '{"ä": 1}'


async def test_a_list_that_changes_is_noticed_at_the_next_boundary(server):
    loop = await loop_of(server)
    before = loop.tools_len
    assert not await loop.refresh_if_changed()
    await loop.perform(call("c1", "grow"))
    await until(lambda: server.revision > 0)

    assert await loop.refresh_if_changed()
    assert loop.tools_len == before + 1


async def test_a_stopped_call_leaves_the_connection_to_the_others(server):
    slow = asyncio.ensure_future(server.call_tool("slow", {"seconds": 30}, context=THREAD))
    answer = await server.call_tool("echo", {"text": "meanwhile"}, context=THREAD)
    slow.cancel()
    await asyncio.wait([slow])

    assert answer.text == "meanwhile for thread-1"
    assert (await server.call_tool("echo", {"text": "after"}, context=THREAD)).text == "after for thread-1"


async def test_an_answer_that_takes_too_long_is_a_fault_that_says_so():
    async with serving(stdio(timeout=3)) as server:
        await server.list_tools()
        with pytest.raises(ServerFault, match=r"did not run slow within 3 s; whether it still does"):
            await server.call_tool("slow", {"seconds": 30}, context=THREAD)


async def test_a_server_that_dies_is_started_anew_by_the_next_request():
    async with serving(stdio()) as server:
        loop = await loop_of(server)
        observation = await loop.perform(call("c1", "crash"))
        assert observation.is_error
        assert "whether it did is not known" in observation.text
        assert (await server.call_tool("echo", {"text": "back"}, context=THREAD)).text == "back for thread-1"
        assert await loop.refresh_if_changed(), "a server reached anew may offer something else"


async def test_a_server_that_cannot_be_started_is_a_fault(tmp_path):
    async with serving(stdio(command=str(tmp_path / "nothing"))) as server:
        with pytest.raises(ServerFault, match="The tool server test cannot be reached"):
            await server.list_tools()
        await server.aclose()


async def test_a_server_that_says_nothing_is_given_up():
    server = McpServer(stdio(arguments=("-c", "import sys; sys.stdin.read()")), connect_timeout=0.3)
    with pytest.raises(ServerFault, match="cannot be reached"):
        await server.list_tools()


async def test_an_address_nobody_listens_on_is_a_fault(free_port):
    async with serving(HttpLink(name="test", url=f"http://127.0.0.1:{free_port()}/mcp")) as server:
        with pytest.raises(ServerFault, match="cannot be reached"):
            await server.list_tools()


async def test_a_server_of_2025_pages_its_list_and_gives_notice_unasked():
    async with serving(stdio("old_tool_server.py")) as server:
        assert [tool.name for tool in await server.list_tools()] == ["tool_1", "tool_2", "tool_3"]
        assert [tool.description for tool in await server.list_tools()] == ["Tool 1", "Tool 2", "Tool 3"]
        assert await server.list_resources() == []
        await server.call_tool("tool_1", {}, context=THREAD)
        await until(lambda: server.revision == 1)
        with pytest.raises(ServerFault, match="The answer of test cannot be read"):
            await server.call_tool("tool_2", {}, context=THREAD)
        with pytest.raises(ServerFault, match="test refused to run tool_3: no such method"):
            await server.call_tool("tool_3", {}, context=THREAD)


async def test_calls_of_many_loops_share_one_server():
    reports = Reports()
    async with serving(stdio()) as server:
        loops = [await loop_of(server, thread_id=f"t{n}") for n in range(5)]
        answers = await asyncio.gather(*(loop.perform(call("c", "echo", '{"text": "x"}')) for loop in loops))

    assert [answer.text for answer in answers] == [f"x for t{n}" for n in range(5)]
    assert reports == []
