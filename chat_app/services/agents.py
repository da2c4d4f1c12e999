"""Which agent a thread talks to, and the connection to it.

One pool of connections serves every run of the process; sessions borrow it, and it is closed here.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from chat_app.agui import (
    FrontendTool,
    HttpTransport,
    Profile,
    Transport,
    profile_named,
    read_capabilities,
    trusted,
)
from chat_app.data import agents as agent_rows
from chat_app.data.db import Database
from chat_app.data.records import AgentRecord
from chat_app.services.addresses import PublicOnly
from chat_app.services.keyring import Keyring
from chat_app.services.rows import Suggestion

KINDS = ("image", "audio", "video", "pdf", "file")
ASK_SECONDS = 3.0
ASK_AGAIN = timedelta(minutes=1)
DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The agent named by settings: what people call it, where it is, and how to talk to it.

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


class Agents:
    """The configured agent and how to talk to it."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        endpoint: Endpoint,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        carry: Callable[[Transport], Transport] = lambda transport: transport,
        keyring: Keyring | None = None,
        private: bool = False,
    ) -> None:
        """Offer the agent at `endpoint`; `carry` puts the bytes of files into what is sent to it.

        Agents that people added have their headers from `keyring`, and are at public addresses unless `private` ones
        are allowed.
        """
        self._keyring = keyring or Keyring("")
        self._private = private
        self._added: httpx.AsyncClient | None = None
        self._carry = carry
        self._database = database
        self._endpoint = endpoint
        self._now = now
        self._new_id = new_id
        self._client: httpx.AsyncClient | None = None
        self._row: AgentRecord | None = None
        self._accepts: tuple[str, ...] | None = None
        self._ask_again = datetime.min.replace(tzinfo=UTC)

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

    async def accepted(self) -> tuple[str, ...]:
        """Return the kinds of files the agent takes: as settings say, else as it declares; undeclared is not taken.

        The protocol names no way to ask; where many agents tell (`GET <address>/capabilities`) is tried, and tried
        again a minute after it failed.
        """
        if self._endpoint.accepts is not None:
            return self._endpoint.accepts
        if self._accepts is None and self._now() >= self._ask_again:
            self._ask_again = self._now() + ASK_AGAIN
            self._accepts = await self._ask()
        return self._accepts or ()

    async def _ask(self) -> tuple[str, ...] | None:
        """Return what the agent declares to take; None when it could not be asked."""
        assert self._client is not None, "the agents were not started"
        address = f"{self._endpoint.url.rstrip('/')}/capabilities"
        try:
            answer = await self._client.get(
                address, headers=dict(self._endpoint.headers), timeout=ASK_SECONDS
            )
            declared = read_capabilities(answer.raise_for_status().json())
        except (httpx.HTTPError, ValueError):
            return None
        taken = (
            declared.multimodal.input if declared is not None and declared.multimodal is not None else None
        )
        return tuple(kind for kind in KINDS if getattr(taken, kind, None))

    async def start(self) -> None:
        """Bring the agent's row in line with the settings and open the pool."""
        self._row = await asyncio.to_thread(self._ensure)
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

    def peer(self, agent: AgentRecord) -> Peer:
        """Return a way to run an agent; silence is judged by its own limit where its policy names one.

        Raises:
            HeadersLost: its headers were stored under another key.
        """
        endpoint = self._endpoint
        transport = HttpTransport(
            endpoint.url if agent.builtin else agent.url,
            headers=self._headers_of(agent),
            connect_timeout=endpoint.connect_timeout,
            idle_limit=idle_limit_of(agent.policy, otherwise=endpoint.idle_limit),
            frame_cap=endpoint.frame_cap,
            client=self._client if agent.builtin else self._added,
        )
        profile = endpoint.profile if agent.builtin else agent.profile
        return Peer(self._carry(transport), profile_named(profile))

    async def declared(self, agent: AgentRecord) -> JsonValue:
        """Return what an agent says of itself at `/capabilities` below its address; None when it says nothing there."""
        client = self._client if agent.builtin else self._added
        assert client is not None, "the agents were not started"
        url = self._endpoint.url if agent.builtin else agent.url
        try:
            answer = await client.get(
                f"{url.rstrip('/')}/capabilities", headers=self._headers_of(agent), timeout=ASK_SECONDS
            )
            told: JsonValue = answer.raise_for_status().json()
        except (httpx.HTTPError, ValueError):
            return None
        return told

    def _headers_of(self, agent: AgentRecord) -> dict[str, str]:
        return (
            dict(self._endpoint.headers) if agent.builtin else self._keyring.opened(agent.headers_encrypted)
        )

    def _pool_of_added(self) -> httpx.AsyncClient:
        limits = httpx.Limits(max_connections=None, max_keepalive_connections=20)
        sending = httpx.AsyncHTTPTransport(verify=trusted(), limits=limits)
        return httpx.AsyncClient(
            transport=sending if self._private else PublicOnly(sending),
            timeout=httpx.Timeout(None, connect=self._endpoint.connect_timeout),
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
        )

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
