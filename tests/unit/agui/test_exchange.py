import pytest

from chat_app.agui.errors import UsageError
from chat_app.agui.exchange import Exchange
from chat_app.agui.updates import Done, StateChanged, Success

END = Success("r")


class Source:
    def __init__(self):
        self.closed = False

    async def updates(self):
        try:
            yield StateChanged(1)
            yield Done(END)
        finally:
            self.closed = True


async def test_awaiting_gives_the_end():
    source = Source()
    assert await Exchange(source.updates) == END
    assert source.closed


async def test_entering_gives_the_updates_with_done_last():
    async with Exchange(Source().updates) as updates:
        assert [update async for update in updates] == [StateChanged(1), Done(END)]


async def test_leaving_early_closes_the_source():
    source = Source()
    async with Exchange(source.updates) as updates:
        await anext(updates)
    assert source.closed


async def test_an_exchange_is_used_once():
    exchange = Exchange(Source().updates)
    await exchange
    with pytest.raises(UsageError, match="used once"):
        await exchange
    with pytest.raises(UsageError, match="used once"):
        async with exchange:
            raise AssertionError("never entered")
