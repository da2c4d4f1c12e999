"""Memory across runs: what the person asked to keep stands in the shared state, where they can see and change it."""

import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

KEY: Final = "remembered"
_FACT: Final = re.compile(r"\bremember(?: that)?\b[:,]?\s*(?P<fact>.*)", re.IGNORECASE | re.DOTALL)
_ASKS: Final = re.compile(r"\bwhat\b.*\bremember\b|\bremember\b.*\?", re.IGNORECASE | re.DOTALL)


async def play(turn: Turn) -> None:
    """Keep a fact, or tell what is kept."""
    line = turn.conversation.last_line
    app = turn.conversation.app
    kept = facts_in(app)
    match = _FACT.search(line)
    fact = match["fact"].strip(" .") if match is not None and not _ASKS.search(line) else ""
    if fact and fact not in kept:
        kept = [*kept, fact]
        rest = dict(app) if isinstance(app, Mapping) else {}
        await turn.set_app_state({**rest, KEY: list[JsonValue](kept)})
    await turn.say(_words(fact, kept))


def facts_in(app: JsonValue) -> list[str]:
    """Give what is remembered in a client's state."""
    kept = app.get(KEY) if isinstance(app, Mapping) else None
    return [fact for fact in kept if isinstance(fact, str)] if isinstance(kept, list) else []


def _words(fact: str, kept: list[str]) -> str:
    if fact:
        return f"I will remember: {fact}."
    if not kept:
        return "You have not asked me to remember anything yet."
    return "What I remember:\n\n" + "\n".join(f"- {one}" for one in kept)


SCENARIO = Scenario(
    id="remember",
    title="Something to remember",
    phrase="Remember that I ride a 56 frame",
    cue=cue(r"\bremember\b"),
    play=play,
    shows="Facts kept in the shared state, which every later run carries",
    dojo="observational memory",
)
