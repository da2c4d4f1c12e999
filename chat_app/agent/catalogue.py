"""The tools a loop offers its model: what servers list, then the loop's own, then the reader of resources.

Who is asked for a call is kept apart from what is listed. Code that fills the routing never touches the loop's
own tools and the other way round, so that the class of a tool can be trusted (A14).
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from chat_app.agent.grants import Grant, permitted
from chat_app.agent.resources import READ_TOOL
from chat_app.agent.servers import ToolServer, ToolSpec

logger = logging.getLogger(__name__)


class ToolClass(StrEnum):
    """Who runs a tool: a server, or the loop itself."""

    MCP = "mcp"
    SELF_CONTROL = "self_control"


class CatalogueClash(ValueError):  # noqa: N818 - it is named for what happened
    """Two owners of different kinds offer a tool of the same name, so a call could mean either (C30)."""

    def __init__(self, tool: str, one: str, other: str) -> None:
        super().__init__(f"The tool {tool} is offered by {one} and by {other}; rename one of them.")


@dataclass(frozen=True, slots=True)
class Listing:
    """What the servers offer, in server order; of a name listed twice, the first server owns the calls (A7)."""

    tools: tuple[ToolSpec, ...]
    routing: Mapping[str, ToolServer]

    @classmethod
    async def ask(cls, servers: Sequence[ToolServer]) -> "Listing":
        """Ask every server.

        Raises:
            ServerFault: one cannot say what it offers (A17).
        """
        tools: list[ToolSpec] = []
        routing: dict[str, ToolServer] = {}
        for server in servers:
            for tool in await server.list_tools():
                tools.append(tool)
                if routing.setdefault(tool.name, server) is not server:
                    owner = routing[tool.name].name
                    logger.warning("%s also lists %s; calls go to %s.", server.name, tool.name, owner)
        return cls(tuple(tools), routing)


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The tools of one loop, narrowed to what its grants admit."""

    tools: tuple[ToolSpec, ...]
    routing: Mapping[str, ToolServer]

    @classmethod
    def build(
        cls, listing: Listing, own: Sequence[ToolSpec], *, readable: bool, grants: Sequence[Grant]
    ) -> "Catalogue":
        """Put the catalogue together and narrow list and routing alike, last of all (A19).

        Args:
            listing: What the servers offer.
            own: What the loop offers itself.
            readable: Whether there is anything for the reader of resources to read.
            grants: What may be called.

        Raises:
            CatalogueClash: a name of the loop's own is also a server's.
        """
        inside = (*own, READ_TOOL) if readable else tuple(own)
        for tool in inside:
            if tool.name in listing.routing:
                server = listing.routing[tool.name].name
                raise CatalogueClash(tool.name, f"the server {server}", "the agent itself")
        return cls(
            tuple(tool for tool in (*listing.tools, *inside) if permitted(grants, tool.name)),
            {name: server for name, server in listing.routing.items() if permitted(grants, name)},
        )

    def offered(self) -> tuple[ToolSpec, ...]:
        """Give each name once, as its owner describes it: what a model is told."""
        first: dict[str, ToolSpec] = {}
        for tool in self.tools:
            first.setdefault(tool.name, tool)
        return tuple(first.values())

    def spec(self, name: str) -> ToolSpec | None:
        """Give the description that a call by this name means; None for a name nobody offers."""
        return next((tool for tool in self.tools if tool.name == name), None)

    def tool_class(self, name: str) -> ToolClass:
        """Tell who runs a tool of the catalogue. A name that is not in it counts as the loop's own (A15)."""
        return ToolClass.MCP if name in self.routing else ToolClass.SELF_CONTROL
