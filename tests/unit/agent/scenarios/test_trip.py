import pytest

from chat_app.agent.scenarios.trip import SCENARIO, TRAINS
from tests.support.agent_harness import interrupts_of, play, text_of


def entry(interrupt, status="resolved", **fields):
    return [{"interruptId": interrupt["id"], "status": status, **fields}]


def ends(events):
    kinds = {"SUBAGENT_FINISHED", "SUBAGENT_ERROR"}
    return {event["subagentRunId"]: event.get("outcome", event) for event in events if event["type"] in kinds}


async def test_the_one_who_asks_and_the_one_it_works_for_are_suspended():
    events = await play(SCENARIO.phrase)
    (interrupt,) = interrupts_of(events)
    assert interrupt["subagentRunId"] == "thread-1:trains"
    assert interrupt["responseSchema"]["properties"]["train"]["enum"] == list(TRAINS)
    assert ends(events) == {
        "thread-1:trains": {"type": "suspended", "interruptIds": [interrupt["id"]]},
        "thread-1:travel": {"type": "suspended"},
    }


async def test_both_go_on_under_their_ids_once_a_train_is_chosen():
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    events = await play(SCENARIO.phrase, resume=entry(interrupt, payload={"train": TRAINS[2]}))
    outcomes = ends(events)
    assert {"thread-1:trains", "thread-1:travel"} < set(outcomes)
    assert {outcome["type"] for outcome in outcomes.values()} == {"success"}
    assert f"1. Train: {TRAINS[2]}" in text_of(events)


async def test_a_dropped_choice_fails_the_one_who_asked_and_not_the_trip():
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    events = await play(SCENARIO.phrase, resume=entry(interrupt, "cancelled"))
    assert ends(events)["thread-1:trains"]["code"] == "NO_TRAIN"
    assert ends(events)["thread-1:travel"] == {"type": "success"}
    assert "you find your own way" in text_of(events)


@pytest.mark.parametrize("payload", [{"train": "tomorrow"}, {}])
async def test_a_train_that_does_not_go_is_refused(payload):
    (interrupt,) = interrupts_of(await play(SCENARIO.phrase))
    events = await play(SCENARIO.phrase, resume=entry(interrupt, payload=payload))
    assert events[-1]["code"] == "INVALID_ANSWER"
