"""Small talk: what is said to a line that asks for nothing else, with a list of what can be asked."""

from collections.abc import Sequence

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

GREETING = (
    "Hello! I am the agent that comes with Parley. I follow a script and need no key, so I only know a few "
    "things, but I really do them over AG-UI. Try one of these:"
)
HINTS = (
    "Add *quickly* or *slowly* to change my pace. Refund *both* orders to decide two things at once, or ask "
    "for a refund *within 30 seconds* to see a question expire."
)


def small_talk(menu: Sequence[Scenario]) -> Scenario:
    """Make the scenario that offers this menu."""
    text = "\n".join([GREETING, "", *(f"- **{entry.phrase}** ({entry.title})" for entry in menu), "", HINTS])

    async def play(turn: Turn) -> None:
        await turn.say(text)

    return Scenario(
        id="talk",
        title="What I can do",
        phrase="Hello",
        cue=cue(r"\bhello\b"),
        play=play,
        shows="A message, and the list of everything else",
        dojo="agentic chat",
    )
