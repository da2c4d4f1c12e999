import asyncio
import json
from contextlib import aclosing

import pytest
from ag_ui.core import RunAgentInput, UserMessage

from chat_app.agui.errors import HttpStatus, StreamCut, TimedOut
from chat_app.agui.transport.inprocess import PENDING_CHUNKS, InProcessTransport
from tests.support.scripts import RUN_FINISHED, RUN_STARTED

INPUT = RunAgentInput(thread_id="t", run_id="r", messages=[UserMessage(id="u", role="user", content="hi")])
STREAM = {"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]}


def body(*events, more=True):
    data = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
    return {"type": "http.response.body", "body": data, "more_body": more}


async def collect(app, **options):
    async with InProcessTransport(app, "/agent?x=1", **options) as transport:
        return [frame async for frame in transport.run(INPUT)]


async def test_the_application_is_called_like_over_a_socket():
    seen = {}

    async def app(scope, receive, send):
        seen.update(scope, request=await receive())
        await send(STREAM)
        await send(body(RUN_STARTED))
        await send(body(RUN_FINISHED, more=False))

    assert await collect(app, headers={"X-Key": "k"}) == [RUN_STARTED, RUN_FINISHED]
    assert (seen["method"], seen["path"], seen["query_string"]) == ("POST", "/agent", b"x=1")
    assert (b"x-key", b"k") in seen["headers"]
    assert (b"accept", b"text/event-stream") in seen["headers"]
    assert json.loads(seen["request"]["body"])["runId"] == "r"
    assert seen["request"]["more_body"] is False


async def test_a_refusal_has_a_status():
    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": 403})
        await send({"type": "http.response.body", "body": b'{"detail": "no"}'})

    with pytest.raises(HttpStatus, match="403: no"):
        await collect(app)


@pytest.mark.parametrize("sent", [[], [STREAM], [STREAM, body(RUN_STARTED)]])
async def test_an_application_that_breaks_is_a_cut_stream_with_its_reason(sent):
    async def app(_scope, _receive, send):
        for message in sent:
            await send(message)
        raise ValueError("broken inside")

    with pytest.raises(StreamCut, match="broken inside"):
        await collect(app)


@pytest.mark.parametrize("sent", [[], [STREAM], [STREAM, body(RUN_STARTED)]])
async def test_an_application_that_stops_early_is_a_cut_stream(sent):
    async def app(_scope, _receive, send):
        for message in sent:
            await send(message)

    with pytest.raises(StreamCut, match="ended"):
        await collect(app)


async def test_silence_past_the_limit_is_a_timeout():
    async def app(_scope, receive, send):
        await receive()
        await send(STREAM)
        await receive()

    with pytest.raises(TimedOut):
        await collect(app, idle_limit=0.05)


async def test_a_stop_is_a_disconnect_for_the_application():
    told = asyncio.Event()

    async def app(_scope, receive, send):
        await receive()
        await send(STREAM)
        await send(body(RUN_STARTED))
        assert (await receive())["type"] == "http.disconnect"
        with pytest.raises(OSError, match="gone"):
            await send(body(RUN_FINISHED))
        told.set()

    transport = InProcessTransport(app)
    async with aclosing(transport.run(INPUT)) as frames:
        assert await anext(frames) == RUN_STARTED
    assert told.is_set()
    await transport.aclose()


async def test_an_application_that_sends_faster_than_it_is_read_waits():
    sent = 0

    async def app(_scope, _receive, send):
        nonlocal sent
        await send(STREAM)
        while True:
            await send(body(RUN_STARTED))
            sent += 1

    async with aclosing(InProcessTransport(app).run(INPUT)) as frames:
        await anext(frames)
        for _ in range(100):
            await asyncio.sleep(0)
        assert sent <= 2 * PENDING_CHUNKS


async def test_an_application_that_ignores_the_disconnect_is_cancelled():
    cancelled = asyncio.Event()

    async def app(_scope, _receive, send):
        await send(STREAM)
        await send(body(RUN_STARTED))
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async with aclosing(InProcessTransport(app, grace=0.01).run(INPUT)) as frames:
        await anext(frames)
    assert cancelled.is_set()
