import pytest
from ag_ui.core import RunAgentInput, RunErrorEvent

from chat_app.agui.errors import TransportError
from chat_app.agui.transport.replay import ReplayTransport
from tests.support.scripts import RUN_STARTED, started

INPUT = RunAgentInput(thread_id="t", run_id="r9", messages=[])


async def played(transport):
    return [frame async for frame in transport.run(INPUT)]


async def test_each_run_plays_the_next_script():
    transport = ReplayTransport([RUN_STARTED], [])
    assert transport.remaining == 2
    assert await played(transport) == [RUN_STARTED]
    assert await played(transport) == []
    assert (transport.remaining, transport.requests) == (0, (INPUT, INPUT))


async def test_a_run_beyond_the_scripts_says_so():
    transport = ReplayTransport()
    with pytest.raises(TransportError, match="No script is left for run 1; there were 0"):
        await played(transport)
    assert transport.remaining == 0


async def test_a_script_can_hold_events_and_break_off():
    frames = ReplayTransport([RunErrorEvent(message="no"), OSError("gone")]).run(INPUT)
    assert await anext(frames) == {"type": "RUN_ERROR", "message": "no"}
    with pytest.raises(OSError, match="gone"):
        await anext(frames)


async def test_a_script_can_be_a_function_of_the_request():
    assert await played(ReplayTransport(lambda request: [started(request.run_id)])) == [started("r9")]
