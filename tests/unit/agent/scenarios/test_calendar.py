import pytest

from chat_app.agent.scenarios.calendar import SCENARIO, consent_link
from tests.support.agent_harness import after, interrupts_of, person, play, text_of


async def answered(**entry):
    asked = await play(SCENARIO.phrase)
    (question,) = interrupts_of(asked)
    resume = [{"interruptId": question["id"], **entry}]
    return await play(after([person(SCENARIO.phrase)], asked), runId="run-2", resume=resume)


async def test_the_link_is_said_in_the_text_and_beside_it():
    events = await play(SCENARIO.phrase)
    (signal,) = [event["value"] for event in events if event["type"] == "CUSTOM"]
    assert signal["url"] == consent_link("thread-1")
    assert signal["url"] in text_of(events)
    assert "thread-1" not in signal["url"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"status": "resolved", "payload": {"granted": True, "code": "x"}}, "Tuesday"),
        ({"status": "resolved", "payload": {"granted": False}}, "Without your consent"),
        ({"status": "cancelled"}, "Without your consent"),
    ],
)
async def test_it_goes_on_with_what_was_granted(entry, words):
    assert words in text_of(await answered(**entry))
