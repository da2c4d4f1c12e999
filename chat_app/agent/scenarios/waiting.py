"""Turns that take their time: long pauses, silence for ever, and one that gives up by itself."""

import anyio

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import TurnCancelled

PAUSE = 3.0
SENTENCES = (
    "I am counting the spokes of every wheel in the shop.",
    "That is twenty-eight in the first.",
    "Thirty-two in the second, and one of them is loose.",
    "The third wheel is hidden behind the cargo bicycle.",
    "Found it. Thirty-six, all tight.",
    "The fourth is still in its box.",
    "I would rather not cut the tape, so I am counting by touch.",
    "Twenty-four, I think.",
    "Let me add them up.",
    "One hundred and twenty.",
)


async def play(turn: Turn) -> None:
    """Write a sentence, wait, and so on."""
    async with turn.message() as message:
        for sentence in SENTENCES:
            await message.stream(f"{sentence} ")
            await turn.pause(PAUSE)


async def play_silent(_turn: Turn) -> None:
    """Say nothing until someone stops the turn."""
    await anyio.sleep_forever()


async def play_give_up(turn: Turn) -> TurnCancelled:
    """Stop on purpose in the middle of a sentence."""
    async with turn.message() as message:
        await message.stream("I could go on about this, but ")
    return TurnCancelled()


SCENARIO = Scenario(
    id="slow",
    title="A slow answer, to try Stop",
    phrase="Give me a slow answer",
    cue=cue(r"\bslow\b"),
    play=play,
    shows="Long pauses inside one message",
)
SILENT = Scenario(
    id="silent",
    title="Silence until it is stopped",
    phrase="Say nothing",
    cue=cue(r"\bsay nothing\b|\bsilent\b|\bsilence\b"),
    play=play_silent,
    shows="Nothing but signs of life until the client stops it",
)
GIVE_UP = Scenario(
    id="give-up",
    title="A turn that stops itself",
    phrase="Give up",
    cue=cue(r"\bgive up\b"),
    play=play_give_up,
    shows="The cancelled outcome, chosen by the agent",
)
