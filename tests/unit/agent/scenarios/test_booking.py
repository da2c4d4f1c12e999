import pytest

from chat_app.agent.scenarios.booking import SCENARIO
from tests.support.agent_harness import interrupts_of, outcome_of, person, play, text_of

SLOT = {"day": "2030-05-02", "work": "Wheel truing"}


def answered(interrupt, **fields):
    return [{"interruptId": interrupt["id"], "status": "resolved", **fields}]


async def test_the_run_ends_with_a_form_for_the_next_days():
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    assert interrupt["reason"] == "input_required"
    assert "toolCallId" not in interrupt
    properties = interrupt["responseSchema"]["properties"]
    assert properties["day"]["enum"] == ["2030-05-02", "2030-05-03", "2030-05-04", "2030-05-05"]
    assert properties["work"]["enum"] == ["Check-up", "Wheel truing", "New chain"]
    assert interrupt["responseSchema"]["required"] == ["day", "work"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({}, "**wheel truing** on **2030-05-02**, first thing in the morning."),
        ({"ring": True, "note": "rear"}, "We ring you before we start.\n- You said: “rear”."),
    ],
)
async def test_the_form_is_what_gets_booked(more, words):
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    events = await play(SCENARIO.phrase, resume=answered(interrupt, payload={**SLOT, **more}))
    assert text_of(events).endswith(words)
    assert outcome_of(events) == {"type": "success"}


async def test_a_form_that_does_not_fit_is_refused():
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    events = await play(SCENARIO.phrase, resume=answered(interrupt, payload={"day": "tomorrow"}))
    assert events[-1]["code"] == "INVALID_ANSWER"
    assert "at 'day'" in events[-1]["message"]


async def test_a_dropped_form_books_nothing():
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    dropped = [{"interruptId": interrupt["id"], "status": "cancelled"}]
    assert "I book nothing" in text_of(await play([person(SCENARIO.phrase)], resume=dropped))
