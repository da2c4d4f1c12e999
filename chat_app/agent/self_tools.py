"""The loop's own tools: who supplies them, and how a call of one is answered, now or by somebody else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from pydantic import JsonValue

from chat_app.agent.budget import Budget
from chat_app.agent.catalogue import CatalogueClash
from chat_app.agent.grants import Grant
from chat_app.agent.servers import Observation, ServerFault, ToolSpec
from chat_app.agent.transcript import ToolCall


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """The call is answered by somebody outside the process, in a later turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """The call that a self-tool is asked to do, and what the loop around it allows.

    Attributes:
        remaining: What is left of the turn's budget.
        grants: What the loop may call; whatever the tool starts may call no more.
        model: The model the turn is worked with.
    """

    call: ToolCall
    arguments: Mapping[str, JsonValue]
    remaining: Budget
    grants: Sequence[Grant]
    model: str


SelfResult: TypeAlias = Observation | Elsewhere


class SelfHandler(Protocol):
    """Supplies the loop's own tools and resources, and runs them."""

    def tools(self) -> Sequence[ToolSpec]:
        """Give the tools, in order."""

    @property
    def has_resources(self) -> bool:
        """Whether there are resources of its own, so that the tool that reads them is offered (A4)."""

    async def call(self, doing: Doing) -> SelfResult:
        """Do one of its tools.

        Raises:
            ServerFault: it cannot be done; the model is told in these words.
        """

    async def read(self, uri: str) -> str | None:
        """Give the text of a resource of its own; None for any other URI.

        Raises:
            ServerFault: it cannot be read.
        """


class NoSelfTools:
    """A handler of a loop that has no tools of its own."""

    has_resources = False

    def tools(self) -> Sequence[ToolSpec]:
        """Give nothing."""
        return ()

    async def call(self, doing: Doing) -> SelfResult:
        """Refuse: there is nothing to do."""
        raise ServerFault(f"There is no tool {doing.call.name}.")

    async def read(self, uri: str) -> str | None:
        """Own no resource."""
        del uri
        return None


class ClientTools(NoSelfTools):
    """Tools that whoever asked for the turn runs: a call of one ends the turn and waits for the answer."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._tools = tuple(tools)

    def tools(self) -> Sequence[ToolSpec]:
        """Give the client's tools."""
        return self._tools

    async def call(self, doing: Doing) -> SelfResult:
        """Leave the call to the client."""
        del doing
        return Elsewhere()


class Handlers:
    """Several handlers as one: a call goes to the one that lists the tool.

    Raises:
        CatalogueClash: two of them list a tool of the same name.
    """

    def __init__(self, handlers: Mapping[str, SelfHandler]) -> None:
        self._handlers = tuple(handlers.values())
        self._owners: dict[str, SelfHandler] = {}
        names: dict[str, str] = {}
        for label, handler in handlers.items():
            for tool in handler.tools():
                if tool.name in names:
                    raise CatalogueClash(tool.name, names[tool.name], label)
                names[tool.name] = label
                self._owners[tool.name] = handler

    @property
    def has_resources(self) -> bool:
        """Whether any of them has resources."""
        return any(handler.has_resources for handler in self._handlers)

    def tools(self) -> Sequence[ToolSpec]:
        """Give the tools of all, in order."""
        return [tool for handler in self._handlers for tool in handler.tools()]

    async def call(self, doing: Doing) -> SelfResult:
        """Hand the call to its owner."""
        owner = self._owners.get(doing.call.name)
        if owner is None:
            raise ServerFault(f"There is no tool {doing.call.name}.")
        return await owner.call(doing)

    async def read(self, uri: str) -> str | None:
        """Give the text of the first that owns the URI."""
        for handler in self._handlers:
            if (text := await handler.read(uri)) is not None:
                return text
        return None
