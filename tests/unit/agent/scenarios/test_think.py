from chat_app.agent.scenarios.think import ANSWER, SCENARIO, THOUGHTS
from tests.support.agent_harness import play, text_of, types_of


async def test_thoughts_end_before_the_answer_begins():
    events = await play(SCENARIO.phrase)
    assert types_of(events) == [
        "RUN_STARTED",
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_END",
        "REASONING_END",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    thoughts = [event["delta"] for event in events if event["type"] == "REASONING_MESSAGE_CONTENT"]
    assert ("".join(thoughts), text_of(events)) == (THOUGHTS, ANSWER)
