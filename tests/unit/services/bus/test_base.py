from chat_app.services.bus import EVERYTHING, LocalBus


async def test_the_only_process_is_alone_and_hears_nobody():
    heard: list[object] = []
    bus = LocalBus()
    assert await bus.join(heard.append)
    await bus.settle()
    bus.post(frozenset({EVERYTHING}))
    await bus.leave()
    assert heard == []
