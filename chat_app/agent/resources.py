"""Which resources there are, and the one tool that reads them (A5, A9, A18)."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from pydantic import JsonValue

from chat_app.agent.servers import CallContext, Observation, ResourceSpec, ServerFault, ToolServer, ToolSpec

logger = logging.getLogger(__name__)

RESOURCE_READ: Final = "resource.read"
NOTE_LIMIT: Final = 50
READ_TOOL: Final = ToolSpec(
    name=RESOURCE_READ,
    description="Read the text of a resource by its URI.",
    parameters={
        "type": "object",
        "properties": {"uri": {"type": "string", "description": "The URI, as listed."}},
        "required": ["uri"],
    },
)


class ResourceReader(Protocol):
    """Reads resources of a scheme of its own, ahead of every server."""

    async def read(self, uri: str) -> str | None:
        """Give the text; None when the URI is not one of its own.

        Raises:
            ServerFault: it is one of its own and cannot be read.
        """


@dataclass(frozen=True, slots=True)
class ResourceMap:
    """Every listed resource with the first server that lists it."""

    owned: tuple[tuple[ResourceSpec, ToolServer], ...] = ()

    @classmethod
    async def survey(cls, servers: Sequence[ToolServer]) -> "ResourceMap":
        """Ask every server for its list; one that cannot say is skipped (A17)."""
        found: dict[str, tuple[ResourceSpec, ToolServer]] = {}
        for server in servers:
            for resource in await _listed(server):
                found.setdefault(resource.uri, (resource, server))
        return cls(tuple(found.values()))

    def __len__(self) -> int:
        return len(self.owned)

    def note(self) -> str:
        """Tell a model what there is: URI and label, never a body; empty when there is nothing."""
        if not self.owned:
            return ""
        lines = [_line(resource) for resource, _server in self.owned[:NOTE_LIMIT]]
        if len(self.owned) > NOTE_LIMIT:
            lines.append(f"… and {len(self.owned) - NOTE_LIMIT} more that are not listed here")
        return f"These resources can be read with {RESOURCE_READ}:\n" + "\n".join(lines)

    def owner(self, uri: str) -> ToolServer | None:
        """Give the server that lists the URI first."""
        return next((server for resource, server in self.owned if resource.uri == uri), None)


async def read_resource(
    arguments: Mapping[str, JsonValue],
    resources: ResourceMap,
    servers: Sequence[ToolServer],
    *,
    reader: ResourceReader,
    context: CallContext,
) -> Observation:
    """Answer a call of :data:`RESOURCE_READ`.

    The loop's own reader is asked first, then the owner; of a URI nobody lists, every server in turn.
    """
    uri = arguments.get("uri")
    if not isinstance(uri, str) or not uri:
        return Observation(f"{RESOURCE_READ} needs the URI of a resource as `uri`.", is_error=True)
    try:
        own = await reader.read(uri)
    except ServerFault as fault:
        return Observation(str(fault), is_error=True)
    if own is not None:
        return Observation(own)
    owner = resources.owner(uri)
    return await _first_answer(uri, [owner] if owner is not None else servers, context)


async def _first_answer(uri: str, servers: Sequence[ToolServer], context: CallContext) -> Observation:
    faults = []
    for server in servers:
        try:
            return Observation(await server.read_resource(uri, context=context))
        except ServerFault as fault:
            faults.append(str(fault))
    because = f" {faults[-1]}" if faults else ""
    return Observation(f"Nobody can read the resource {uri}.{because}", is_error=True)


async def _listed(server: ToolServer) -> Sequence[ResourceSpec]:
    try:
        return await server.list_resources()
    except ServerFault as fault:
        logger.info("The resources of %s are not listed: %s", server.name, fault)
        return ()


def _line(resource: ResourceSpec) -> str:
    return f"- {resource.uri}: {resource.label}" if resource.label else f"- {resource.uri}"
