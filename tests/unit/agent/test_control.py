import asyncio

from chat_app.agent.control import Control
from tests.fakes import within


async def test_a_pause_holds_at_the_boundary_until_it_is_resumed():
    control = Control()
    assert not await control.at_boundary()
    control.pause()
    held = asyncio.ensure_future(control.at_boundary())
    await asyncio.sleep(0)
    assert control.paused
    assert not held.done()
    control.resume()
    assert await within(held) is False


async def test_a_cancel_frees_a_pause_and_wins_over_a_later_one():
    control = Control()
    control.pause()
    held = asyncio.ensure_future(control.at_boundary())
    control.cancel()
    assert await within(held) is True
    control.pause()
    assert control.cancelled
    assert not control.paused
