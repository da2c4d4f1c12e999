import json

import pytest

from chat_app.agent.scenarios.card import SCENARIO, TOOL
from tests.support.agent_harness import after, outcome_of, person, play, text_of

OFFER = [{"name": TOOL, "description": "Draws a card", "parameters": {"type": "object"}}]


def arguments_of(history):
    return json.loads(history[-1]["toolCalls"][0]["function"]["arguments"])


@pytest.mark.parametrize(
    ("line", "title"),
    [(SCENARIO.phrase, "Order T-1042"), ("T-1077 as a card", "Order T-1077"), ("a card", "Order T-1042")],
)
async def test_the_client_is_asked_to_draw_the_order(line, title):
    events = await play(line, tools=OFFER)
    history = after([person(line)], events)
    assert arguments_of(history)["title"] == title
    call_id = history[-1]["toolCalls"][0]["id"]
    assert outcome_of(events) == {"type": "success", "pendingToolCallIds": [call_id]}


async def test_the_next_run_goes_on_with_the_clients_answer():
    history = after([person(SCENARIO.phrase)], await play(SCENARIO.phrase, tools=OFFER))
    call_id = history[-1]["toolCalls"][0]["id"]
    history.append({"id": "t9", "role": "tool", "toolCallId": call_id, "content": "drawn"})
    events = await play(history, runId="run-2", tools=OFFER)
    assert text_of(events).startswith("There it is.")
    assert outcome_of(events) == {"type": "success"}


async def test_without_the_tool_the_run_says_what_it_lacks():
    error = (await play(SCENARIO.phrase))[-1]
    assert error["code"] == "TOOL_NOT_OFFERED"
    assert error["message"] == "The client offered no tool show_card, which this needs."
