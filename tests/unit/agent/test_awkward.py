import asyncio

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from chat_app.agent.awkward import BEHAVIOURS, OVERSIZE, CutOnPurpose, build_awkward
from tests.support.agent_harness import check_order, decode, run_input

AT_ONCE = sorted(set(BEHAVIOURS) - {"cut", "silent", "hung"})


def client():
    app = Starlette(routes=[Mount("/awkward", build_awkward())])
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://agent/awkward/")


async def ask(name, **fields):
    async with client() as http:
        return await http.post(name, **({"json": run_input("hi")} | fields))


async def types_from(name):
    return [event["type"] for event in decode((await ask(name)).content)]


@pytest.mark.parametrize("name", AT_ONCE)
async def test_every_behaviour_answers_and_ends(name):
    assert (await ask(name, params={"n": 3})).content


@pytest.mark.parametrize("name", ["unbracketed", "unfinished-message", "no-end", "late-error", "chunks"])
async def test_streams_that_break_the_rules_break_them(name):
    events = decode((await ask(name)).content)
    with pytest.raises((AssertionError, KeyError)):
        check_order(events)


async def test_an_error_comes_after_the_finish():
    assert (await types_from("late-error"))[-2:] == ["RUN_FINISHED", "RUN_ERROR"]


async def test_a_stream_without_an_end_has_no_terminal_event():
    assert (await types_from("no-end"))[-1] == "TEXT_MESSAGE_END"


async def test_the_ids_are_those_of_the_request():
    events = decode((await ask("unknown-event", json=run_input("hi", runId="r9"))).content)
    assert events[0]["runId"] == events[-1]["runId"] == "r9"
    assert events[1]["type"] == "HOLOGRAM_STARTED"


async def test_the_flood_is_as_long_as_it_is_asked_to_be():
    events = decode((await ask("flood", params={"n": 500})).content)
    check_order(events)
    assert len(events) == 504


async def test_the_truncated_stream_ends_inside_a_frame():
    content = (await ask("truncated")).content
    assert not content.endswith(b"\n")
    assert content.count(b"\n\n") == 3


async def test_one_frame_is_larger_than_a_careful_client_takes():
    assert max(map(len, (await ask("oversize")).content.split(b"\n\n"))) > OVERSIZE


async def test_windows_lines_are_a_good_run_for_whoever_reads_sse_by_the_book():
    content = (await ask("windows-lines")).content
    assert content.startswith(b"\xef\xbb\xbf: hello\r\n")
    assert not content.endswith(b"\n")
    assert b"\n" not in content.replace(b"\r\n", b"")


async def test_noise_is_no_text():
    response = await ask("noise")
    assert response.headers["content-type"] == "text/event-stream"
    with pytest.raises(UnicodeDecodeError):
        response.content.decode()


@pytest.mark.parametrize(
    ("name", "status", "header"),
    [
        ("html", 200, ("content-type", "text/html; charset=utf-8")),
        ("json", 200, ("content-type", "application/json")),
        ("500", 500, ("content-type", "text/plain; charset=utf-8")),
        ("401", 401, ("www-authenticate", "Bearer")),
        ("422", 422, ("content-type", "application/json")),
        ("429", 429, ("retry-after", "7")),
    ],
)
async def test_answers_that_are_no_stream_say_what_they_are(name, status, header):
    response = await ask(name)
    assert response.status_code == status
    assert response.headers[header[0]] == header[1]


async def test_the_cut_raises_in_the_server_which_drops_the_connection():
    with pytest.raises(CutOnPurpose):
        await ask("cut")


@pytest.mark.parametrize(("name", "first"), [("silent", b"RUN_STARTED"), ("hung", None)])
async def test_silence_lasts_until_the_client_leaves(name, first):
    left, said = asyncio.Event(), asyncio.Queue()
    request = b'{"threadId":"t","runId":"r"}'
    body = iter({"type": "http.request", "body": part, "more_body": False} for part in (request, b""))

    async def receive():
        message = next(body, None)
        if message is None:
            await left.wait()
            return {"type": "http.disconnect"}
        return message

    scope = {"type": "http", "method": "POST", "path": f"/{name}", "query_string": b"", "headers": []}
    serving = asyncio.ensure_future(build_awkward()(scope, receive, said.put))
    if first is not None:
        assert (await asyncio.wait_for(said.get(), 5))["type"] == "http.response.start"
        assert first in (await asyncio.wait_for(said.get(), 5))["body"]
    for _turn in range(10):
        await asyncio.sleep(0)
    assert said.empty()
    assert not serving.done()
    left.set()
    await asyncio.wait_for(serving, 5)


async def test_an_unknown_behaviour_names_those_there_are():
    response = await ask("nonsense")
    assert response.status_code == 404
    assert "late-error" in response.json()["detail"]


@pytest.mark.parametrize(
    "fields", [{"content": b"{"}, {"json": []}, {"json": {"threadId": "t"}}, {"params": {"n": "x"}}]
)
async def test_a_request_without_ids_is_refused(fields):
    assert (await ask("chunks", **fields)).status_code == 422
