"""An agent that answers every request with the same recorded stream, under the ids it is asked with."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.support.raw_server import chunk, read_request, stream_head


@dataclass
class ReplayingAgent:
    """Set what it answers: the body of a stream, and the ids that stand in it."""

    url: str = ""
    body: bytes = b""
    thread: str = ""
    run: str = ""

    def tell(self, events: list[dict], *, thread: str, run: str) -> None:
        """Answer with these events from now on."""
        self.body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
        self.thread, self.run = thread, run

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = (await read_request(reader)).json()
            body = self.body.replace(json.dumps(self.thread).encode(), json.dumps(asked["threadId"]).encode())
            body = body.replace(json.dumps(self.run).encode(), json.dumps(asked["runId"]).encode())
            writer.write(stream_head() + chunk(body) + b"0\r\n\r\n")
            await writer.drain()
        finally:
            writer.close()


@asynccontextmanager
async def replaying_agent() -> AsyncIterator[ReplayingAgent]:
    """Serve on a free port of the loopback interface."""
    agent = ReplayingAgent()
    server = await asyncio.start_server(agent.answer, "127.0.0.1", 0)
    agent.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/agent"
    try:
        yield agent
    finally:
        server.close()
        await server.wait_closed()
