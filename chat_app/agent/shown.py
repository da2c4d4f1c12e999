"""A tool server as one turn sees it: what it shows of itself goes into the state everybody sees."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import JsonValue

from chat_app.agent.grants import Grant
from chat_app.agent.servers import CallContext, Observation, ResourceSpec, ToolServer, ToolSpec


@dataclass(frozen=True, slots=True)
class ShownServer:
    """A server around a server.

    Attributes:
        server: Does the work.
        asks: Patterns of tools that a person decides on, beside those that say so themselves.
        show: Told the server's name and what it wants everybody to see.
    """

    server: ToolServer
    asks: Grant
    show: Callable[[str, JsonValue], Awaitable[None]]

    @property
    def name(self) -> str:
        """What the configuration calls it."""
        return self.server.name

    @property
    def revision(self) -> int:
        """Grows whenever the server says that its list of tools changed."""
        return self.server.revision

    async def list_tools(self) -> Sequence[ToolSpec]:
        """Give the tools, marked with who decides on them."""
        tools = await self.server.list_tools()
        return [replace(tool, asks=tool.asks or self.asks.admits(tool.name)) for tool in tools]

    async def list_resources(self) -> Sequence[ResourceSpec]:
        """Give the resources."""
        return await self.server.list_resources()

    async def call_tool(
        self, name: str, arguments: Mapping[str, JsonValue], *, context: CallContext
    ) -> Observation:
        """Run a tool and show what the server wants seen."""
        observation = await self.server.call_tool(name, arguments, context=context)
        if observation.state is not None:
            await self.show(self.name, observation.state)
        return observation

    async def read_resource(self, uri: str, *, context: CallContext) -> str:
        """Give a resource's text."""
        return await self.server.read_resource(uri, context=context)
