import asyncio

from chat_app.agent.outbox import Outbox


async def test_everything_queued_is_taken_as_one_batch():
    outbox = Outbox()
    outbox.put(b"a")
    outbox.put(b"b")
    assert await outbox.take() == b"ab"


async def test_a_closed_outbox_gives_the_rest_and_then_nothing():
    outbox = Outbox()
    outbox.put(b"a")
    outbox.close()
    assert outbox.closed
    assert await outbox.take() == b"a"
    assert await outbox.take() == b""


async def test_taking_waits_for_the_next_frame():
    outbox = Outbox()
    taken = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    assert not taken.done()
    outbox.put(b"a")
    assert await taken == b"a"


async def test_a_full_outbox_holds_the_writer_until_frames_are_taken():
    outbox = Outbox(limit=2)
    outbox.put(b"a")
    await outbox.room()
    outbox.put(b"b")
    writer = asyncio.ensure_future(outbox.room())
    for _turn in range(5):
        await asyncio.sleep(0)
    assert not writer.done()
    assert outbox.drain() == b"ab"
    await asyncio.wait_for(writer, 5)


async def test_a_full_outbox_still_takes_the_last_words():
    outbox = Outbox(limit=1)
    outbox.put(b"a")
    outbox.put(b"b")
    assert outbox.drain() == b"ab"
