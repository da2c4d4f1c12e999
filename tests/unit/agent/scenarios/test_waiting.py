import asyncio

import pytest

from chat_app.agent.scenarios.waiting import SENTENCES
from chat_app.agent.worker import new_outbox
from tests.support.agent_harness import conversation, outcome_of, play, said, text_of, types_of, worker


async def test_the_slow_answer_is_one_message():
    events = await play("Give me a slow answer")
    assert text_of(events) == "".join(f"{sentence} " for sentence in SENTENCES)
    assert types_of(events)[1:-1] == ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"]


async def test_silence_lasts_until_it_is_stopped():
    outbox = new_outbox()
    working = asyncio.ensure_future(worker().work(conversation("Say nothing"), outbox))
    begun = await asyncio.wait_for(outbox.take(), 5)
    assert [event.type for event in begun] == ["RUN_STARTED", "STATE_SNAPSHOT"]
    for _turn in range(10):
        await asyncio.sleep(0)
    assert not outbox.drain()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_giving_up_is_a_cancelled_run_with_its_text_closed():
    events = await play("Give up")
    assert outcome_of(events) == {"type": "cancelled"}
    assert said(events)[-2]["type"] == "TEXT_MESSAGE_END"
