from chat_app.agent.capabilities import CAPABILITIES
from chat_app.agent.scenarios import GATED_TOOLS


def test_the_agent_declares_what_it_does_and_nothing_more():
    declared = CAPABILITIES.model_dump(mode="json", by_alias=True)
    assert declared["transport"]["streaming"] is True
    assert declared["transport"]["resumable"] is False
    assert declared["humanInTheLoop"]["approveWithEdits"] is True
    assert declared["multiAgent"] == {"supported": False}


def test_every_tool_behind_a_yes_is_declared():
    assert set(GATED_TOOLS) < {tool.name for tool in CAPABILITIES.tools.items}
