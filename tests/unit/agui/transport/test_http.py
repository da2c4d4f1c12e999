import asyncio
import gzip
import json
import socket
import ssl
from contextlib import aclosing
from datetime import UTC, datetime
from http import HTTPStatus

import httpx
import pytest
from ag_ui.core import RunAgentInput, UserMessage

from chat_app.agui.errors import (
    BadFrame,
    ConfigError,
    ConnectFailed,
    HttpStatus,
    NotAnEventStream,
    StreamCut,
    TimedOut,
)
from chat_app.agui.transport.http import HttpTransport, encode
from tests.support.raw_server import CUT, END, chunk, head, raw_server, sse, stream_head
from tests.support.scripts import RUN_FINISHED, RUN_STARTED

INPUT = RunAgentInput(
    thread_id="t",
    run_id="r1",
    protocol_version="1.0",
    messages=[UserMessage(id="u1", role="user", content="Grüße")],
    state={},
    tools=[],
    context=[],
    forwarded_props={},
)
WHOLE = (stream_head(), sse(RUN_STARTED), sse(RUN_FINISHED), END)


async def collect(transport, run_input=INPUT):
    async with aclosing(transport.run(run_input)) as frames:
        return [frame async for frame in frames]


async def test_a_run_is_one_post_that_asks_for_an_event_stream_and_nothing_else():
    async with raw_server(WHOLE) as server, HttpTransport(server.url, headers={"X-Key": "k"}) as transport:
        assert await collect(transport) == [RUN_STARTED, RUN_FINISHED]

    [request] = server.requests
    assert (request.method, request.path) == ("POST", "/agent")
    assert request.headers["accept"] == "text/event-stream"
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-key"] == "k"
    assert request.json() == {
        "threadId": "t",
        "runId": "r1",
        "protocolVersion": "1.0",
        "messages": [{"id": "u1", "role": "user", "content": "Grüße"}],
        "state": {},
        "tools": [],
        "context": [],
        "forwardedProps": {},
    }


async def test_comments_and_compression_and_charset_parameters_do_not_show():
    body = b": hello\n\n" + b"".join(
        b"data: " + json.dumps(event).encode() + b"\r\n\r\n" for event in (RUN_STARTED, RUN_FINISHED)
    )
    answer = head(content_type="text/event-stream; charset=utf-8", content_encoding="gzip")
    async with raw_server((answer, gzip.compress(body))) as server:
        assert await collect(HttpTransport(server.url)) == [RUN_STARTED, RUN_FINISHED]


async def test_broken_compression_is_a_cut_stream():
    answer = head(content_type="text/event-stream", content_encoding="gzip")
    async with raw_server((answer, b"no gzip at all")) as server:
        with pytest.raises(StreamCut):
            await collect(HttpTransport(server.url))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ('{"detail": "token expired"}', "token expired"),
        ('{"error": {"message": "no access to agent"}}', "no access to agent"),
        (
            '{"detail": [{"loc": ["body", "messages", 0], "msg": "Field required"}]}',
            "body.messages.0: Field required",
        ),
        ("<h1>Bad gateway</h1>", HTTPStatus.UNPROCESSABLE_ENTITY.phrase),
    ],
)
async def test_a_refused_request_carries_status_and_the_reason_of_the_body(body, reason):
    answer = (head("422 Unprocessable Content", content_type="application/json"), body.encode())
    async with raw_server(answer) as server:
        with pytest.raises(HttpStatus) as caught:
            await collect(HttpTransport(server.url))
    assert (caught.value.status, caught.value.excerpt) == (422, body)
    assert caught.value.message == f"The agent answered with HTTP status 422: {reason}."


async def test_a_long_error_body_is_cut_and_the_rest_never_waited_for():
    never = asyncio.Event()
    answer = (head("500 Internal Server Error", content_type="text/plain"), b"x" * 20_000, never)
    async with raw_server(answer) as server:
        with pytest.raises(HttpStatus) as caught:
            await collect(HttpTransport(server.url))
        await asyncio.wait_for(server.gone.wait(), 5)
    assert caught.value.excerpt == "x" * 2048


async def test_an_error_body_that_never_comes_is_given_up():
    answer = (head("503 Service Unavailable", content_type="text/plain"), b"half a", asyncio.Event())
    async with raw_server(answer) as server:
        with pytest.raises(HttpStatus) as caught:
            await collect(HttpTransport(server.url, connect_timeout=0.2))
    assert caught.value.excerpt == "half a"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", "7"),
        ("Mon, 30 Nov 2026 12:00:30 GMT", "30"),
        ("Mon, 30 Nov 2026 11:00:00 GMT", "0"),
        ("soon", None),
    ],
)
async def test_a_busy_agent_says_how_long_to_wait(header, seconds):
    noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    async with raw_server((head("429 Too Many Requests", retry_after=header),)) as server:
        with pytest.raises(HttpStatus) as caught:
            await collect(HttpTransport(server.url, now=lambda: noon))
    assert caught.value.retry_after == seconds
    assert ("wait" in caught.value.message) is (seconds is not None)


