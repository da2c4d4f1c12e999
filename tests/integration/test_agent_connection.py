"""The embedded agent behind real servers: it notices a closed connection, in time and never falsely."""

import asyncio

import httpx
import pytest

from tests.support.agent_harness import TOKEN, decode, outcome_of, run_input, text_of
from tests.support.processes import free_port, running

pytestmark = pytest.mark.faults

HEADERS = {"accept": "text/event-stream", "authorization": f"Bearer {TOKEN}"}
APP = "tests.support.agent_app:app"


@pytest.fixture(params=["uvicorn", "granian"])
async def server(request):
    port = free_port()
    arguments = {
        "uvicorn": ["-m", "uvicorn", APP, "--port", str(port), "--log-level", "warning"],
        "granian": ["-m", "granian", "--interface", "asgi", "--port", str(port), APP],
    }[request.param]
    async with running(arguments, port=port) as server:
        yield server


async def read_until(response, words):
    seen = ""
    async for text in response.aiter_text():
        seen += text
        if words in seen:
            return seen
    raise AssertionError(f"the stream ended without {words!r}: {seen}")


async def start_and_leave(server, line, *, after, run_id):
    async with httpx.AsyncClient(timeout=5) as client:
        body = run_input(line, runId=run_id)
        async with client.stream("POST", f"{server.url}/agent", json=body, headers=HEADERS) as response:
            await read_until(response, after)


@pytest.mark.parametrize(
    ("line", "after"),
    [("Say nothing", "RUN_STARTED"), ("Give me a slow answer", "spokes "), ("Write a guide", "bicycle ")],
    ids=["waiting", "pausing", "writing"],
)
async def test_a_closed_connection_stops_the_turn_and_is_logged(server, line, after):
    await start_and_leave(server, line, after=after, run_id="left-alone")
    await server.says("The client of run left-alone of thread thread-1 closed the connection", within=10)
    await server.says("Run left-alone of thread thread-1 was stopped", within=10)


async def test_a_run_that_completes_is_never_reported_as_stopped_and_the_next_works(server):
    await start_and_leave(server, "Say nothing", after="RUN_STARTED", run_id="left-alone")
    async with httpx.AsyncClient(timeout=5) as client:
        for number in range(5):
            body = run_input(f"Echo: {number}", runId=f"whole-{number}")
            response = await client.post(f"{server.url}/agent", json=body, headers=HEADERS)
            events = decode(response.content)
            assert text_of(events) == str(number)
            assert outcome_of(events) == {"type": "success"}
    await server.says("Run left-alone of thread thread-1 was stopped", within=10)
    assert not [line for line in server.said if "whole-" in line]


async def test_runs_side_by_side_stream_at_once_and_do_not_mix(server):
    async with httpx.AsyncClient(timeout=5) as client:

        async def ask(number):
            body = run_input(f"Echo: answer {number}", runId=f"run-{number}")
            response = await client.post(f"{server.url}/agent", json=body, headers=HEADERS)
            return text_of(decode(response.content))

        answers = await asyncio.gather(*(ask(number) for number in range(10)))
    assert answers == [f"answer {number}" for number in range(10)]


async def test_events_arrive_as_they_happen(server):
    async with httpx.AsyncClient(timeout=5) as client:
        body = run_input("Give me a slow answer")
        async with client.stream("POST", f"{server.url}/agent", json=body, headers=HEADERS) as response:
            assert response.headers["content-type"] == "text/event-stream"
            assert response.headers["x-accel-buffering"] == "no"
            assert "RUN_FINISHED" not in await read_until(response, '"I "')


async def test_the_awkward_agent_cuts_the_connection_inside_a_frame(server):
    async with httpx.AsyncClient(timeout=5) as client:
        with pytest.raises(httpx.RemoteProtocolError):
            await client.post(f"{server.url}/awkward/cut", json=run_input("hi"))
