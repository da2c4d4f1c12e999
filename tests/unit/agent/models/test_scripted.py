import asyncio

import pytest

from chat_app.agent.models.interface import ModelFault, ModelRequest, StepDone
from chat_app.agent.models.scripted import Reply, ScriptedModel

REQUEST = ModelRequest(model="m", entries=(), tools=())


async def test_replies_are_played_in_order_and_requests_kept():
    model = ScriptedModel([Reply(text="1"), Reply(text="2", refused=True)])
    first = [piece async for piece in model.step(REQUEST)]
    second = [piece async for piece in model.step(REQUEST)]
    assert (first[0].text, second[0].text) == ("1", "2")
    assert isinstance(second[-1], StepDone)
    assert second[-1].refused
    assert model.requests == [REQUEST, REQUEST]
    await model.aclose()


async def test_a_script_that_ended_says_so():
    with pytest.raises(ModelFault, match="no reply left"):
        await anext(ScriptedModel([]).step(REQUEST))


async def test_a_reply_can_hold_until_it_is_let_go():
    hold = asyncio.Event()
    stream = ScriptedModel([Reply(text="x", hold=hold)]).step(REQUEST)
    assert (await anext(stream)).text == "x"
    done = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not done.done()
    hold.set()
    assert isinstance(await done, StepDone)
