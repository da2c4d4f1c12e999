from chat_app.agent.scenarios.experts import CARRIER, MECHANIC, SCENARIO
from tests.support.agent_harness import play, text_of


async def test_two_experts_speak_at_once_and_each_is_whole():
    events = await play(SCENARIO.phrase)
    started = {
        event["name"]: event["subagentRunId"] for event in events if event["type"] == "SUBAGENT_STARTED"
    }
    assert list(started) == ["mechanic", "carrier"]
    spoken = {name: text_of(by(events, key)) for name, key in started.items()}
    assert spoken == {"mechanic": MECHANIC, "carrier": CARRIER}
    speakers = [event["subagentRunId"] for event in events if "subagentRunId" in event and "delta" in event]
    assert {speakers[at] for at in (10, 11)} == set(started.values())
    finished = [event["subagentRunId"] for event in events if event["type"] == "SUBAGENT_FINISHED"]
    assert finished == [started["carrier"], started["mechanic"]]


def by(events, key):
    return [event for event in events if event.get("subagentRunId") == key]
