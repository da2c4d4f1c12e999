"""Sessions over a real server on a real socket: the same run over each transport, many at once, and stops."""

import asyncio
import json
import socket
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import StreamingResponse
from starlette.routing import Route

from chat_app.agui import HttpTransport, InProcessTransport, ReplayTransport, RunTool, Session, Success
from chat_app.agui.tools import AnyArguments
from tests.support.scripts import call, finished, started, text


class Agent:
    """Says back what it hears, calls the client's tool when one is offered, or talks without end."""

    def __init__(self):
        self.left = asyncio.Event()
        self.app = Starlette(routes=[Route("/agent", self.answer, methods=["POST"])])

    async def answer(self, request):
        body = await request.json()
        return StreamingResponse(self.events(body), media_type="text/event-stream")

    async def events(self, body):
        try:
            async for event in self.say(body):
                named = {"threadId": body["threadId"], "runId": body["runId"]}
                yield f"data: {json.dumps({**event, **named} if 'runId' in event else event)}\n\n"
                await asyncio.sleep(0)
        except (asyncio.CancelledError, GeneratorExit):
            self.left.set()
            raise

    async def say(self, body):
        yield started()
        last = body["messages"][-1]
        if last["role"] == "tool":
            for event in text(f"done-{body['runId']}", last["content"]):
                yield event
        elif body["tools"]:
            for event in call(f"c-{body['threadId']}", body["tools"][0]["name"]):
                yield event
        else:
            async for event in self.talk(body["runId"], last["content"]):
                yield event
        yield {"type": "STATE_SNAPSHOT", "snapshot": {"thread": body["threadId"]}}
        yield finished()

    async def talk(self, run_id, line):
        opening, fragment, closing = text(run_id, line)
        yield opening
        yield fragment
        while line == "for ever":
            yield fragment
            await asyncio.sleep(0.01)
        yield closing


@pytest.fixture
def agent():
    return Agent()


@asynccontextmanager
async def listening(app):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", ws="none"))
        serving = asyncio.ensure_future(server.serve(sockets=[free]))
        try:
            yield f"http://127.0.0.1:{free.getsockname()[1]}/agent"
        finally:
            server.should_exit = True
            await serving


@asynccontextmanager
async def over(kind, agent):
    """Give a transport of a kind that reaches the agent."""
    if kind == "http":
        async with listening(agent.app) as url, HttpTransport(url) as transport:
            yield transport
    elif kind == "in process":
        async with InProcessTransport(agent.app, "/agent") as transport:
            yield transport
    else:
        said = [*text("t-run-1", "hello"), {"type": "STATE_SNAPSHOT", "snapshot": {"thread": "t"}}]
        yield ReplayTransport([started("t-run-1"), *said, finished("t-run-1")])


@pytest.mark.parametrize("kind", ["http", "in process", "replay"])
async def test_a_run_is_the_same_over_every_transport(kind, agent):
    warnings = []
    async with over(kind, agent) as transport:
        session = Session(transport, "t", on_diagnostic=warnings.append)
        assert await session.send("hello") == Success("t-run-1")
    assert [(row.role, row.key, row.parts[0].text) for row in session.transcript.messages] == [
        ("user", "t-msg-1", "hello"),
        ("assistant", "t-run-1", "hello"),
    ]
    assert session.raw_state == {"thread": "t"}
    assert warnings == []


@pytest.mark.parametrize("kind", ["http", "in process"])
async def test_a_stop_is_noticed_by_the_agent_and_the_next_run_is_ordinary(kind, agent):
    async with over(kind, agent) as transport:
        session = Session(transport, "t")
        async with session.send("for ever") as updates:
            for _ in range(3):
                await anext(updates)
        await asyncio.wait_for(agent.left.wait(), 5)
        assert session.end.code == "CANCELLED"
        assert isinstance(await session.send("hello"), Success)
    assert session.transcript.messages[-1].parts[0].text == "hello"


async def test_cancelling_whoever_waits_stops_the_run(agent):
    async with over("http", agent) as transport:
        session = Session(transport, "t")
        heard = asyncio.Event()
        session._on_event = lambda _event, _rows: heard.set()

        async def wait():
            await session.send("for ever")

        waiting = asyncio.ensure_future(wait())
        await asyncio.wait_for(heard.wait(), 5)
        waiting.cancel()
        await asyncio.wait([waiting])
        assert waiting.cancelled()
        await asyncio.wait_for(agent.left.wait(), 5)
        assert session.end.code == "CANCELLED"


async def test_sessions_beside_each_other_share_nothing(agent):
    async def answer(_arguments, context):
        await asyncio.sleep(0)
        return f"for {context.thread_id}"

    tool = RunTool(name="who", description="", arguments=AnyArguments, execute=answer)
    async with over("http", agent) as transport:
        sessions = [Session(transport, f"thread-{number}", tools=[tool]) for number in range(20)]
        await asyncio.gather(*(session.send(f"line of {session.thread_id}")._end() for session in sessions))
    for session in sessions:
        shown = [part for row in session.transcript.messages for part in row.parts]
        assert [shown[0].text, shown[1].result, shown[2].text] == [
            f"line of {session.thread_id}",
            f"for {session.thread_id}",
            f"for {session.thread_id}",
        ]
        assert session.raw_state == {"thread": session.thread_id}
