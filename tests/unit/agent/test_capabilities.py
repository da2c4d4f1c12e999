from chat_app.agent.capabilities import CAPABILITIES, with_model
from chat_app.agent.scenarios import GATED_TOOLS, SCENARIOS
from tests.support.agent_harness import play

OFFER = [{"name": name, "description": "", "parameters": {}} for name in ("show_card", "local_time")]


def test_the_agent_declares_what_it_does_and_nothing_more():
    declared = CAPABILITIES.model_dump(mode="json", by_alias=True)
    assert declared["transport"]["streaming"] is True
    assert declared["transport"]["resumable"] is False
    assert declared["humanInTheLoop"]["approveWithEdits"] is True
    assert declared["state"]["deltas"] is True
    assert declared["tools"]["clientProvided"] is True


def test_every_tool_behind_a_yes_is_declared():
    assert set(GATED_TOOLS) < {tool.name for tool in CAPABILITIES.tools.items}


async def test_what_the_scenarios_call_and_start_is_declared():
    declared = {tool.name for tool in CAPABILITIES.tools.items} | {tool["name"] for tool in OFFER}
    known = {subagent.name for subagent in CAPABILITIES.multi_agent.subagents}
    called, started = set(), set()
    for scenario in SCENARIOS:
        if scenario.id in {"silent", "hostile"}:
            continue
        for event in await play(scenario.phrase, tools=OFFER):
            called |= {event["toolCallName"]} if event["type"] == "TOOL_CALL_START" else set()
            started |= {event["name"]} if event["type"] == "SUBAGENT_STARTED" else set()
    assert called - declared == {"inspect", "trace"}  # tools of the experts, who are not the agent
    assert started < known


def test_of_a_model_only_what_is_known_is_declared():
    declared = with_model("openai:x").model_dump(mode="json", by_alias=True)
    assert declared["identity"]["metadata"] == {"model": "openai:x"}
    assert "items" not in declared["tools"]
    assert {"reasoning", "multimodal"}.isdisjoint(declared)
    assert declared["humanInTheLoop"] == CAPABILITIES.model_dump(by_alias=True)["humanInTheLoop"]
