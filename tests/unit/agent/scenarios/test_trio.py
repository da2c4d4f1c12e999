from chat_app.agent.scenarios.trio import SCENARIO
from tests.support.agent_harness import play, results_of, text_of


async def test_three_calls_are_open_together_and_answered_out_of_order():
    events = await play(SCENARIO.phrase)
    first, second, third = [one["toolCallId"] for one in events if one["type"] == "TOOL_CALL_START"]
    assert list(results_of(events)) == [second, third, first]
    assert results_of(events)[third] == {"error": "There is no order T-2000."}
    assert "no T-2000" in text_of(events)
