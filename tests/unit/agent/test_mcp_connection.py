"""What needs no process; the rest is in tests/integration/test_mcp_servers.py."""

from contextlib import asynccontextmanager

import pytest
from mcp import MCPError
from mcp.client.subscriptions import SubscriptionLost
from mcp.types import ServerCapabilities, ToolListChangedNotification, ToolsCapability

from chat_app.agent.links import StdioLink
from chat_app.agent.mcp_connection import Connection
from tests.fakes import within

LINK = StdioLink(name="test", command="nothing")


class Listened:
    """A client whose first stream of notices is lost, by `loss`, and that refuses the second."""

    def __init__(self, *, notices=True, loss=SubscriptionLost):
        self.server_capabilities = ServerCapabilities(tools=ToolsCapability(list_changed=notices))
        self.loss = loss
        self.streams = 0

    @asynccontextmanager
    async def listen(self, *, tools_list_changed):
        assert tools_list_changed
        self.streams += 1
        if self.streams > 1:
            raise MCPError(-32601, "no more")
        yield self._notices()

    async def _notices(self):
        yield "changed"
        raise self.loss


@pytest.fixture
def changes():
    return []


@pytest.fixture
def connection(changes):
    return Connection(LINK, lambda: changes.append(1))


@pytest.mark.parametrize("loss", [SubscriptionLost, TimeoutError])
async def test_a_lost_stream_of_notices_counts_as_a_change_and_is_opened_again(
    connection, changes, caplog, loss
):
    client = Listened(loss=loss)
    await within(connection._listen(client))
    assert (client.streams, len(changes)) == (2, 2)
    assert not caplog.records


async def test_a_server_without_notices_is_not_listened_to(connection):
    client = Listened(notices=False)
    await within(connection._listen(client))
    assert client.streams == 0


async def test_only_a_changed_list_is_a_change(connection, changes):
    await connection._take(ToolListChangedNotification())
    await connection._take(ValueError("noise"))
    assert len(changes) == 1


async def test_a_connection_never_opened_can_be_closed(connection):
    await connection.close()


class BreaksOnTheWayOut(Connection):
    @asynccontextmanager
    async def _client(self):
        yield Listened(notices=False)
        raise OSError("gone")


async def test_trouble_on_the_way_out_is_noted_and_nobody_elses(caplog):
    connection = BreaksOnTheWayOut(LINK, lambda: None)
    with caplog.at_level("INFO"):
        await within(connection.open())
        await within(connection.close())
    assert "ended badly" in caplog.text
