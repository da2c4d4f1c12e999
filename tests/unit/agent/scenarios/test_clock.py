from chat_app.agent.scenarios.clock import SCENARIO, TOOL
from tests.support.agent_harness import after, outcome_of, person, play, text_of

OFFER = [{"name": TOOL, "description": "Tells the time", "parameters": {"type": "object"}}]


async def test_the_clock_is_asked_for_and_then_told():
    asked = await play(SCENARIO.phrase, tools=OFFER)
    (call_id,) = outcome_of(asked)["pendingToolCallIds"]
    history = after([person(SCENARIO.phrase)], asked)
    history.append({"id": "t9", "role": "tool", "toolCallId": call_id, "content": "12:34"})
    assert text_of(await play(history, runId="run-2", tools=OFFER)) == "Your clock says: **12:34**."
