"""Which agent a thread talks to, and the connection to it.

One pool of connections serves every run of the process; sessions borrow it, and it is closed here.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlsplit

import httpx

from chat_app.agui import HttpTransport, Profile, Transport, profile_named
from chat_app.data import agents as agent_rows
from chat_app.data.db import Database
from chat_app.data.records import AgentRecord
from chat_app.services.rows import Suggestion

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The agent named by settings: what people call it, where it is, and how to talk to it.

    `headers` may hold secrets; they are never stored, shown or logged. Times in seconds, `frame_cap` in bytes.
    """

    name: str
    url: str
    profile: str
    suggestions: tuple[Suggestion, ...] = ()
    headers: Mapping[str, str]
    connect_timeout: float
    idle_limit: float | None
    frame_cap: int


@dataclass(frozen=True, slots=True)
class Peer:
    """How a session talks to an agent: over what, and how strictly its stream is judged."""

    transport: Transport
    profile: Profile


class Agents:
    """The configured agent and how to talk to it."""

    def __init__(
        self,
        database: Database,
        endpoint: Endpoint,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """Offer the agent at `endpoint`."""
        self._database = database
        self._endpoint = endpoint
        self._now = now
        self._new_id = new_id
        self._client: httpx.AsyncClient | None = None
        self._row: AgentRecord | None = None

    @property
    def default_name(self) -> str:
        """What people call the agent that new threads talk to."""
        return self._endpoint.name

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """Lines that the agent is known to understand; none for an agent of somebody else."""
        return self._endpoint.suggestions

    @property
    def default_id(self) -> str:
        """The row of the agent that new threads talk to.

        Raises:
            RuntimeError: `start` was not awaited.
        """
        if self._row is None:
            raise RuntimeError("the agents were not started")
        return self._row.id

    async def start(self) -> None:
        """Bring the agent's row in line with the settings and open the pool."""
        self._row = await asyncio.to_thread(self._ensure)
        self._client = httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=self._endpoint.connect_timeout),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
        )

    async def stop(self) -> None:
        """Close the pool."""
        if self._client is not None:
            await self._client.aclose()

    def peer(self) -> Peer:
        """Return a way to run the configured agent."""
        endpoint = self._endpoint
        transport = HttpTransport(
            endpoint.url,
            headers=endpoint.headers,
            connect_timeout=endpoint.connect_timeout,
            idle_limit=endpoint.idle_limit,
            frame_cap=endpoint.frame_cap,
            client=self._client,
        )
        return Peer(transport, profile_named(endpoint.profile))

    async def reached(self) -> dict[str, bool]:
        """Return of each agent, by name, whether something listens where it should be."""
        place = urlsplit(self._endpoint.url)
        port = place.port or DEFAULT_PORTS[place.scheme]
        try:
            async with asyncio.timeout(self._endpoint.connect_timeout):
                _, writer = await asyncio.open_connection(place.hostname, port)
        except OSError:
            return {self._endpoint.name: False}
        writer.close()
        return {self._endpoint.name: True}

    def _ensure(self) -> AgentRecord:
        now = self._now()
        wanted = AgentRecord(
            id=self._new_id(),
            name=self._endpoint.name,
            url=self._endpoint.url,
            profile=self._endpoint.profile,
            builtin=True,
            created=now,
            updated=now,
        )
        with self._database.transaction() as session:
            return agent_rows.ensure_builtin(session, wanted)
