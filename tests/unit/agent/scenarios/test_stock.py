import pytest

from chat_app.agent.scenarios.stock import LOOK_SCENARIO, SCENARIO, START
from tests.support.agent_harness import Clock, after, ask, person, play, text_of, worker


async def counting(clock):
    history = [person(SCENARIO.phrase)]
    return after(history, await play(history, clock=clock))


async def test_the_count_goes_on_while_the_chat_is_free():
    events = await play(SCENARIO.phrase)
    notices = [event["value"] for event in events if event["type"] == "CUSTOM"]
    assert notices == [{"text": "The stock count goes on in the background."}]
    assert events[-1]["outcome"] == {"type": "success"}


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "0 of 12 shelves"), (14, "2 of 12 shelves"), (60, "The count is done"), (9999, "The count is done")],
)
async def test_any_process_can_tell_how_far_it_is(seconds, words):
    clock = Clock()
    history = await counting(clock)
    clock.forward(seconds)
    question = person(LOOK_SCENARIO.phrase, key="u2")
    events = await ask(worker(clock=clock), [*history, question], runId="run-2")
    assert words in text_of(events)


async def test_a_count_that_was_started_is_not_started_again():
    history = [
        message
        for message in await counting(Clock())
        if message["role"] != "assistant" or "toolCalls" in message
    ]
    events = await play(history, runId="run-2")
    assert "TOOL_CALL_START" not in {event["type"] for event in events}


@pytest.mark.parametrize(
    "answer", [None, "?", "[]", "{}", '{"began": 1}', '{"began": "2030-05-01T12:00:00"}']
)
async def test_what_is_no_count_counts_as_none(answer):
    call = {"id": "c1", "type": "function", "function": {"name": START, "arguments": "{}"}}
    history = [person(SCENARIO.phrase), {"id": "a1", "role": "assistant", "toolCalls": [call]}]
    if answer is not None:
        history.append({"id": "t1", "role": "tool", "toolCallId": "c1", "content": answer})
    events = await play([*history, person(LOOK_SCENARIO.phrase, key="u2")])
    assert "No count is under way" in text_of(events)
