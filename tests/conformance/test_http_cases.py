"""Every case of ``fixtures/seeds/http.json``, against a server on a socket."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from chat_app.agui import AguiError, Failed, HttpTransport, Session, Success
from tests.conformance.overrides import adjusted
from tests.support.raw_server import CUT, END, chunk, head, raw_server, sse, stream_head
from tests.support.scripts import RUN_FINISHED, RUN_STARTED, started, text
from tests.support.shared import seed_cases

UNREACHABLE = "http://127.0.0.1:1/agent"


def body_of(server):
    """Return what the server sends after its head."""
    kind = server.get("body")
    if kind == "run":
        return run_body(server)
    if kind == "run-without-end":
        return [sse(RUN_STARTED), END]
    if kind == "slow":
        return [sse(RUN_STARTED, *text("a", "slow")), asyncio.Event()]
    if kind.endswith(" + run"):
        return [chunk(kind.removesuffix(" + run").encode()), sse(RUN_STARTED, RUN_FINISHED), END]
    return [kind.encode()]


def run_body(server):
    if "drop_after_bytes" in server:
        return [sse(RUN_STARTED)[: server["drop_after_bytes"]], CUT]
    if "pause_s" not in server:
        return [sse(RUN_STARTED, RUN_FINISHED), END]
    pause = asyncio.Event()
    asyncio.get_running_loop().call_later(server["pause_s"], pause.set)
    return [sse(RUN_STARTED), pause, sse(RUN_FINISHED), END]


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
    async with (
        raw_server(script_of(server), again) as running,
        HttpTransport(running.url, **limits) as transport,
    ):
        yield transport, running


def check_request(server, expected):
    [request] = server.requests
    assert request.method == expected["method"]
    assert {name: request.headers[name] for name in expected["request_headers"]} == expected[
        "request_headers"
    ]


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
        if "act" in case:
            await stop_after_the_first_event(transport, server)
            return
        check_end(await Session(transport, "t").send("hi"), expected)
        if "method" in expected:
            check_request(server, expected)


def check_end(end, expected):
    if expected.get("end") == "success":
        assert isinstance(end, Success)
        return
    assert isinstance(end, Failed)
    assert end.code == "CLIENT_ERROR"
    kind = "transport" if expected["error"] == "http" else expected["error"]
    assert end.error.kind == kind
    assert expected.get("message_contains", "") in end.message
    if "status" in expected:
        assert (end.error.status, len(end.error.excerpt)) == (expected["status"], expected["body_len"])


async def stop_after_the_first_event(transport, server):
    session = Session(transport, "t")
    async with session.send("hi") as updates:
        async for _ in updates:
            break
    await asyncio.wait_for(server.gone.wait(), 5)
    assert (session.end.code, session.end.message) == ("CANCELLED", "Run cancelled")
    assert isinstance(await session.run(), Success)
