from chat_app.agent.scenarios.chatter import MESSAGES, SCENARIO
from tests.support.agent_harness import play


async def test_each_wheel_is_a_message_of_its_own():
    events = await play(SCENARIO.phrase)
    begun = {event["messageId"] for event in events if event["type"] == "TEXT_MESSAGE_START"}
    assert len(begun) == MESSAGES
