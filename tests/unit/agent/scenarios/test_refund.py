import json

import pytest

from chat_app.agent.scenarios.refund import SCENARIO
from tests.support.agent_harness import after, interrupts_of, outcome_of, person, play, results_of, text_of


def orders_in(events):
    args = {}
    for event in events:
        if event["type"] == "TOOL_CALL_ARGS":
            args[event["toolCallId"]] = args.get(event["toolCallId"], "") + event["delta"]
    return [json.loads(text)["order"] for text in args.values()]


@pytest.mark.parametrize(
    ("line", "orders"),
    [
        (SCENARIO.phrase, ["T-1042"]),
        ("Refund T-1077, please", ["T-1077"]),
        ("Refund T-1077 and T-1042", ["T-1077", "T-1042"]),
        ("Refund order T-5555", ["T-1042"]),
        ("Refund both orders", ["T-1042", "T-1077"]),
    ],
)
async def test_the_line_says_which_orders(line, orders):
    assert orders_in(await play(line)) == orders


@pytest.mark.parametrize(
    ("line", "expires"),
    [
        ("Refund it within 1 second", "2030-05-01T12:00:01+00:00"),
        ("Refund it within 10 Minutes", "2030-05-01T12:10:00+00:00"),
        ("Refund it", None),
    ],
)
async def test_the_line_says_when_the_question_expires(line, expires):
    (interrupt,) = interrupts_of(await play(line))
    assert interrupt.get("expiresAt") == expires


@pytest.mark.parametrize("content", ["The call did not finish.", "[]", '{"error": "stopped"}', '"refunded"'])
async def test_a_call_that_came_to_nothing_is_asked_for_anew(content):
    line = person(SCENARIO.phrase)
    history = after([line], await play(SCENARIO.phrase))
    call_id = history[-1]["toolCalls"][0]["id"]
    history.append({"id": "t9", "role": "tool", "toolCallId": call_id, "content": content})
    events = await play(history, runId="run-2")
    assert len(interrupts_of(events)) == 1
    assert not results_of(events)


async def test_a_decided_refund_is_summed_up_when_the_run_is_repeated():
    line = person(SCENARIO.phrase)
    history = after([line], await play(SCENARIO.phrase))
    call_id = history[-1]["toolCalls"][0]["id"]
    history.append({"id": "t9", "role": "tool", "toolCallId": call_id, "content": '{"status": "refunded"}'})
    events = await play(history, runId="run-2")
    assert outcome_of(events) == {"type": "success"}
    assert text_of(events).startswith("Done:")
