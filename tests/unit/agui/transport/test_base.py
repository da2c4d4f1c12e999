from chat_app.agui.transport.base import Transport, closing
from chat_app.agui.transport.replay import ReplayTransport


def test_one_method_makes_a_transport():
    class Own:
        def run(self, _run_input):
            return iter(())

    assert isinstance(Own(), Transport)
    assert isinstance(ReplayTransport(), Transport)
    assert not isinstance("http://localhost", Transport)


async def test_a_generator_is_closed_on_the_way_out():
    closed = []

    async def stream():
        try:
            yield 1
        finally:
            closed.append(True)

    async with closing(stream()) as items:
        assert await anext(items) == 1
    assert closed == [True]


async def test_an_iterator_without_a_close_is_left_alone():
    class Once:
        def __aiter__(self):
            return self

        async def __anext__(self):
            return 1

    async with closing(Once()) as items:
        assert await anext(items) == 1
