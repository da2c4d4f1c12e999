"""One tool three times at once: three calls open together, answered in the order 2, 3, 1."""

from contextlib import AsyncExitStack
from typing import Final

from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.scenarios.lookup import TOOL, look_up
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import ToolStarted

NUMBERS: Final = ("T-1042", "T-1077", "T-2000")
ORDER: Final = (1, 2, 0)


async def play(turn: Turn) -> None:
    """Look three orders up side by side; one of them does not exist."""
    async with AsyncExitStack() as calls:
        made = [await calls.enter_async_context(turn.tool_call(TOOL)) for _ in NUMBERS]
        for call, number in zip(made, NUMBERS, strict=True):
            await call.text(compact_json({"order": number}))
    for call, number in zip(made, NUMBERS, strict=True):
        await turn.emit(ToolStarted(call.id, TOOL, {"order": number}))
    for at in ORDER:
        await turn.answer(made[at].id, await look_up(turn, NUMBERS[at]))
    await turn.say("Two of the three orders exist; there is no T-2000.")


SCENARIO = Scenario(
    id="trio",
    title="One tool three times",
    phrase="Check three orders at once",
    cue=cue(r"\bthree orders\b"),
    play=play,
    shows="Three parallel calls of one tool, answered out of order, one with an error in its result",
)
