"""Five hundred messages in one run, to see that a page stays quick with many rows."""

from typing import Final

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import WORD_PAUSE, Turn

MESSAGES: Final = 500


async def play(turn: Turn) -> None:
    """Send one short message after the other."""
    for number in range(1, MESSAGES + 1):
        async with turn.message() as message:
            await message.text(f"Wheel {number} of {MESSAGES}: trued.")
        await turn.pause(WORD_PAUSE)


SCENARIO = Scenario(
    id="chatter",
    title="Five hundred messages",
    phrase="Report every wheel on its own",
    cue=cue(r"\bevery wheel on its own\b|\b500 messages\b|\bfive hundred messages\b"),
    play=play,
    shows="Five hundred messages in one run",
)
