import json

from chat_app.agent.scenarios.draft import SCENARIO, TEXT
from tests.support.agent_harness import play, state_of, text_of, types_of


async def test_what_is_written_is_announced_streamed_and_then_the_state():
    events = await play(SCENARIO.phrase)
    assert types_of(events)[:6] == [
        "RUN_STARTED",
        "CUSTOM",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
    ]
    predicted = events[2]
    assert predicted["name"] == "PredictState"
    assert predicted["value"] == [
        {"state_key": "document", "tool": "write_document", "tool_argument": "document"}
    ]
    arguments = "".join(event["delta"] for event in events if event["type"] == "TOOL_CALL_ARGS")
    assert json.loads(arguments) == {"document": TEXT}
    assert state_of(events)["app"] == {"document": TEXT}
    assert text_of(events).startswith("The reply is drafted.")
