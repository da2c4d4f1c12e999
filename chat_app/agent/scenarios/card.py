"""Something to look at that the client draws: a tool which is the client's, not ours."""

from collections.abc import Mapping

from pydantic import JsonValue

from chat_app.agent.orders import ORDERS, Order, find_order, numbers_in
from chat_app.agent.scenario import Scenario, cue
from chat_app.agent.turn import Turn

TOOL = "show_card"


async def play(turn: Turn) -> None:
    """Have the card drawn, and say so once it is."""
    if turn.answers_to(TOOL):
        await turn.say("There it is. The card was drawn on your side; I only sent what stands on it.")
        return
    named = [order for number in numbers_in(turn.conversation.last_line) if (order := find_order(number))]
    await turn.ask_client(TOOL, card(named[0] if named else ORDERS[0]))


def card(order: Order) -> Mapping[str, JsonValue]:
    """Give what stands on the card of an order."""
    facts: list[JsonValue] = [
        {"name": name.capitalize(), "value": value}
        for name, value in order.facts().items()
        if name != "order"
    ]
    return {"title": f"Order {order.number}", "facts": facts}


SCENARIO = Scenario(
    id="card",
    title="A card that your page draws",
    phrase="Show order T-1042 as a card",
    cue=cue(r"\bcard\b"),
    play=play,
    shows="A call of a tool that the client offered; it runs there and the next run carries its answer",
    dojo="tool-based generative UI",
)
