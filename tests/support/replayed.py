"""An agent that answers every request with the same recorded stream, under the ids it is asked with."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from tests.support.raw_server import chunk, read_request, stream_head


def _names(request: Mapping[str, Any]) -> list[str]:
    """Return the ids a request gives: its thread's, its run's, and those of the lines a person wrote."""
    lines = [message["id"] for message in request.get("messages", ()) if message["role"] == "user"]
    return [request["threadId"], request["runId"], *lines]


def _set() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass
class ReplayingAgent:
    """Set what it answers: the body of a stream, and the request it was the answer to."""

    url: str = ""
    body: bytes = b""
    request: Mapping[str, Any] = field(default_factory=dict)
    go_on: asyncio.Event = field(default_factory=_set)
    """While it is not set, an answer stops in its middle."""

    def tell(self, events: list[dict], *, thread: str, run: str) -> None:
        """Answer with these events from now on."""
        self.body = b"".join(b"data: " + json.dumps(event).encode() + b"\n\n" for event in events)
        self.request = {"threadId": thread, "runId": run}

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            body = self._under_names_of((await read_request(reader)).json())
            middle = body.rindex(b"data: ", 0, len(body) // 2)
            writer.write(stream_head())
            for half in filter(None, (body[:middle], body[middle:])):
                writer.write(chunk(half))
                await writer.drain()
                await self.go_on.wait()
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        finally:
            writer.close()

    def _under_names_of(self, asked: Mapping[str, Any]) -> bytes:
        body = self.body
        for told, wanted in zip(_names(self.request), _names(asked), strict=False):
            body = body.replace(json.dumps(told).encode(), json.dumps(wanted).encode())
        return body


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
