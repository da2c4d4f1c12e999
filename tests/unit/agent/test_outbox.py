import asyncio

from chat_app.agent.outbox import Outbox


async def test_everything_queued_is_taken_as_one_batch():
    outbox = Outbox(squeeze=list)
    outbox.put(b"a")
    outbox.put(b"b")
    assert await outbox.take() == [b"a", b"b"]


async def test_a_closed_outbox_gives_the_rest_and_then_nothing():
    outbox = Outbox(squeeze=list)
    outbox.put(b"a")
    outbox.close()
    assert outbox.closed
    assert await outbox.take() == [b"a"]
    assert await outbox.take() == []


async def test_taking_waits_for_the_next_frame():
    outbox = Outbox(squeeze=list)
    taken = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    assert not taken.done()
    outbox.put(b"a")
    assert await taken == [b"a"]


async def test_a_full_outbox_holds_the_writer_until_frames_are_taken():
    outbox = Outbox(squeeze=list, limit=2)
    outbox.put(b"a")
    await outbox.room()
    outbox.put(b"b")
    writer = asyncio.ensure_future(outbox.room())
    for _turn in range(5):
        await asyncio.sleep(0)
    assert not writer.done()
    assert outbox.drain() == [b"a", b"b"]
    await asyncio.wait_for(writer, 5)


async def test_a_full_outbox_still_takes_the_last_words():
    outbox = Outbox(squeeze=list, limit=1)
    outbox.put(b"a")
    outbox.put(b"b")
    assert outbox.drain() == [b"a", b"b"]


async def test_what_arrives_within_the_window_goes_out_together():
    outbox = Outbox(squeeze=list, window=30)
    outbox.put("a")
    taken = asyncio.ensure_future(outbox.take())
    for letter in "bc":
        await asyncio.sleep(0)
        outbox.put(letter)
    assert not taken.done()
    outbox.close()
    assert await asyncio.wait_for(taken, 5) == ["a", "b", "c"]


async def test_the_window_ends_by_itself():
    outbox = Outbox(squeeze=list, window=0.001)
    outbox.put("a")
    assert await asyncio.wait_for(outbox.take(), 5) == ["a"]
    outbox.put("b")
    assert await asyncio.wait_for(outbox.take(), 5) == ["b"]


async def test_a_full_outbox_is_taken_before_the_window_ends():
    outbox = Outbox(squeeze=list, limit=2, window=30)
    outbox.put("a")
    taken = asyncio.ensure_future(outbox.take())
    await asyncio.sleep(0)
    outbox.put("b")
    assert await asyncio.wait_for(taken, 5) == ["a", "b"]


async def test_what_can_be_squeezed_never_holds_the_writer():
    outbox = Outbox(squeeze=lambda items: ["".join(items)] if items else [], limit=3)
    for _ in range(10):
        outbox.put("x")
        await asyncio.wait_for(outbox.room(), 5)
    assert outbox.drain() == ["x" * 10]
