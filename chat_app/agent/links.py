"""Which tool servers there are: what a configuration says of each, and how the SDK that reaches them is loaded."""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol, TypeAlias

from chat_app.agent.servers import ToolServer

MODULE: Final = "chat_app.agent.mcp"
EXTRA: Final = "mcp"
TIMEOUT: Final = 60.0


class UnusableServers(ValueError):  # noqa: N818 - it is named for what was found
    """Tool servers are configured and cannot be used; the message says why and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioLink:
    """A server that is started here and spoken to over its standard input and output."""

    name: str
    command: str
    arguments: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = TIMEOUT


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpLink:
    """A server that is reached by streamable HTTP."""

    name: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    timeout: float = TIMEOUT


Link: TypeAlias = StdioLink | HttpLink


class ManagedServer(ToolServer, Protocol):
    """A tool server with a connection to let go of."""

    async def aclose(self) -> None:
        """Close the connection. The server is reached anew when it is asked again."""


def connect(links: Sequence[Link], *, module: str = MODULE) -> tuple[ManagedServer, ...]:
    """Make the servers, in the order of the configuration. Nobody is contacted before the first is asked.

    Raises:
        UnusableServers: the packages for tool servers are missing, or a name is used twice.
    """
    names = [link.name for link in links]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UnusableServers(f"Two tool servers are called {twice}.")
    if not links:
        return ()
    try:
        maker = importlib.import_module(module)
    except ImportError as error:
        raise UnusableServers(
            f"Tool servers need packages that are not installed: pip install '.[{EXTRA}]'."
        ) from error
    return tuple(maker.McpServer(link) for link in links)
