"""A call with a very big argument: a report of two hundred thousand characters, streamed into the call."""

from collections.abc import Iterator
from typing import Final

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import WORD_PAUSE, Turn
from chat_app.agent.turn_events import ToolStarted

TOOL: Final = "file_report"
SIZE: Final = 200_000
FRAGMENT: Final = 2_000
_LINE: Final = "Wheel {number:05d}: trued, spokes at 110 Nm, rim clean, no play in the hub.\n"


async def play(turn: Turn) -> None:
    """File the report and say how long it is."""
    text = report()
    arguments = compact_json({"title": "Wheels of the year", "text": text})
    async with turn.tool_call(TOOL) as call:
        for fragment in _fragments(arguments):
            await call.text(fragment)
            await turn.pause(WORD_PAUSE)
    await turn.emit(ToolStarted(call.id, TOOL, {"title": "Wheels of the year", "text": text}))
    await turn.answer(call.id, compact_json({"status": "filed", "characters": len(text)}))
    await turn.say(f"Filed: {len(text):,} characters about every wheel of the year.")


def report() -> str:
    """Give the report, exactly as long as it is meant to be."""
    lines = [_LINE.format(number=number) for number in range(SIZE // len(_LINE.format(number=0)) + 1)]
    return "".join(lines)[:SIZE]


def _fragments(text: str) -> Iterator[str]:
    return (text[start : start + FRAGMENT] for start in range(0, len(text), FRAGMENT))


SCENARIO = Scenario(
    id="report",
    title="A very big argument",
    phrase="File the report about every wheel",
    cue=cue(r"\bfile the report\b|\bbig argument\b"),
    play=play,
    shows="A call whose arguments are 200 kB, streamed",
)
