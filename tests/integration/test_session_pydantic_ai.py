"""The session against a real agent of another framework, started for real."""

import pytest
import pytest_asyncio
from pydantic import BaseModel

from chat_app.agui import (
    CURRENT,
    HttpTransport,
    Interrupted,
    ResumeBuilder,
    RunTool,
    Session,
    Success,
    TextPart,
    ToolCallPart,
    actions_of,
)
from tests.support.processes import free_port, running

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def joinery():
    port = free_port()
    script = ["examples/pydantic_ai_agent.py", "--port", str(port), "--pause", "0"]
    async with running(script, port=port) as server, HttpTransport(f"{server.url}/agent") as transport:
        yield transport


@pytest.fixture
def warnings():
    return []


@pytest.fixture
def session(joinery, warnings):
    return Session(joinery, "thread-1", profile=CURRENT, on_diagnostic=warnings.append)


def parts(session, kind):
    return [part for row in session.transcript.messages for part in row.parts if isinstance(part, kind)]


async def test_a_chat_over_two_turns_is_clean_in_the_strictest_profile(session, warnings):
    assert isinstance(await session.send("hello"), Success)
    assert isinstance(await session.send("how many hinges are in stock?"), Success)
    [call] = parts(session, ToolCallPart)
    assert (call.name, call.status, call.result) == ("stock_of", "complete", "112 hinges in stock")
    assert "112 hinges" in parts(session, TextPart)[-1].text
    assert warnings == []


async def test_an_approval_is_asked_and_given(session):
    end = await session.send("order 40 hinges")
    assert isinstance(end, Interrupted)
    [question] = session.pending_interrupts
    [call] = parts(session, ToolCallPart)
    assert (question.tool_call_id, call.status) == (call.wire_id, "awaiting_approval")
    assert actions_of(question).approve

    assert isinstance(await session.resume(ResumeBuilder([question]).approve(question.id).build()), Success)

    [call] = parts(session, ToolCallPart)
    assert (call.status, call.result) == ("complete", "Ordered 40 hinges")
    assert session.pending_interrupts == ()


async def test_an_approval_with_edits_runs_the_edited_call(session):
    await session.send("order 40 hinges")
    [question] = session.pending_interrupts
    builder = ResumeBuilder([question]).approve(question.id, edited={"part": "locks", "quantity": 2})
    await session.resume(builder.build())
    assert parts(session, ToolCallPart)[0].result == "Ordered 2 locks"


@pytest.mark.parametrize("act", ["reject", "cancel"])
async def test_a_no_is_understood(session, act):
    await session.send("order 40 hinges")
    [question] = session.pending_interrupts
    end = await session.resume(getattr(ResumeBuilder([question]), act)(question.id).build())
    assert isinstance(end, Success)
    assert "did not run" in parts(session, TextPart)[-1].text


async def test_a_run_that_was_stopped_leaves_the_session_usable(session):
    async with session.send("hello") as updates:
        await anext(updates)
    assert session.end.code == "CANCELLED"
    assert isinstance(await session.send("how many locks are in stock?"), Success)
    assert "0 locks" in parts(session, TextPart)[-1].text


class Zone(BaseModel):
    zone: str


async def test_a_frontend_tool_is_called_executed_and_answered(warnings):
    async def local_time(arguments, context):
        assert context.call_id == "call-local_time"
        return f"14:05 {arguments.zone}"

    tool = RunTool(name="local_time", description="The time here", arguments=Zone, execute=local_time)
    port = free_port()
    script = ["tests/support/pydantic_ai_frontend.py", str(port)]
    async with running(script, port=port) as server, HttpTransport(f"{server.url}/agent") as transport:
        session = Session(transport, "thread-2", tools=[tool], profile=CURRENT, on_diagnostic=warnings.append)
        assert isinstance(await session.send("what time is it?"), Success)
    assert parts(session, TextPart)[-1].text == "Heard: 14:05 UTC"
    assert parts(session, ToolCallPart)[0].status == "complete"
    assert warnings == []
