"""The session against a real agent that speaks in chunks alone, started for real.

It never sends TOOL_CALL_RESULT, renames what it streamed in every snapshot, and puts its own prompt there.
"""

import pytest
import pytest_asyncio
from pydantic import BaseModel

from chat_app.agui import (
    HttpTransport,
    RunTool,
    Session,
    Success,
    TextAdded,
    TextPart,
    ToolCallPart,
)
from tests.support.processes import free_port, running

pytestmark = [pytest.mark.live, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def agent():
    port = free_port()
    script = ["tests/support/llama_index_agent.py", str(port)]
    async with running(script, port=port) as server, HttpTransport(f"{server.url}/agent/run") as transport:
        yield transport


@pytest.fixture
def warnings():
    return []


def parts(session, kind):
    return [part for row in session.transcript.messages for part in row.parts if isinstance(part, kind)]


def roles(session):
    return [row.role for row in session.transcript.messages]


async def test_chunks_become_one_text_that_grows(agent):
    session = Session(agent, "thread-1")
    async with session.send("hello") as updates:
        deltas = [update.delta async for update in updates if isinstance(update, TextAdded)]
    text = parts(session, TextPart)[-1]
    assert len(deltas) > 10
    assert text.text == "".join(deltas) == 'Line 1 after ["You keep the joinery\'s store."].'
    assert not text.streaming


async def test_the_agents_prompt_is_neither_shown_nor_sent_back(agent):
    session = Session(agent, "thread-2")
    for line in range(1, 4):
        assert isinstance(await session.send("hello"), Success)
        said = parts(session, TextPart)[-1].text
        assert said == f'Line {line} after ["You keep the joinery\'s store."].'
    assert roles(session) == ["user", "assistant"] * 3


async def test_a_call_of_the_agents_own_tool_gets_its_result_from_the_snapshot(agent):
    session = Session(agent, "thread-3")
    assert isinstance(await session.send("how many hinges are in stock?"), Success)
    [call] = parts(session, ToolCallPart)
    assert (call.name, call.args, call.status) == ("stock_of", '{"part": "hinges"}', "complete")
    assert call.result == "112 hinges in stock"
    texts = [part.text for part in parts(session, TextPart)]
    assert texts == ["how many hinges are in stock?", "Looking.", "Heard: 112 hinges in stock"]

    assert isinstance(await session.send("hello"), Success)

    assert parts(session, TextPart)[-1].text.startswith("Line 2 after")
    assert parts(session, ToolCallPart) == [call]


class Zone(BaseModel):
    zone: str


async def test_a_frontend_tool_is_called_executed_and_answered_over_a_second_turn(agent, warnings):
    async def local_time(arguments, context):
        return f"14:05 {arguments.zone}"

    tool = RunTool(name="local_time", description="The time here", arguments=Zone, execute=local_time)
    session = Session(agent, "thread-4", tools=[tool], on_diagnostic=warnings.append)
    for turn in (1, 2):
        assert isinstance(await session.send("what time is it?"), Success)
        assert parts(session, TextPart)[-1].text == "Heard: 14:05 UTC"
        calls = parts(session, ToolCallPart)
        assert [(call.status, call.result) for call in calls] == [("complete", "14:05 UTC")] * turn
    assert [warning for warning in warnings if warning.error is not None] == []
