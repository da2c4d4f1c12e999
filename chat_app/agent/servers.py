"""What a loop asks of a tool server, whatever it is reached by."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from pydantic import JsonValue

NO_ARGUMENTS: Final[Mapping[str, JsonValue]] = {"type": "object", "properties": {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """A tool as its owner describes it.

    Attributes:
        parameters: The JSON Schema of its arguments.
        asks: True when a person decides each call before it runs.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, JsonValue] = field(default_factory=lambda: NO_ARGUMENTS)
    asks: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceSpec:
    """A resource as its owner lists it. The body is not in it: listing is cheap, reading is asked for (A9)."""

    uri: str
    name: str = ""
    title: str = ""
    description: str = ""

    @property
    def label(self) -> str:
        """What a person would call it; empty when its owner says nothing."""
        return self.title or self.name or self.description


@dataclass(frozen=True, slots=True)
class Observation:
    """What a call gave, for the model to go on with. Trouble is an observation too (A36).

    Attributes:
        state: What the server wants everybody to see of it now; None when it says nothing.
        scheduled: What was put off to later, in words.
        subscriptions: What the loop wants to be told about.
        tokens: What a nested loop spent on it; it counts against the bounds of the turn around it.
    """

    text: str
    is_error: bool = False
    state: JsonValue = None
    scheduled: tuple[str, ...] = ()
    subscriptions: tuple[str, ...] = ()
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class CallContext:
    """On whose behalf a server is asked. One server serves many threads and keeps them apart by this."""

    thread_id: str = ""


class ServerFault(Exception):  # noqa: N818 - it is named for what happened
    """A server could not be reached or refused; the message says so in words a model and a person can use."""


class ToolServer(Protocol):
    """Offers tools and resources. One object serves every loop of the process."""

    @property
    def name(self) -> str:
        """What the configuration calls it."""

    @property
    def revision(self) -> int:
        """Grows whenever the server says that its list of tools changed."""

    async def list_tools(self) -> Sequence[ToolSpec]:
        """Give the tools in the server's order.

        Raises:
            ServerFault: it cannot say.
        """

    async def list_resources(self) -> Sequence[ResourceSpec]:
        """Give the resources in the server's order.

        Raises:
            ServerFault: it cannot say, or has no notion of resources.
        """

    async def call_tool(
        self, name: str, arguments: Mapping[str, JsonValue], *, context: CallContext
    ) -> Observation:
        """Run a tool. Its own trouble is in the observation.

        Raises:
            ServerFault: the server cannot be reached or does not answer in time.
        """

    async def read_resource(self, uri: str, *, context: CallContext) -> str:
        """Give a resource's text.

        Raises:
            ServerFault: the server does not have it or cannot be reached.
        """
