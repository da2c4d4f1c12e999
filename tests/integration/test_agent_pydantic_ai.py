"""The example agent in another framework, started for real and asked over HTTP."""

import json

import httpx
import pytest

from tests.support.agent_harness import (
    after,
    check_order,
    decode,
    interrupts_of,
    outcome_of,
    person,
    run_input,
    text_of,
)
from tests.support.processes import free_port, running

pytestmark = pytest.mark.live


@pytest.fixture
async def ask():
    port = free_port()
    arguments = ["examples/pydantic_ai_agent.py", "--port", str(port), "--pause", "0"]
    async with running(arguments, port=port) as server, httpx.AsyncClient(timeout=30) as client:

        async def ask(messages, **fields):
            body = run_input(messages, **fields)
            response = await client.post(
                f"{server.url}/agent", json=body, headers={"accept": "text/event-stream"}
            )
            assert response.status_code == 200, response.text
            return decode(response.content)

        yield ask


def result_of(events):
    (result,) = [event for event in events if event["type"] == "TOOL_CALL_RESULT"]
    return result["toolCallId"], result["content"]


async def test_it_streams_text(ask):
    events = await ask("hello")
    check_order(events)
    assert "written with **pydantic-ai**" in text_of(events)
    assert len([event for event in events if event["type"] == "TEXT_MESSAGE_CONTENT"]) > 10


async def test_it_calls_its_own_tool_and_uses_the_result(ask):
    events = await ask("How many hinges are in stock?")
    check_order(events)
    assert result_of(events)[1] == "112 hinges in stock"
    assert "112 hinges in stock" in text_of(events)


@pytest.mark.parametrize(
    ("answer", "result", "words"),
    [
        ({"status": "resolved", "payload": {"approved": True}}, "Ordered 40 hinges", "Ordered 40 hinges"),
        (
            {
                "status": "resolved",
                "payload": {"approved": True, "editedArgs": {"part": "locks", "quantity": 3}},
            },
            "Ordered 3 locks",
            "Ordered 3 locks",
        ),
        (
            {"status": "resolved", "payload": {"approved": False, "reason": "too many"}},
            "too many",
            "did not run: too many",
        ),
        ({"status": "cancelled"}, "Cancelled by user.", "did not run"),
    ],
    ids=["approved", "edited", "rejected", "cancelled"],
)
async def test_it_asks_before_it_acts_and_goes_on_after_the_answer(ask, answer, result, words):
    line = person("order 40 hinges")
    asked = await ask([line])
    check_order(asked)
    (interrupt,) = interrupts_of(asked)
    assert interrupt["reason"] == "tool_call"
    history = after([line], asked)
    (call,) = history[-1]["toolCalls"]
    assert json.loads(call["function"]["arguments"]) == {"part": "hinges", "quantity": 40}
    events = await ask(history, runId="run-2", resume=[{"interruptId": interrupt["id"], **answer}])
    assert result_of(events) == (interrupt["toolCallId"], result)
    assert words in text_of(events)
    assert outcome_of(events) == {"type": "success"}
