"""Which agents there are, and the connections to them: those that settings name, and those that people added.

Threads keep the id of their agent. Its row is read from SQL whenever it is needed, so what an admin changes holds in
every process from the next run on. One pool of connections serves the agents of the settings, one those of people;
sessions borrow them, and they are closed here.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx
from ag_ui.core import RunAgentInput
from pydantic import JsonValue

from chat_app.agui import (
    ConnectFailed,
    Frame,
    FrontendTool,
    HttpTransport,
    Profile,
    Transport,
    profile_named,
    trusted,
)
from chat_app.data import agents as agent_rows
from chat_app.data.db import Database
from chat_app.data.records import AgentRecord
from chat_app.services.addresses import PublicOnly
from chat_app.services.declaring import Asking, Declarations
from chat_app.services.keyring import Keyring
from chat_app.services.problems import AgentGone, HeadersLost
from chat_app.services.rows import Suggestion
from chat_app.tools import offered

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An agent named by settings: what people call it, where it is, and how to talk to it.

    `accepts` are the kinds of files it takes (image, audio, video, pdf, file); None: what it declares.
    `headers` may hold secrets; they are never stored, shown or logged. Times in seconds, `frame_cap` in bytes.
    """

    name: str
    url: str
    profile: str
    suggestions: tuple[Suggestion, ...] = ()
    accepts: tuple[str, ...] | None = None
    headers: Mapping[str, str]
    connect_timeout: float
    idle_limit: float | None
    frame_cap: int


@dataclass(frozen=True, slots=True)
class Peer:
    """How a session talks to an agent: over what, how strictly its stream is judged, and what it is offered."""

    transport: Transport
    profile: Profile
    tools: tuple[FrontendTool, ...] = ()


def idle_limit_of(policy: JsonValue, *, otherwise: float | None) -> float | None:
    """Return after how many seconds of silence a run of an agent is given up; None: never.

    The agent's policy may say so as `{"idle_limit": seconds}`, or null for never; `otherwise` holds when it does not.

    >>> idle_limit_of({"idle_limit": 30}, otherwise=None), idle_limit_of({}, otherwise=5.0)
    (30.0, 5.0)
    """
    if not isinstance(policy, dict) or "idle_limit" not in policy:
        return otherwise
    limit = policy["idle_limit"]
    usable = isinstance(limit, int | float) and not isinstance(limit, bool) and limit > 0
    return float(limit) if usable else (None if limit is None else otherwise)  # type: ignore[arg-type]


