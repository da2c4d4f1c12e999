import asyncio
from contextlib import aclosing

import pytest
from ag_ui.core import RunAgentInput

from chat_app.agui import intake as module
from chat_app.agui.approvals import Approvals
from chat_app.agui.errors import BadFrame, OutOfOrder
from chat_app.agui.intake import Intake
from chat_app.agui.pipeline import STRICT, Pipeline
from chat_app.agui.transport.replay import ReplayTransport
from tests.support.script_transport import ScriptTransport
from tests.support.scripts import RUN_FINISHED, RUN_STARTED, started, text

REQUEST = RunAgentInput(thread_id="t", run_id="r1", messages=[])


def intake(transport, gate=lambda request: request):
    pipeline = Pipeline(STRICT, report=print, new_id=lambda: "made")
    return Intake(transport, pipeline, Approvals(print), gate=gate)


async def types(made):
    return [[event.type.value for event in batch] async for batch in made.batches(REQUEST)]


async def test_each_frame_is_a_batch_of_events():
    chunk = {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x"}
    unknown = {"type": "FANCY"}
    made = intake(ReplayTransport([RUN_STARTED, chunk, unknown, RUN_FINISHED]))
    assert await types(made) == [
        ["RUN_STARTED"],
        ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"],
        [],
        ["TEXT_MESSAGE_END", "RUN_FINISHED"],
    ]
    assert made.error is None


async def test_trouble_ends_the_stream_and_is_kept():
    made = intake(ReplayTransport([RUN_STARTED, OSError("gone")]))
    assert await types(made) == [["RUN_STARTED"]]
    assert str(made.error) == "gone"

    made = intake(ReplayTransport([RUN_FINISHED]))
    assert await types(made) == []
    assert isinstance(made.error, OutOfOrder)


async def test_a_request_the_gate_refuses_is_trouble_and_is_not_sent():
    def refuse(_request):
        raise BadFrame("no")

    transport = ReplayTransport([RUN_STARTED])
    made = intake(transport, refuse)
    assert await types(made) == []
    assert isinstance(made.error, BadFrame)
    assert transport.requests == ()


async def test_a_stream_left_open_after_the_run_is_let_go():
    made = intake(ScriptTransport([[RUN_STARTED, RUN_FINISHED, {"$hang": True}]]))
    loop = asyncio.get_running_loop()
    begin = loop.time()
    assert len(await types(made)) == 2
    assert module.TAIL_SECONDS <= loop.time() - begin < module.TAIL_SECONDS + 2
    assert made.error is None


async def test_another_run_in_the_stream_may_take_its_time():
    gate = {"$gate": "g"}
    transport = ScriptTransport([[RUN_STARTED, RUN_FINISHED, started("r2"), gate, *text("m", "x")]])
    made = intake(transport)
    async with aclosing(made.batches(REQUEST)) as batches:
        for _ in range(3):
            await anext(batches)
        assert made._deadline is None
        transport.gates["g"].set()
        assert len(await anext(batches)) == 1


@pytest.mark.parametrize("frame", [{}, {"type": None}, {"type": ""}, {"type": 5}])
async def test_a_frame_that_does_not_say_what_it_is_ends_the_stream_on_any_transport(frame):
    made = intake(ReplayTransport([RUN_STARTED, frame]))
    assert await types(made) == [["RUN_STARTED"]]
    assert isinstance(made.error, BadFrame)
