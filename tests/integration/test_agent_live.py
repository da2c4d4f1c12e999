"""A question that is settled while its run goes on, over a real server: the answer comes in beside the stream."""

import json

import httpx
import pytest

from tests.support.agent_harness import TOKEN, check_order, decode, outcome_of, run_input, state_of, text_of
from tests.support.processes import free_port, running

HEADERS = {"accept": "text/event-stream", "authorization": f"Bearer {TOKEN}"}


@pytest.fixture
async def server():
    port = free_port()
    arguments = [
        "-m",
        "uvicorn",
        "tests.support.agent_app:app",
        "--port",
        str(port),
        "--log-level",
        "warning",
    ]
    async with running(arguments, port=port, AGENT_PACE="0", AGENT_LIVE="1") as server:
        yield server


@pytest.fixture
async def http(server):
    async with httpx.AsyncClient(base_url=server.url, headers=HEADERS, timeout=10) as client:
        yield client


async def read(chunks, until):
    seen = ""
    async for chunk in chunks:
        seen += chunk
        if until in seen:
            break
    return seen


def events_in(text):
    whole = text[: text.rindex("\n\n") + 2]
    return decode(whole.encode())


@pytest.mark.parametrize(
    ("payload", "decision", "words"),
    [
        ({"approved": True}, "allow", "Done: **184.5 EUR to Ines Marlow**"),
        ({"approved": False, "reason": "too much"}, "deny", "You said: “too much”."),
    ],
    ids=["approved", "rejected"],
)
async def test_a_run_goes_on_once_its_question_is_answered(http, payload, decision, words):
    body = run_input("Refund order T-1042")
    async with http.stream("POST", "/agent", json=body) as response:
        chunks = response.aiter_text()
        begun = await read(chunks, "permission_request")
        (asked,) = [event["value"] for event in events_in(begun) if event["type"] == "CUSTOM"]
        pending = state_of(events_in(begun))["pendingPermission"]
        assert pending["id"] == asked["id"]
        assert json.loads(asked["arguments"])["order"] == "T-1042"
        entry = {"interruptId": asked["id"], "status": "resolved", "payload": payload}
        answer = {"threadId": body["threadId"], "entry": entry}
        assert (await http.post("/agent/permissions", json=answer)).status_code == 204
        events = events_in(begun + await read(chunks, "RUN_FINISHED") + "\n\n")
    check_order(events)
    assert [one["value"]["decision"] for one in events if one.get("name") == "ui_resolved"] == [decision]
    assert state_of(events)["pendingPermission"] is None
    assert outcome_of(events) == {"type": "success"}
    assert words in text_of(events)
    assert (await http.post("/agent/permissions", json=answer)).status_code == 404


async def test_a_question_is_gone_with_the_client_that_was_asked(server, http):
    body = run_input("Refund order T-1042", runId="left")
    async with http.stream("POST", "/agent", json=body) as response:
        begun = await read(response.aiter_text(), "permission_request")
    (asked,) = [event["value"] for event in events_in(begun) if event["type"] == "CUSTOM"]
    entry = {"interruptId": asked["id"], "status": "cancelled"}
    answer = {"threadId": body["threadId"], "entry": entry}
    await server.says("Run left of thread thread-1 was stopped", within=5)
    assert (await http.post("/agent/permissions", json=answer)).status_code == 404
