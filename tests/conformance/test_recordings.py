"""Every recorded answer of a real server folds, in profile ``tolerant``, to the end it recorded.

Messages and state equal what the reference client made of the same bytes; where they do not, the table
says why, once.
"""

import json

import pytest

from chat_app.agui import (
    Failed,
    HttpStatus,
    HttpTransport,
    Interrupted,
    NotAnEventStream,
    Session,
    StreamCut,
    Success,
    Truncated,
)
from chat_app.agui.requests import adjacent
from chat_app.agui.stored import parse_message
from tests.support.raw_server import head, raw_server
from tests.support.recorded import (
    FOLDER,
    last_word,
    predecessor,
    recordings,
    reference_of,
    refusals,
    request_of,
    session_of,
)
from tests.support.shared import params

DIFFERENT = {
    "agent-framework/two_approvals_both_2_resume": "C10: the stray TOOL_CALL_END is dropped; the reference rejects",
    "agent-framework/two_frontend_tools_1_call": "quirk 17: streamed arguments survive the empty snapshot; ids once",
    "agent-framework/two_frontend_tools_2_result": "quirk 17: ids once in the seeded history",
    "agno/approval_legacy_approve_2_answer": "quirk 22: repeated arguments replace the first, not doubled",
    "agno/user_input_legacy_2_answer": "quirk 22: repeated arguments replace the first, not doubled",
    "pydantic-ai/reasoning_legacy_thinking": "THINKING_*: each client mints its own id",
    "pydantic-ai-1.37/reasoning": "THINKING_*: each client mints its own id",
}
"""Recordings whose messages differ from the reference client's, and why ours are right."""


def name_of(entry):
    return f"{entry['framework']}/{entry['scenario']}"


STREAMS = recordings()
LEGACY_QUESTIONS = {
    "agent-framework-1.0b/state_predictive",
    "google-adk/state_predictive",
    "agno/approval_legacy_approve_1",
    "agno/approval_legacy_reject_1",
    "agno/user_input_legacy_1",
    "crewai/approval_legacy_1_on_interrupt",
    "google-adk/approval_legacy_approve_1_request",
    "google-adk/approval_legacy_reject_1_request",
    "langgraph/approval_legacy_approve_1_interrupt",
    "langgraph/approval_legacy_reject_1_interrupt",
    "langgraph-0.0.22/approval_legacy_approve_1_interrupt",
    "langgraph-0.0.22/approval_legacy_reject_1_interrupt",
}
"""Runs that end like a success but ask: an adapter makes the question visible."""


@pytest.mark.parametrize("entry", params(STREAMS, map(name_of, STREAMS)))
async def test_a_recorded_run_folds_to_its_own_end(entry):
    session, run = session_of(entry, on_diagnostic=lambda _: None)

    end = await session.run(run)

    assert end == session.transcript.run
    check_end(entry, end, last_word(entry))
    reference = reference_of(entry)
    assert session.raw_state == reference["state"]
    messages = [message.model_dump(mode="json", by_alias=True) for message in session.messages]
    assert (messages == reference["messages"]) is (name_of(entry) not in DIFFERENT)
    json.dumps(messages, ensure_ascii=False).encode()


def check_end(entry, end, word):
    if word is None:
        assert isinstance(end, Failed)
        assert isinstance(end.error, StreamCut if "cut" in entry["transport"] else Truncated)
    elif word["type"] == "RUN_ERROR":
        assert (end.message, end.code) == (word["message"], word.get("code"))
    elif name_of(entry) in LEGACY_QUESTIONS or (word.get("outcome") or {}).get("type") == "interrupt":
        assert isinstance(end, Interrupted)
    else:
        assert isinstance(end, Success)


REFUSED = refusals()


@pytest.mark.parametrize("entry", params(REFUSED, map(name_of, REFUSED)))
async def test_a_recorded_refusal_gives_its_status(entry):
    body = (FOLDER / entry["file"]).read_bytes()
    answer = head(f"{entry['http_status']} Said", content_type=entry["content_type"])
    async with raw_server((answer, body)) as server, HttpTransport(server.url) as transport:
        end = await Session(transport, "t").run()
    assert isinstance(end, Failed)
    assert isinstance(end.error, HttpStatus | NotAnEventStream)
    assert str(entry["http_status"]) in end.message


FOLLOW_UPS = [(entry, before) for entry in STREAMS if (before := predecessor(entry)) is not None]
DIFFERENT_HISTORY = {
    "agent-framework/hydrate_2_empty_messages": "the recorder sent no history on purpose",
    "agent-framework/two_frontend_tools_2_result": "quirk 17: ours carries the streamed arguments, ids once",
    "claude-agent-sdk/reasoning_with_tool_turn_2": "C5: reasoning with an encrypted value goes back",
}
"""Follow-up requests whose history differs from the one the server was sent, and why ours is as good."""


@pytest.mark.parametrize("pair", params(FOLLOW_UPS, [name_of(entry) for entry, _ in FOLLOW_UPS]))
async def test_the_next_request_carries_the_history_the_server_took(pair):
    entry, before = pair
    session, run = session_of(before, on_diagnostic=lambda _: None)
    await session.run(run)

    ours = adjacent(session.applier.outgoing())

    sent = [parse_message(message) for message in request_of(entry)["messages"]]
    held = {message.id for message in ours}
    theirs = adjacent([message for message in sent if message.id in held])
    assert (theirs == ours) is (name_of(entry) not in DIFFERENT_HISTORY)
