"""What agents say of themselves at `/capabilities` below their addresses.

The protocol names no way to ask; where many agents tell is tried. What an agent takes is kept until the agent is
changed, and asked for again a minute after it could not be had.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import httpx
from pydantic import JsonValue

from chat_app.agui import read_capabilities
from chat_app.data.records import AgentRecord

KINDS = ("image", "audio", "video", "pdf", "file")
ASK_SECONDS = 3.0
ASK_AGAIN = timedelta(minutes=1)

Ask = Callable[[AgentRecord], "Asking"]
"""Returns how an agent is asked."""


@dataclass(frozen=True, slots=True)
class Asking:
    """By what client an agent is asked, where, and with which headers."""

    client: httpx.AsyncClient
    url: str
    headers: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Kept:
    """What was found of an agent as it was when it had been `changed` last; `again` is when to ask anew."""

    changed: datetime
    accepts: tuple[str, ...] | None
    again: datetime


class Declarations:
    """Asks agents, and keeps what they take."""

    def __init__(self, ask: Ask, *, now: Callable[[], datetime]) -> None:
        """Ask as `ask` says."""
        self._ask = ask
        self._now = now
        self._kept: dict[str, _Kept] = {}

    async def of(self, agent: AgentRecord) -> JsonValue:
        """Return what an agent says of itself; None when it says nothing there."""
        asking = self._ask(agent)
        try:
            answer = await asking.client.get(
                f"{asking.url.rstrip('/')}/capabilities", headers=asking.headers, timeout=ASK_SECONDS
            )
            told: JsonValue = answer.raise_for_status().json()
        except (httpx.HTTPError, ValueError):
            return None
        return told

    async def accepted(self, agent: AgentRecord) -> tuple[str, ...]:
        """Return the kinds of files an agent declares to take; what it does not declare it does not take."""
        kept = self._kept.get(agent.id)
        if (
            kept is None
            or kept.changed != agent.updated
            or (kept.accepts is None and self._now() >= kept.again)
        ):
            again = self._now() + ASK_AGAIN
            self._kept[agent.id] = _Kept(
                agent.updated, None, again
            )  # who comes meanwhile does not ask as well
            kept = self._kept[agent.id] = _Kept(agent.updated, _taken(await self.of(agent)), again)
        return kept.accepts or ()


def _taken(told: JsonValue) -> tuple[str, ...] | None:
    """Return what is declared to be taken; None when nothing was heard."""
    if told is None:
        return None
    declared = read_capabilities(told)
    multimodal = declared.multimodal if declared is not None else None
    taken = multimodal.input if multimodal is not None else None
    return tuple(kind for kind in KINDS if getattr(taken, kind, None))