class Shut:
    """A transport to an agent that cannot be talked to: every run over it fails for the same reason."""

    def __init__(self, why: str) -> None:
        """Fail because of `why`, which people read."""
        self._why = why

    def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Return frames that never come."""
        del run_input
        return self

    def __aiter__(self) -> AsyncIterator[Frame]:
        """Return the frames."""
        return self

    async def __anext__(self) -> Frame:
        """Fail.

        Raises:
            ConnectFailed: always.
        """
        raise ConnectFailed(self._why)


class Agents:
    """Every agent, and how to talk to it."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        endpoint: Endpoint,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        others: Sequence[Endpoint] = (),
        carry: Callable[[Transport], Transport] = lambda transport: transport,
        keyring: Keyring | None = None,
        private: bool = False,
    ) -> None:
        """Offer the agents at `endpoint`, the first one, and at `others`; `carry` puts files into what is sent.

        Agents that people added have their headers from `keyring`, and are at public addresses unless `private` ones
        are allowed.
        """
        self._keyring = keyring or Keyring("")
        self._private = private
        self._added: httpx.AsyncClient | None = None
        self._carry = carry
        self._database = database
        self._endpoint = endpoint
        self._named = (endpoint, *others)
        self._now = now
        self._new_id = new_id
        self._client: httpx.AsyncClient | None = None
        self._rows: tuple[AgentRecord, ...] = ()
        self._places: dict[str, Endpoint] = {}
        self._declarations = Declarations(self._asked, now=now)

    @property
    def default_name(self) -> str:
        """What people call the first agent of the settings."""
        return self._endpoint.name

    @property
    def default_id(self) -> str:
        """The row of the first agent of the settings.

        Raises:
            RuntimeError: `start` was not awaited.
        """
        if not self._rows:
            raise RuntimeError("the agents were not started")
        return self._rows[0].id

    async def start(self) -> None:
        """Bring the rows of the agents in line with the settings and open the pools."""
        self._rows = await asyncio.to_thread(self._ensure)
        self._places = {row.id: place for row, place in zip(self._rows, self._named, strict=True)}
        self._client = httpx.AsyncClient(
            verify=trusted(),
            timeout=httpx.Timeout(None, connect=self._endpoint.connect_timeout),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=20),
        )
        self._added = self._pool_of_added()

    async def stop(self) -> None:
        """Close the pools."""
        for client in (self._client, self._added):
            if client is not None:
                await client.aclose()

    # ------------------------------------------------------------ talking

    def peer(self, agent: AgentRecord) -> Peer:
        """Return a way to run an agent; silence is judged by its own limit where its policy names one.

        Raises:
            HeadersLost: its headers were stored under another key.
            AgentGone: settings named it once, and do not any more.
        """
        place = self._place_of(agent)
        transport = HttpTransport(
            place.url,
            headers=place.headers,
            connect_timeout=place.connect_timeout,
            idle_limit=idle_limit_of(agent.policy, otherwise=place.idle_limit),
            frame_cap=place.frame_cap,
            client=self._pool_of(agent),
        )
        tools = offered(agent.tools, self._now)
        return Peer(self._carry(transport), profile_named(place.profile), tools)

    def reach(self, agent: AgentRecord) -> Peer:
        """Return a way to run an agent; one that cannot be talked to says so when it is run."""
        try:
            return self.peer(agent)
        except (HeadersLost, AgentGone) as error:
            why = f"{error.problem.title}. {error.problem.told}"
            return Peer(Shut(why), profile_named(agent.profile), offered(agent.tools, self._now))

    # ------------------------------------------------------------ what is known of them

    def suggestions_of(self, agent: AgentRecord) -> tuple[Suggestion, ...]:
        """Return lines that an agent is known to understand: those an admin wrote, else those of the settings."""
        if agent.suggestions:
            return tuple(Suggestion(line, line) for line in agent.suggestions)
        place = self._places.get(agent.id)
        return place.suggestions if place is not None else ()

    async def accepted(self, agent: AgentRecord) -> tuple[str, ...]:
        """Return the kinds of files an agent takes: as settings say, else as it declares; undeclared is not taken."""
        place = self._places.get(agent.id)
        if place is not None and place.accepts is not None:
            return place.accepts
        try:
            return await self._declarations.accepted(agent)
        except (HeadersLost, AgentGone):
            return ()

    async def declared(self, agent: AgentRecord) -> JsonValue:
        """Return what an agent says of itself at `/capabilities` below its address; None when it says nothing there.

        Raises:
            HeadersLost, AgentGone: as for `peer`.
        """
        return await self._declarations.of(agent)

    async def reached(self) -> dict[str, bool]:
        """Return of each agent of the settings, by name, whether something listens where it should be."""
        found = await asyncio.gather(*map(_listens, self._named))
        return {place.name: one for place, one in zip(self._named, found, strict=True)}

    def _asked(self, agent: AgentRecord) -> Asking:
        place = self._place_of(agent)
        return Asking(self._pool_of(agent), place.url, dict(place.headers))

    def _place_of(self, agent: AgentRecord) -> Endpoint:
        if agent.builtin:
            place = self._places.get(agent.id)
            if place is None:
                raise AgentGone
            return place
        headers = self._keyring.opened(agent.headers_encrypted)
        return replace(self._endpoint, url=agent.url, profile=agent.profile, headers=headers)

    def _pool_of(self, agent: AgentRecord) -> httpx.AsyncClient:
        client = self._client if agent.builtin else self._added
        assert client is not None, "the agents were not started"
        return client

    def _pool_of_added(self) -> httpx.AsyncClient:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        sending = httpx.AsyncHTTPTransport(verify=trusted(), limits=limits)
        return httpx.AsyncClient(
            transport=sending if self._private else PublicOnly(sending),
            timeout=httpx.Timeout(None, connect=self._endpoint.connect_timeout),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
        )

    # ------------------------------------------------------------ rows

    def _ensure(self) -> tuple[AgentRecord, ...]:
        named = [place.name for place in self._named]
        with self._database.transaction() as session:
            wanted = [self._row_of(place) for place in self._named]
            for row in wanted:
                agent_rows.rename_builtin(session, row, named=named)
            rows = tuple(agent_rows.ensure_builtin(session, row) for row in wanted)
            agent_rows.drop_builtin(session, named=named)
        return rows

    def _row_of(self, place: Endpoint) -> AgentRecord:
        now = self._now()
        return AgentRecord(
            id=self._new_id(),
            name=place.name,
            url=place.url,
            profile=place.profile,
            builtin=True,
            created=now,
            updated=now,
        )


async def _listens(place: Endpoint) -> bool:
    parts = urlsplit(place.url)
    port = parts.port or DEFAULT_PORTS[parts.scheme]
    try:
        async with asyncio.timeout(place.connect_timeout):
            _, writer = await asyncio.open_connection(parts.hostname, port)
    except OSError:
        return False
    writer.close()
    return True
