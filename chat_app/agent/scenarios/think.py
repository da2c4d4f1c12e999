"""Thoughts before an answer."""

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

THOUGHTS = (
    "The wheel of order T-1042 left the workshop true: the test sheet says so, to half a millimetre.\n\n"
    "Two broken spokes, both on the drive side, both at the bend. Broken by a blow they would be bent along "
    "their length. These are not.\n\n"
    "So the force came from the side, slowly: something heavy lay on the box. The sorting centre stacks flat "
    "boxes; our label says which side is up, but only on one face."
)
ANSWER = (
    "Most likely the box was **stacked lying flat** and something heavy stood on it.\n\n"
    "- Both broken spokes are on the same side, at the bend, otherwise straight. A blow would bend them.\n"
    "- The wheel was true when it left us.\n"
    "- Our label shows *this side up* on one face only, so a flat box hides it.\n\n"
    "I would print the label on two faces, and claim this one from the carrier."
)


async def play(turn: Turn) -> None:
    """Think, then answer."""
    async with turn.reasoning() as thoughts:
        await thoughts.stream(THOUGHTS)
    await turn.say(ANSWER)


SCENARIO = Scenario(
    id="think",
    title="Thinking first",
    phrase="Think about why order T-1042 arrived damaged",
    cue=cue(r"\bthink\b|\breason(ing)?\b|\bwhy\b"),
    play=play,
    shows="Reasoning before the text",
    dojo="reasoning",
)
