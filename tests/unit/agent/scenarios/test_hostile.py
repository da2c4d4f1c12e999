from chat_app.agent.scenarios.hostile import ATTEMPTS, MARK, SCENARIO
from tests.support.agent_harness import play, text_of


async def test_every_attempt_arrives_unchanged_wherever_text_can_stand():
    events = await play(SCENARIO.phrase)
    for attempt in ATTEMPTS:
        assert attempt in text_of(events)
    fields = {name for event in events for name, value in event.items() if MARK in str(value)}
    assert fields == {"delta", "toolCallName", "content"}


def test_the_usual_ways_in_are_tried():
    everything = "\n".join(ATTEMPTS)
    for way in ("<script>", "onerror=", "srcdoc=", "](javascript:", "<svg onload=", "data:text/html"):
        assert way in everything