@pytest.mark.parametrize(
    ("answer", "kind", "status"),
    [
        ((head(content_type="text/html"), b"<title>Sign in</title>"), "text/html", 200),
        ((head(content_type="application/json"), b'{"error": "not configured"}'), "application/json", 200),
        ((head(), b"data: {}"), "no content type", 200),
        ((head("204 No Content"),), "nothing", 204),
    ],
)
async def test_a_page_instead_of_a_stream_is_no_answer(answer, kind, status):
    async with raw_server(answer) as server:
        with pytest.raises(NotAnEventStream) as caught:
            await collect(HttpTransport(server.url))
    assert f"answered with {kind} (status {status}) instead" in caught.value.message
    assert "Sign in" not in caught.value.message


async def test_nothing_listening_is_a_failed_connection_that_names_the_place_only():
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(ConnectFailed, match=f"http://127.0.0.1:{port} ") as caught:
            await collect(HttpTransport(f"http://127.0.0.1:{port}/agent?key=secret"))
    assert "secret" not in caught.value.message


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param((stream_head(), sse(RUN_STARTED), CUT), id="reset"),
        pytest.param((stream_head(), sse(RUN_STARTED)), id="closed without the final chunk"),
        pytest.param((CUT,), id="closed before the head"),
    ],
)
async def test_a_connection_that_breaks_is_a_cut_stream(answer):
    async with raw_server(answer) as server:
        with pytest.raises(StreamCut):
            await collect(HttpTransport(server.url))


async def test_what_arrived_before_the_cut_was_delivered():
    async with (
        raw_server((stream_head(), sse(RUN_STARTED))) as server,
        aclosing(HttpTransport(server.url).run(INPUT)) as frames,
    ):
        assert await anext(frames) == RUN_STARTED
        with pytest.raises(StreamCut):
            await anext(frames)


async def test_a_frame_that_is_no_event_or_too_large_ends_the_stream():
    async with raw_server((stream_head(), chunk(b"data: {oops}\n\n"), END)) as server:
        with pytest.raises(BadFrame):
            await collect(HttpTransport(server.url))
        with pytest.raises(BadFrame):
            await collect(HttpTransport(server.url, frame_cap=5))


async def test_silence_is_no_timeout_by_default():
    quiet = asyncio.Event()
    async with raw_server((stream_head(), sse(RUN_STARTED), quiet, sse(RUN_FINISHED), END)) as server:
        asyncio.get_running_loop().call_later(0.3, quiet.set)
        frames = await collect(HttpTransport(server.url, connect_timeout=0.1))
    assert frames == [RUN_STARTED, RUN_FINISHED]


async def test_silence_past_the_idle_limit_is_a_timeout():
    async with raw_server((stream_head(), sse(RUN_STARTED), asyncio.Event())) as server:
        with pytest.raises(TimedOut, match="nothing for 0"):
            await collect(HttpTransport(server.url, idle_limit=0.1))
        await asyncio.wait_for(server.gone.wait(), 5)


async def test_comments_count_as_life():
    pauses = [asyncio.Event() for _ in range(4)]
    for number, pause in enumerate(pauses, 1):
        asyncio.get_running_loop().call_later(0.1 * number, pause.set)
    keepalive = [piece for pause in pauses for piece in (pause, chunk(b": still here\n\n"))]
    async with raw_server((stream_head(), sse(RUN_STARTED), *keepalive, sse(RUN_FINISHED), END)) as server:
        assert await collect(HttpTransport(server.url, idle_limit=0.25)) == [RUN_STARTED, RUN_FINISHED]


async def test_the_whole_run_can_be_bounded():
    for script in ((asyncio.Event(),), (stream_head(), sse(RUN_STARTED), asyncio.Event())):
        async with raw_server(script) as server:
            with pytest.raises(TimedOut, match="longer than 0"):
                await collect(HttpTransport(server.url, total_timeout=0.2))


async def test_a_server_that_does_not_accept_is_a_timeout():
    client = httpx.AsyncClient(transport=httpx.MockTransport(_connect_timeout))
    with pytest.raises(TimedOut, match="did not take the request within 3 s"):
        await collect(HttpTransport("http://agent.test/", connect_timeout=3, client=client))
    await client.aclose()


def _connect_timeout(request):
    raise httpx.ConnectTimeout("", request=request)


