"""Tool servers over MCP: stdio and streamable HTTP, through the official SDK. Needs the extra ``mcp``.

A connection is opened by the first request and shared by every loop of the process. When it breaks, who was
waiting is told, and the next request opens another. Nothing is asked twice on its own: a call may have had its
effect before its answer was lost.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import anyio
from mcp import Client, MCPError
from mcp.types import (
    CONNECTION_CLOSED,
    REQUEST_TIMEOUT,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ListResourcesResult,
    ListToolsResult,
    Resource,
    ResourceLink,
    TextContent,
    TextResourceContents,
    Tool,
)
from pydantic import JsonValue, ValidationError

from chat_app.agent.links import Link
from chat_app.agent.mcp_connection import CONNECT_TIMEOUT, Connection
from chat_app.agent.servers import CallContext, Observation, ResourceSpec, ServerFault, ToolSpec

THREAD_KEY: Final = "parley/thread"
"""Key of ``_meta`` that names the thread a request is made for."""
STATE_KEY: Final = "parley/state"
"""Key of a result's ``_meta`` that holds what the server wants everybody to see of it."""
MOST_PAGES: Final = 100

_Page = TypeVar("_Page", ListToolsResult, ListResourcesResult)


class McpServer:
    """A tool server that a configuration names.

    Args:
        link: Where it is.
        connect_timeout: Seconds it may take to start or reach it.
    """

    def __init__(self, link: Link, *, connect_timeout: float = CONNECT_TIMEOUT) -> None:
        self._link = link
        self._connect_timeout = connect_timeout
        self._revision = 0
        self._opening = asyncio.Lock()
        self._connection: Connection | None = None
        self._client: Client | None = None
        self._reached = False

    @property
    def name(self) -> str:
        """What the configuration calls it."""
        return self._link.name

    @property
    def revision(self) -> int:
        """Grows whenever the server says that its list of tools changed, and when it was reached anew."""
        return self._revision

    async def list_tools(self) -> Sequence[ToolSpec]:
        """Give the tools, all pages of them.

        Raises:
            ServerFault: the server cannot be reached or cannot say.
        """

        async def page(client: Client, cursor: str | None) -> ListToolsResult:
            return await client.list_tools(cursor=cursor)

        return [_tool(tool) async for found in self._pages("list its tools", page) for tool in found.tools]

    async def list_resources(self) -> Sequence[ResourceSpec]:
        """Give the resources, all pages of them; none when the server has no notion of them.

        Raises:
            ServerFault: the server cannot be reached or cannot say.
        """

        async def page(client: Client, cursor: str | None) -> ListResourcesResult:
            if client.server_capabilities.resources is None:
                return ListResourcesResult(resources=[])
            return await client.list_resources(cursor=cursor)

        pages = self._pages("list its resources", page)
        return [_resource(resource) async for found in pages for resource in found.resources]

    async def call_tool(
        self, name: str, arguments: Mapping[str, JsonValue], *, context: CallContext
    ) -> Observation:
        """Run a tool.

        Raises:
            ServerFault: the server cannot be reached, does not answer in time, or the connection broke; then
                nobody knows whether the call took effect, and the message says so.
        """
        async with self._asking(f"run {name}") as client:
            result = await client.call_tool(name, dict(arguments), meta=_meta(context))
        return _observation(result)

    async def read_resource(self, uri: str, *, context: CallContext) -> str:
        """Give a resource's text.

        Raises:
            ServerFault: the server does not have it, or cannot be reached.
        """
        async with self._asking(f"read {uri}") as client:
            result = await client.read_resource(uri, meta=_meta(context))
        return "\n".join(_body(body) for body in result.contents)

    async def aclose(self) -> None:
        """Close the connection, if there is one."""
        async with self._opening:
            await self._drop(self._connection)

    async def _pages(
        self, what: str, ask: Callable[[Client, str | None], Awaitable[_Page]]
    ) -> AsyncIterator[_Page]:
        """Ask for page after page; a server whose pages never end is listened to for a while only."""
        cursor: str | None = None
        for _page in range(MOST_PAGES):
            async with self._asking(what) as client:
                found = await ask(client, cursor)
            yield found
            cursor = found.next_cursor
            if cursor is None:
                return

    @asynccontextmanager
    async def _asking(self, what: str) -> AsyncIterator[Client]:
        """Give the client for one request, and word what goes wrong with it."""
        client = await self._connected()
        connection = self._connection
        try:
            yield client
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                await self._drop(connection)
            raise ServerFault(self._words(error, what)) from error
        except anyio.ClosedResourceError as error:
            await self._drop(connection)
            raise ServerFault(f"The connection to {self.name} broke.") from error
        except (ValidationError, RuntimeError) as error:
            raise ServerFault(f"The answer of {self.name} cannot be read.") from error

    def _words(self, error: MCPError, what: str) -> str:
        match error.code:
            case code if code == CONNECTION_CLOSED:
                return (
                    f"The connection to {self.name} broke when it was to {what}; whether it did is not known."
                )
            case code if code == REQUEST_TIMEOUT:
                limit = f"{self._link.timeout:g} s"
                return f"{self.name} did not {what} within {limit}; whether it still does is not known."
            case _:
                return f"{self.name} refused to {what}: {error.message}"

    async def _connected(self) -> Client:
        async with self._opening:
            if self._client is None:
                connection = Connection(self._link, self._changed, connect_timeout=self._connect_timeout)
                self._client = await connection.open()
                self._connection = connection
                if self._reached:
                    self._changed()
                self._reached = True
            return self._client

    async def _drop(self, connection: Connection | None) -> None:
        """Let go of a connection that broke, unless another one has taken its place already."""
        if connection is None:
            return
        if connection is self._connection:
            self._connection = self._client = None
        await connection.close()

    def _changed(self) -> None:
        self._revision += 1


def _meta(context: CallContext) -> Any:
    return {THREAD_KEY: context.thread_id} if context.thread_id else None


def _resource(found: Resource) -> ResourceSpec:
    return ResourceSpec(
        uri=str(found.uri), name=found.name, title=found.title or "", description=found.description or ""
    )


def _tool(tool: Tool) -> ToolSpec:
    """Describe a tool. One that says of itself that it destroys asks a person first."""
    hints = tool.annotations
    return ToolSpec(
        name=tool.name,
        description=tool.description or tool.title or "",
        parameters=tool.input_schema,
        asks=hints is not None and hints.destructive_hint is True,
    )


def _observation(result: CallToolResult) -> Observation:
    text = "\n".join(_text(block) for block in result.content)
    if not text and result.structured_content is not None:
        text = json.dumps(result.structured_content, ensure_ascii=False)
    return Observation(text, result.is_error, state=(result.meta or {}).get(STATE_KEY))


def _text(block: ContentBlock) -> str:
    """Give a piece of a result as text; of a picture or a sound a model is told only that there is one."""
    match block:
        case TextContent(text=text):
            return text
        case EmbeddedResource(resource=body):
            return _body(body)
        case ResourceLink(uri=uri):
            return f"[{uri}]"
        case _:
            return f"[{block.mime_type}]"


def _body(body: TextResourceContents | BlobResourceContents) -> str:
    return body.text if isinstance(body, TextResourceContents) else f"[{body.mime_type or 'binary'}]"
