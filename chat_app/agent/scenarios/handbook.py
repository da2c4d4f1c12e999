"""A very long answer, to see that a page stays quick: forty chapters, about a hundred thousand characters."""

from collections.abc import Iterator
from typing import Final

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import WORD_PAUSE, Turn

CHAPTERS: Final = 40
PARTS: Final = ("frame", "fork", "headset", "stem", "saddle", "pedals", "chain", "brakes", "hubs", "spokes")
STEPS: Final = ("Look", "Listen", "Feel", "Measure", "Write it down")


async def play(turn: Turn) -> None:
    """Write the handbook line by line."""
    async with turn.message() as message:
        for line in lines():
            await message.text(line)
            await turn.pause(WORD_PAUSE)


def lines() -> Iterator[str]:
    """Give the handbook's lines, each with its line end."""
    yield "# The workshop handbook\n\n"
    for number in range(1, CHAPTERS + 1):
        yield from _chapter(number, PARTS[(number - 1) % len(PARTS)])


def _chapter(number: int, part: str) -> Iterator[str]:
    yield f"## {number}. The {part}, {'again' if number > len(PARTS) else 'for the first time'}\n\n"
    for step in STEPS:
        yield (
            f"**{step}.** Take the {part} in both hands and give it the time it asks for. A {part} that is well "
            "tells you so at once; one that is not tells you a little later, and usually far from home. "
            f"Never do two things to a {part} at the same time, or you will not know which of them helped.\n\n"
        )
    yield f"| Check | {part.capitalize()} | Limit |\n| --- | --- | --- |\n"
    for check in range(1, 13):
        yield f"| {number}.{check} | turn {check}, then turn back | {check * 5} Nm at most, {check} mm of play |\n"
    yield f"\n```text\n{part}: checked by ______ on ______, chapter {number}\n```\n\n"


SCENARIO = Scenario(
    id="handbook",
    title="A very long answer",
    phrase="Write the whole handbook",
    cue=cue(r"\bhandbook\b|\bvery long\b"),
    play=play,
    shows="Forty chapters in one message",
)
