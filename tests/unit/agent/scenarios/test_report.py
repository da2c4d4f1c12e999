import json

from chat_app.agent.scenarios.report import SCENARIO, SIZE
from tests.support.agent_harness import play, results_of, text_of


async def test_the_whole_report_is_in_the_arguments_of_one_call():
    events = await play(SCENARIO.phrase)
    text = "".join(event["delta"] for event in events if event["type"] == "TOOL_CALL_ARGS")
    assert len(json.loads(text)["text"]) == SIZE
    assert list(results_of(events).values()) == [{"status": "filed", "characters": SIZE}]
    assert "200,000 characters" in text_of(events)
