"""The protocol's streams through a whole session: the end a caller gets, and what the next request is.

The stages are judged elsewhere; here it is the verdict that counts. A stream that breaks a rule after the
agent's last word is refused, and the agent's word stands (C3).
"""

import json

import pytest

from chat_app.agui import CURRENT, Failed, HttpTransport, ReplayTransport, RunParams, Session
from chat_app.agui.stored import parse_message
from tests.conformance.overrides import adjusted
from tests.support.raw_server import END, chunk, raw_server, stream_head
from tests.support.shared import files, params

FOLDERS = ("streams", "edge")
CASES = [
    (folder, case)
    for folder in FOLDERS
    for path in files(f"fixtures/protocol/{folder}/*.json")
    if (case := json.loads(path.read_text("utf-8"))).get("level") != "MAY"
]
VERDICT_STANDS = {"event-after-run-finished-fatal", "double-run-finished", "event-after-run-error"}
LEGACY_QUESTIONS = {"interrupt-legacy-langgraph", "interrupt-legacy-two"}


def frame(event):
    return chunk(f"data: {json.dumps(event)}\n\n".encode())


def started_with(case):
    """Return what the run of a case starts from."""
    given = case.get("input") or {}
    return {
        "messages": [parse_message(one) for one in given.get("messages", [])],
        "state": given.get("state"),
    }


@pytest.mark.parametrize("found", params(CASES, [f"{folder}/{case['name']}" for folder, case in CASES]))
async def test_a_session_gives_the_verdict_of_the_case(found):
    folder, case = found
    case = adjusted(f"protocol/{folder}", case, key="name")
    warnings = []
    transport = ReplayTransport(case["stream"], [])
    session = Session(transport, "t", profile=CURRENT, on_diagnostic=warnings.append, **started_with(case))

    end = await session.run()

    assert end == session.transcript.run
    check_end(case, end, session)
    check_next_request(session, transport)


def check_end(case, end, session):
    expected, broken = case["expect"], isinstance(end, Failed) and end.code == "CLIENT_ERROR"
    stands = case["name"] in VERDICT_STANDS
    assert broken is (expected["outcome"] != "completed" and not stands)
    if "runError" in expected and not broken and case["stream"][-1].get("type") == "RUN_ERROR":
        assert (end.message, end.code) == (expected["runError"], case["stream"][-1].get("code"))
    if "pendingInterruptIds" in expected and case["name"] not in LEGACY_QUESTIONS:
        assert [one.id for one in session.pending_interrupts] == expected["pendingInterruptIds"]
    if case["name"] in LEGACY_QUESTIONS:
        assert session.pending_interrupts


def check_next_request(session, transport):
    """Whatever came, a further request is whole, encodable and free of nulls and activities."""
    request, _ = session._outbox.request(RunParams())
    body = request.model_dump_json(by_alias=True)
    assert body.encode()
    assert all(message.role != "activity" for message in request.messages)
    assert len(transport.requests) == 1


async def test_the_whole_corpus_reads_the_same_over_a_socket():
    cases = [case for _, case in CASES if all(isinstance(event, dict) for event in case["stream"])]
    if not cases:
        pytest.skip("no shared fixtures; set PARLEY_SHARED")
    scripts = [(stream_head(), *map(frame, case["stream"]), END) for case in cases]
    async with raw_server(*scripts) as server, HttpTransport(server.url) as transport:
        for case in cases:
            quiet = {"profile": CURRENT, "on_diagnostic": lambda _: None, **started_with(case)}
            there = Session(transport, "t", **quiet)
            here = Session(ReplayTransport(case["stream"]), "t", **quiet)
            assert type(await there.run()) is type(await here.run())
            assert there.transcript.messages == here.transcript.messages
            assert there.messages == here.messages
            assert there.raw_state == here.raw_state
