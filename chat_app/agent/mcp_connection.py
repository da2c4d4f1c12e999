"""One connection to an MCP server, held open by a task of its own. Needs the extra ``mcp``.

The SDK wants a connection closed by the task that opened it, and a turn that is stopped must not take along the
connection that others use. So a keeper task opens it, listens for notices, and closes it when it is told to.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import anyio
import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from mcp.types import ServerNotification, ToolListChangedNotification

from chat_app.agent.links import HttpLink, Link
from chat_app.agent.servers import ServerFault

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT: Final = 20.0
LISTEN_AGAIN: Final = 1.0

# What the SDK lets through when a connection cannot be made: its own errors, in groups, and the system's.
TROUBLE: Final = (MCPError, OSError, httpx2.HTTPError, ValueError, ExceptionGroup, TimeoutError)


class Connection:
    """A connection that is open from :meth:`open` until :meth:`close`.

    Args:
        link: Where the server is.
        on_change: Called when the server says that its list of tools changed.
        connect_timeout: Seconds it may take to start or reach it.
    """

    def __init__(
        self, link: Link, on_change: Callable[[], None], *, connect_timeout: float = CONNECT_TIMEOUT
    ) -> None:
        self._link = link
        self._on_change = on_change
        self._connect_timeout = connect_timeout
        self._closing = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def open(self) -> Client:
        """Connect and give the client, ready to be asked from any task.

        Raises:
            ServerFault: the server cannot be started or reached in time.
        """
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[Client] = loop.create_future()
        self._keeper = loop.create_task(self._keep(opened), name=f"tool server {self._link.name}")
        try:
            async with asyncio.timeout(self._connect_timeout):
                return await opened
        except TROUBLE as error:
            logger.warning("The tool server %s cannot be reached.", self._link.name, exc_info=error)
            raise ServerFault(f"The tool server {self._link.name} cannot be reached.") from error
        finally:
            if opened.cancelled() or not opened.done() or opened.exception() is not None:
                self._keeper.cancel()

    async def close(self) -> None:
        """Let the keeper close the connection, and wait until it has. May be called again."""
        self._closing.set()
        if self._keeper is not None:
            await asyncio.wait([self._keeper])

    async def _keep(self, opened: "asyncio.Future[Client]") -> None:
        """Open, listen until told to close, close. Trouble on the way in goes to who waits for the client."""
        try:
            async with self._client() as client, anyio.create_task_group() as group:
                group.start_soon(self._listen, client)
                opened.set_result(client)
                await self._closing.wait()
                group.cancel_scope.cancel()
        except TROUBLE as error:
            if opened.done():
                logger.info(
                    "The connection to the tool server %s ended badly.", self._link.name, exc_info=error
                )
            else:
                opened.set_exception(error)

    async def _listen(self, client: Client) -> None:
        """Ask for notices as long as the connection lasts. Older servers send them unasked."""
        capability = client.server_capabilities.tools
        with suppress(ListenNotSupportedError, MCPError):
            while capability is not None and capability.list_changed:
                with suppress(SubscriptionLost, TimeoutError):
                    async with client.listen(tools_list_changed=True) as notices:
                        async for _notice in notices:
                            self._on_change()
                self._on_change()  # what was said meanwhile is lost
                await anyio.sleep(LISTEN_AGAIN)

    async def _take(self, message: ServerNotification | Exception) -> None:
        if isinstance(message, ToolListChangedNotification):
            self._on_change()

    @asynccontextmanager
    async def _client(self) -> AsyncIterator[Client]:
        async with _transport(self._link) as target:
            client = Client(
                target, message_handler=self._take, read_timeout_seconds=self._link.timeout, cache=None
            )
            async with client:
                yield client


@asynccontextmanager
async def _transport(link: Link) -> AsyncIterator[Any]:
    """Give what the SDK connects to."""
    if isinstance(link, HttpLink):
        timeout = httpx2.Timeout(30.0, read=None)
        async with httpx2.AsyncClient(headers=dict(link.headers), timeout=timeout) as http:
            yield streamable_http_client(link.url, http_client=http)
    else:
        yield StdioServerParameters(
            command=link.command, args=list(link.arguments), env=dict(link.environment)
        )