async def test_closing_the_iterator_closes_the_connection():
    async with raw_server((stream_head(), sse(RUN_STARTED), asyncio.Event())) as server:
        async with aclosing(HttpTransport(server.url).run(INPUT)) as frames:
            assert await anext(frames) == RUN_STARTED
        await asyncio.wait_for(server.gone.wait(), 5)


async def test_a_redirect_on_the_same_server_is_followed_with_the_same_body():
    moved = (head("307 Temporary Redirect", location="/agent/"),)
    async with raw_server(moved, WHOLE) as server:
        assert await collect(HttpTransport(server.url, headers={"Authorization": "Bearer x"}))
    assert [request.path for request in server.requests] == ["/agent", "/agent/"]
    assert server.requests[1].body == server.requests[0].body


async def test_a_redirect_to_another_server_is_refused_and_sees_neither_body_nor_token():
    async with raw_server(WHOLE) as other:
        moved = (head("307 Temporary Redirect", location=other.url),)
        async with raw_server(moved) as server:
            with pytest.raises(HttpStatus, match="another server"):
                await collect(HttpTransport(server.url, headers={"Authorization": "Bearer x"}))
    assert other.requests == []


async def test_a_redirect_that_would_drop_the_body_is_refused():
    async with raw_server((head("302 Found", location="/elsewhere"),)) as server:
        with pytest.raises(HttpStatus, match="drops the request"):
            await collect(HttpTransport(server.url))
    assert len(server.requests) == 1


async def test_redirects_in_circles_end():
    async with raw_server((head("308 Permanent Redirect", location="/agent"),)) as server:
        with pytest.raises(ConnectFailed, match="circles"):
            await collect(HttpTransport(server.url))


@pytest.mark.parametrize(
    "headers", [{"x-a": "bad\nvalue"}, {"x-a": "é\u2028"}, {"x a": "v"}, {"Accept": "*/*"}, {"x": " v"}]
)
def test_a_bad_header_is_refused_at_construction(headers):
    with pytest.raises(ConfigError):
        HttpTransport("http://localhost/agent", headers=headers)


def test_the_complaint_about_a_header_keeps_its_value_secret():
    with pytest.raises(ConfigError) as caught:
        HttpTransport("http://localhost/agent", headers={"Authorization": "Bearer s3cret\r\n"})
    assert "s3cret" not in caught.value.message


@pytest.mark.parametrize(
    "url", ["", "localhost:8000/agent", "ftp://host/agent", "http://", "http://[::1", None]
)
def test_a_bad_address_is_refused_at_construction(url):
    with pytest.raises(ConfigError):
        HttpTransport(url)


@pytest.mark.parametrize(
    "limits", [{"connect_timeout": 0}, {"idle_limit": -1}, {"total_timeout": 0}, {"frame_cap": 0}]
)
def test_a_limit_of_nothing_is_refused(limits):
    with pytest.raises(ConfigError):
        HttpTransport("http://localhost/agent", **limits)


async def test_tls_settings_and_a_lent_client_exclude_each_other():
    async with httpx.AsyncClient() as client:
        with pytest.raises(ConfigError):
            HttpTransport("https://agent.test/", client=client, tls=ssl.create_default_context())


async def test_only_a_client_made_here_is_closed():
    async with httpx.AsyncClient() as lent:
        await HttpTransport("http://localhost/agent", client=lent).aclose()
        assert not lent.is_closed
    own = HttpTransport("https://agent.test/", tls=ssl.create_default_context())
    await own.aclose()
    assert own._client.is_closed


async def test_cookies_of_one_answer_are_not_sent_with_the_next():
    cookie = (stream_head(set_cookie="who=alice; Path=/"), sse(RUN_STARTED, RUN_FINISHED), END)
    async with raw_server(cookie) as server, HttpTransport(server.url) as transport:
        await collect(transport)
        await collect(transport)
    assert "cookie" not in server.requests[1].headers


@pytest.mark.parametrize(
    ("url", "proxied"),
    [
        ("http://127.0.0.1:1/agent", False),
        ("http://localhost/agent", False),
        ("http://[::1]:1/agent", False),
        ("http://agent.test/", True),
    ],
)
async def test_proxies_are_for_other_machines(url, proxied):
    transport = HttpTransport(url)
    assert transport._client.trust_env is proxied
    await transport.aclose()


def test_halves_of_a_character_never_leave():
    joined = INPUT.model_copy(
        update={"messages": [UserMessage(id="u", role="user", content="\ud83d\udc68\ud83d")]}
    )
    assert json.loads(encode(joined))["messages"][0]["content"] == "👨\ufffd"


def test_what_is_shown_of_a_transport_holds_no_query():
    assert (
        repr(HttpTransport("http://localhost:1/agent?key=secret"))
        == "HttpTransport('http://localhost:1/agent')"
    )
