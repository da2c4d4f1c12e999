"""What leaves this side: ``resume-cases.json`` and ``request-sample.json``."""

import pytest
from ag_ui.core import Interrupt, Message, ResumeEntry
from pydantic import TypeAdapter, ValidationError

from chat_app.agui import HttpTransport, ReplayTransport, RunParams, Session, UsageError
from tests.conformance.overrides import adjusted
from tests.support.raw_server import END, raw_server, sse, stream_head
from tests.support.scripts import RUN_FINISHED, RUN_STARTED, run
from tests.support.shared import load, params

RESUMES = load("fixtures/protocol/resume-cases.json") or []


@pytest.mark.parametrize("case", params(RESUMES, [case["name"] for case in RESUMES]))
async def test_a_resume_is_sent_or_refused_as_the_case_says(case):
    case = adjusted("protocol/resume-cases", case, key="name")
    transport = ReplayTransport(run())
    pending = [Interrupt.model_validate(one) for one in case["pending"]]
    session = Session.restore(transport, "t", [], pending=pending)

    sent = await attempt(session, case["resume"])

    assert sent is (case["verdict"] == "sent")
    assert [one.id for one in session.pending_interrupts] == case["pendingAfter"]
    if sent:
        body = transport.requests[0].model_dump(by_alias=True)
        assert body.get("resume") == case["sentResume"]
    else:
        assert transport.requests == ()
        assert session.transcript.messages == ()


async def attempt(session, resume):
    try:
        if resume is None:
            await session.run()
        else:
            await session.resume([ResumeEntry.model_validate(entry) for entry in resume])
    except (UsageError, ValidationError):
        return False
    return True


SAMPLE = load("fixtures/protocol/request-sample.json")


@pytest.mark.parametrize("sample", params([SAMPLE] if SAMPLE else [], ["request-sample"]))
async def test_a_request_is_the_one_the_reference_client_sends(sample):
    body, headers = sample["body"], sample["headers"]
    async with raw_server((stream_head(), sse(RUN_STARTED, RUN_FINISHED), END)) as server:
        transport = HttpTransport(server.url, headers={"Authorization": headers["Authorization"]})
        messages = TypeAdapter(list[Message]).validate_python(body["messages"])
        await Session(transport, body["threadId"], messages=messages).run(RunParams(run_id=body["runId"]))
        await transport.aclose()

    [request] = server.requests
    assert request.method == sample["method"]
    assert request.json() == body
    assert {name: request.headers[name.lower()] for name in headers} == headers
