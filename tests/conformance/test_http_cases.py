"""Every case of ``fixtures/seeds/http.json``, against a server on a socket."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from chat_app.agui import AguiError, Failed, HttpTransport, Session, Success
from tests.conformance.overrides import adjusted
from tests.support.raw_server import CUT, END, chunk, head, raw_server, sse, stream_head
from tests.support.scripts import RUN_FINISHED, RUN_STARTED, started
from tests.support.shared import seed_cases

UNREACHABLE = "http://127.0.0.1:1/agent"


def body_of(server):
    """Return what the server sends after its head."""
    match server.get("body"):
        case "run" if "drop_after_bytes" in server:
            return [sse(RUN_STARTED)[: server["drop_after_bytes"]], CUT]
        case "run" if "pause_s" in server:
            pause = asyncio.Event()
            asyncio.get_running_loop().call_later(server["pause_s"], pause.set)
            return [sse(RUN_STARTED), pause, sse(RUN_FINISHED), END]
        case "run":
            return [sse(RUN_STARTED, RUN_FINISHED), END]
        case "run-without-end":
            return [sse(RUN_STARTED), END]
        case "slow":
            return [sse(RUN_STARTED), asyncio.Event()]
        case str(text) if text.endswith(" + run"):
            return [chunk(text.removesuffix(" + run").encode()), sse(RUN_STARTED, RUN_FINISHED), END]
        case str(text):
            return [text.encode()]


def script_of(server):
    if server["content_type"] == "text/event-stream":
        return [stream_head(), *body_of(server)]
    return [head(f"{server['status']} Said", content_type=server["content_type"]), *body_of(server)]


@asynccontextmanager
async def serving(case):
    """Give a transport for the case and the server behind it."""
    server, client = case["server"], case.get("client", {})
    limits = {"total_timeout" if name == "timeout" else name: value for name, value in client.items()}
    if "refuse" in server:
        yield HttpTransport(UNREACHABLE), None
        return
    again = [stream_head(), sse(started("r2"), {**RUN_FINISHED, "runId": "r2"}), END]
    async with raw_server(script_of(server), again) as running:
        async with HttpTransport(running.url, **limits) as transport:
            yield transport, running


def check_request(server, expected):
    [request] = server.requests
    assert request.method == expected["method"]
    assert {name: request.headers[name] for name in expected["request_headers"]} == expected["request_headers"]


@pytest.mark.parametrize("case", seed_cases("http"))
async def test_http_does_what_the_case_says(case):
    case = adjusted("http", case)
    expected = case["expect"]
    if "build" in case:
        with pytest.raises(AguiError) as caught:
            HttpTransport("http://localhost/agent", **case["build"])
        assert caught.value.kind == expected["build_error"]
        return
    async with serving(case) as (transport, server):
        session = Session(transport, "t")
        if "act" in case:
            await stop_after_the_first_event(session, server)
            return
        check_end(await session.send("hi"), expected)
        if "method" in expected:
            check_request(server, expected)


def check_end(end, expected):
    if expected.get("end") == "success":
        assert isinstance(end, Success)
        return
    assert isinstance(end, Failed)
    assert end.code == "CLIENT_ERROR"
    kind, message = expected["error"], expected.get("message_contains", "")
    assert "transport" == end.error.kind if kind in {"transport", "http"} else end.error.kind == kind
    assert message in end.message
    if "status" in expected:
        assert (end.error.status, len(end.error.excerpt)) == (expected["status"], expected["body_len"])


async def stop_after_the_first_event(session, server):
    heard = asyncio.Event()
    session._on_event = lambda event, rows: heard.set()
    task = asyncio.ensure_future(session.send("hi")._end())
    await asyncio.wait_for(heard.wait(), 5)
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    await asyncio.wait_for(server.gone.wait(), 5)
    assert isinstance(await session.run(), Success)
