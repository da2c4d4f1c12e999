import asyncio
import logging

import pytest

from chat_app.agent.outbox import Outbox
from chat_app.agent.stream import EventStream

DISCONNECT = {"type": "http.disconnect"}


class Connection:
    """One request's side of the server: what it received, and a client that can leave."""

    def __init__(self, *, broken_after=None, leaves_early=False):
        self.leaves_early = leaves_early
        self.sent = []
        self.arrived = asyncio.Event()
        self.left = asyncio.Event()
        self.broken_after = broken_after

    async def receive(self):
        await self.left.wait()
        return DISCONNECT

    async def send(self, message):
        if self.broken_after is not None and len(self.sent) >= self.broken_after:
            raise OSError("nobody there")
        self.sent.append(message)
        if message.get("body"):
            self.arrived.set()
            if self.leaves_early:
                self.left.set()
                await asyncio.sleep(0)

    @property
    def body(self):
        return b"".join(message.get("body", b"") for message in self.sent)

    @property
    def complete(self):
        return self.sent[-1] == {"type": "http.response.body", "body": b"", "more_body": False}


class Producer:
    """Puts what it is told, then waits for ever unless it is told to be done."""

    def __init__(self, *frames, done=True):
        self.frames = frames
        self.done = done
        self.cancelled = False

    async def __call__(self, outbox):
        for frame in self.frames:
            outbox.put(frame)
        if self.done:
            outbox.close()
            return
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled = True
            outbox.put(b"last words")
            outbox.close()
            raise


def stream(producer, keepalive=60.0):
    outbox = Outbox(squeeze=list)
    return EventStream(producer, outbox, encode=b"".join, keepalive=keepalive, name="the run")


async def serve(subject, connection):
    await asyncio.wait_for(subject({}, connection.receive, connection.send), 5)


async def test_frames_are_sent_and_the_response_ends_with_the_producer(caplog):
    caplog.set_level(logging.INFO, "chat_app.agent")
    connection = Connection()
    await serve(stream(Producer(b"a", b"b")), connection)
    assert connection.sent[0]["headers"][0] == (b"content-type", b"text/event-stream")
    assert connection.body == b"ab"
    assert connection.complete
    assert not caplog.records


async def test_a_client_that_leaves_stops_the_producer_while_it_waits(caplog):
    caplog.set_level(logging.INFO, "chat_app.agent")
    connection, producer = Connection(), Producer(b"a", done=False)
    serving = asyncio.ensure_future(serve(stream(producer), connection))
    await asyncio.wait_for(connection.arrived.wait(), 5)
    connection.left.set()
    await serving
    assert producer.cancelled
    assert not connection.complete
    assert "The client of the run closed the connection; the run is stopped." in caplog.text


@pytest.mark.parametrize("sends", [0, 1])
async def test_a_broken_connection_stops_the_producer_too(caplog, sends):
    caplog.set_level(logging.INFO, "chat_app.agent")
    producer = Producer(b"a", done=False)
    await serve(stream(producer), Connection(broken_after=sends))
    assert producer.cancelled
    assert "closed the connection" in caplog.text


async def test_leaving_after_the_end_is_not_reported(caplog):
    caplog.set_level(logging.INFO, "chat_app.agent")
    await serve(stream(Producer(b"a")), Connection(broken_after=1))
    await serve(stream(Producer(b"a")), Connection(leaves_early=True))
    assert not caplog.records


async def test_silence_is_broken_by_comments():
    connection = Connection()
    serving = asyncio.ensure_future(serve(stream(Producer(done=False), keepalive=0.01), connection))
    await asyncio.wait_for(connection.arrived.wait(), 5)
    connection.left.set()
    await serving
    assert connection.body.startswith(b": keep-alive\n\n")


async def test_a_server_that_stops_the_response_still_sends_how_the_run_ended():
    connection, producer = Connection(), Producer(b"a", done=False)
    subject = stream(producer)
    serving = asyncio.ensure_future(subject({}, connection.receive, connection.send))
    await asyncio.wait_for(connection.arrived.wait(), 5)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert producer.cancelled
    assert connection.body == b"alast words"


async def test_a_last_word_that_cannot_be_sent_is_let_go():
    connection, producer = Connection(broken_after=2), Producer(b"a", done=False)
    serving = asyncio.ensure_future(stream(producer)({}, connection.receive, connection.send))
    await asyncio.wait_for(connection.arrived.wait(), 5)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert connection.body == b"a"


async def test_other_messages_from_the_server_are_not_mistaken_for_a_goodbye():
    connection = Connection()
    messages = iter([{"type": "http.request", "body": b"", "more_body": False}, DISCONNECT])

    async def receive():
        return next(messages)

    producer = Producer(done=False)
    await asyncio.wait_for(stream(producer)({}, receive, connection.send), 5)
    assert producer.cancelled
