"""A tool of the agent's own: arguments streamed, a result, then an answer that uses it."""

from chat_app.agent.orders import find_order, numbers_in
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.sse import compact_json
from chat_app.agent.turn import Turn

TOOL = "look_up_order"
LOOKING = 0.8


async def play(turn: Turn) -> None:
    """Look one order up and say where it is."""
    number = next(iter(numbers_in(turn.conversation.last_line)), "T-1042")
    if not turn.answers_to(TOOL):
        await turn.say("Let me look that up.")
        await turn.run_tool(TOOL, {"order": number}, lambda: look_up(turn, number))
    await turn.say(answer(number))


async def look_up(turn: Turn, number: str) -> str:
    """Give what the order book says, as the tool's JSON result."""
    await turn.pause(LOOKING)
    order = find_order(number)
    return compact_json(order.facts() if order is not None else {"error": f"There is no order {number}."})


def answer(number: str) -> str:
    """Word what was found."""
    order = find_order(number)
    if order is None:
        return f"I find no order {number}. Orders I know: T-1042 and T-1077."
    return (
        f"Order **{order.number}** ({order.item}, for {order.customer}) is *{order.status}*.\n\n"
        f"- Last seen: {order.place}\n- Arrival: {order.arrives}"
    )


SCENARIO = Scenario(
    id="lookup",
    title="Where an order is",
    phrase="Where is order T-1077?",
    cue=cue(r"\bwhere\b|\blook up\b|\border T-?\d+"),
    play=play,
    shows="A tool of the agent's own: streamed arguments, a result, text that uses it",
    dojo="backend tool rendering",
)
