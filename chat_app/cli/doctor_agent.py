"""The doctor's look at one agent: does it answer, let us in, run, stop and ask, and what is odd about its stream."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

import httpx
from pydantic import JsonValue

from chat_app.agui import AguiError, HttpTransport, profile_named, trusted
from chat_app.cli.doctor import Finding
from chat_app.services.agent_probe import LIMIT_S, Probe, Probed, Trial
from chat_app.services.agents import Endpoint
from chat_app.settings import Settings, SettingsError, with_agent_token
from chat_app.wiring import endpoint, endpoints

NAMES: Mapping[str, str] = {
    "reached": "agent: reached",
    "signed_in": "agent: let in",
    "declared": "agent: declares",
    "run": "agent: one run, start to end",
    "stop": "agent: a run is stopped",
    "asks": "agent: asks and goes on",
    "protocol": "agent: protocol",
}
SKIPPED: Mapping[str, str] = {
    "declared": "nothing at /capabilities, which is no fault",
    "asks": "not tried; give a line that makes it ask with --ask",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Patient:
    """The agent to look at: its address, the headers it is sent besides those of the settings, and a line it asks at.

    `limit` is how many seconds one run may take.
    """

    url: str
    headers: Sequence[str] = ()
    asking: str = ""
    limit: float = LIMIT_S


def examine_agent(settings: Settings, patient: Patient) -> tuple[Finding, ...]:
    """Return what each look at an agent found; a note does not make it unwell.

    What settings say of an agent, its headers and profile, is used for the agent at that address alone.
    """
    try:
        return asyncio.run(_examine(settings, patient))
    except (AguiError, SettingsError, ValueError) as trouble:
        return (Finding(NAMES["reached"], False, str(trouble)),)


async def _examine(settings: Settings, patient: Patient) -> tuple[Finding, ...]:
    own = _own(settings, patient.url)
    headers = _headers(own, patient)
    transport = HttpTransport(
        patient.url,
        headers=headers,
        connect_timeout=settings.connect_timeout,
        frame_cap=settings.frame_cap,
    )

    async def declared() -> JsonValue:
        return await read_declaration(patient.url, headers, within=settings.connect_timeout)

    async with transport:
        probe = Probe(
            transport,
            profile_named(own.profile if own is not None else settings.agent_profile),
            new_id=lambda: uuid4().hex,
            elapsed=time.monotonic,
            declared=declared,
        )
        found = await probe.look(Trial(asking=patient.asking, limit=patient.limit))
    return tuple(map(_finding, found))


async def read_declaration(url: str, headers: Mapping[str, str], *, within: float) -> JsonValue:
    """Return what an agent says of itself at `/capabilities` below its address; None when it says nothing there."""
    async with httpx.AsyncClient(verify=trusted(), timeout=within) as client:
        try:
            answer = await client.get(f"{url.rstrip('/')}/capabilities", headers=dict(headers))
            told: JsonValue = answer.json() if answer.is_success else None
        except (httpx.HTTPError, ValueError):
            return None
    return told


def _own(settings: Settings, url: str) -> Endpoint | None:
    """Return what settings say of the agent at an address; None when they name none there.

    Raises:
        SettingsError: the token of the embedded agent cannot be read.
    """
    first = endpoint(with_agent_token(settings)) if url == settings.agent_endpoint else None
    return first or next((one for one in endpoints(settings) if one.url == url), None)


def _headers(own: Endpoint | None, patient: Patient) -> dict[str, str]:
    """Return what the agent is sent.

    Raises:
        ValueError: a header has no colon.
    """
    known = dict(own.headers) if own is not None else {}
    for line in patient.headers:
        name, colon, value = line.partition(":")
        if not colon:
            raise ValueError('A header is written "Name: value".')
        known[name.strip()] = value.strip()
    return known


def _finding(found: Probed) -> Finding:
    told = ", ".join(part for part in (found.value, found.detail) if part)
    words = SKIPPED[found.check] if found.state == "skipped" else told or "yes"
    return Finding(NAMES[found.check], found.state != "bad", words)
