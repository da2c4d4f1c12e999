"""A document that grows while its tool call is still being written: predictive state."""

from pydantic import JsonValue

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import FRAGMENT, WORD_PAUSE, Turn
from chat_app.agent.turn_events import Signal, ToolStarted

TOOL = "write_document"
ARGUMENT = "document"
PREDICT = "PredictState"
"""The CUSTOM event that tells a page which argument of which tool is which part of the state, ahead of time."""

TEXT = """\
Dear Ines,

your wheel left us true, and it arrived with two broken spokes. That is not the ride you ordered, and it is \
not your fault: the box lay flat under something heavy.

A new wheel goes out tomorrow, upright this time and marked on both faces. Please keep the old one until \
the carrier has seen it.

Ride well,
the workshop
"""


async def play(turn: Turn) -> None:
    """Announce what is being written, write it, then make it the state."""
    predicted: dict[str, JsonValue] = {"state_key": ARGUMENT, "tool": TOOL, "tool_argument": ARGUMENT}
    await turn.emit(Signal(PREDICT, [predicted]))
    async with turn.tool_call(TOOL) as call:
        text = compact_json({ARGUMENT: TEXT})
        for start in range(0, len(text), FRAGMENT):
            await call.text(text[start : start + FRAGMENT])
            await turn.pause(WORD_PAUSE)
    await turn.emit(ToolStarted(call.id, TOOL, {ARGUMENT: TEXT}))
    await turn.set_app_state({ARGUMENT: TEXT})
    await turn.answer(call.id, "The document was written.")
    await turn.say("The reply is drafted. Change it as you like; it goes out only when you send it.")


SCENARIO = Scenario(
    id="draft",
    title="A letter that grows as it is written",
    phrase="Draft a reply to Ines",
    cue=cue(r"\bdraft\b"),
    play=play,
    shows="Streamed arguments announced as state before the call is whole, then the state itself",
    dojo="predictive state updates",
)
