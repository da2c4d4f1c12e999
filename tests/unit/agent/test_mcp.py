"""What needs no process; the rest is in tests/integration/test_mcp_servers.py."""

import anyio
import pytest
from mcp import MCPError
from mcp.types import ListToolsResult, ServerCapabilities, Tool

from chat_app.agent.links import StdioLink
from chat_app.agent.mcp import MOST_PAGES, McpServer
from chat_app.agent.servers import CallContext, ServerFault

LINK = StdioLink(name="test", command="nothing")


class Endless:
    """A client whose pages never end, or whose answers are trouble."""

    server_capabilities = ServerCapabilities()

    def __init__(self, trouble=None):
        self.trouble = trouble
        self.pages = 0

    async def list_tools(self, cursor):
        self.pages += 1
        assert cursor == (str(self.pages - 1) if self.pages > 1 else None)
        tool = Tool(name=f"t{self.pages}", input_schema={"type": "object"})
        return ListToolsResult(tools=[tool], next_cursor=str(self.pages))

    async def call_tool(self, *_arguments, **_more):
        raise self.trouble


class Open:
    closed = 0

    async def close(self):
        self.closed += 1


def connected(client):
    server = McpServer(LINK)
    server._client, server._connection = client, Open()
    return server, server._connection


async def test_pages_that_never_end_are_read_for_a_while_only():
    server, _connection = connected(Endless())
    assert len(await server.list_tools()) == MOST_PAGES


@pytest.mark.parametrize("trouble", [anyio.ClosedResourceError(), MCPError(-32000, "Connection closed")])
async def test_a_connection_that_broke_is_let_go_of(trouble):
    server, connection = connected(Endless(trouble))
    with pytest.raises(ServerFault, match="The connection to test broke"):
        await server.call_tool("x", {}, context=CallContext())
    assert (server._client, connection.closed) == (None, 1)


async def test_trouble_of_an_old_connection_leaves_the_new_one_alone():
    server, old = connected(Endless())
    server._connection = new = Open()
    await server._drop(old)
    assert (server._connection, old.closed, new.closed) == (new, 1, 0)


async def test_a_server_nobody_asked_has_nothing_to_close():
    await McpServer(LINK).aclose()
