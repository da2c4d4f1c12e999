from chat_app.agent.scenarios.handbook import CHAPTERS, SCENARIO, lines
from tests.support.agent_harness import play, text_of


async def test_the_handbook_arrives_whole_in_one_message():
    events = await play(SCENARIO.phrase)
    assert text_of(events) == "".join(lines())
    assert len([event for event in events if event["type"] == "TEXT_MESSAGE_START"]) == 1


def test_the_handbook_is_very_long():
    text = "".join(lines())
    assert 90_000 < len(text) < 150_000
    assert text.count("\n## ") == CHAPTERS
