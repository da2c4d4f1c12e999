"""The line back, as it came: the shortest proof that every character survives the way."""

import re

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

_WISH = re.compile(r"^\s*echo\b[:,]? ?", re.IGNORECASE)


async def play(turn: Turn) -> None:
    """Say what stands after the word echo."""
    await turn.say(_WISH.sub("", turn.conversation.last_line, count=1) or "…")


SCENARIO = Scenario(
    id="echo",
    title="Your own words back",
    phrase="Echo: naïve café 🚲 — “quoted”",
    cue=cue(_WISH.pattern),
    play=play,
    shows="Every character of the line, unchanged",
)
