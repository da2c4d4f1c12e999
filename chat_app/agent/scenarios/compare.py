"""Two calls at once: their arguments arrive interleaved, their results in the other order."""

from chat_app.agent.orders import ORDERS
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.scenarios.lookup import TOOL, look_up
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import ToolStarted


async def play(turn: Turn) -> None:
    """Look both orders up side by side."""
    one, two = (order.number for order in ORDERS)
    async with turn.tool_call(TOOL) as first, turn.tool_call(TOOL) as second:
        for here, there in zip(compact_json({"order": one}), compact_json({"order": two}), strict=True):
            await first.text(here)
            await second.text(there)
    await turn.emit(ToolStarted(first.id, TOOL, {"order": one}))
    await turn.emit(ToolStarted(second.id, TOOL, {"order": two}))
    await turn.answer(second.id, await look_up(turn, two))
    await turn.answer(first.id, await look_up(turn, one))
    rows = "\n".join(f"| {order.number} | {order.item} | {order.status} |" for order in ORDERS)
    await turn.say(f"| Order | Item | Status |\n| --- | --- | --- |\n{rows}\n")


SCENARIO = Scenario(
    id="compare",
    title="Two look-ups at once",
    phrase="Compare both orders",
    cue=cue(r"\bcompare\b"),
    play=play,
    shows="Parallel calls, their arguments interleaved, their results in the other order",
)
