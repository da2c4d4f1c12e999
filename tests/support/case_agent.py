"""An agent that plays the runs of a field case, one for each request, and keeps what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.support.raw_server import chunk, read_request, stream_head

Json = dict[str, object]
Piece = Json | asyncio.Event
"""Events are sent; an asyncio event is waited for."""


@dataclass
class CaseAgent:
    """Answers the next request with the next run, and with a plain "ok" when there is none.

    A play is for threads that are new in it: what an earlier one left to be asked later is answered "ok", uncounted.
    """

    url: str = ""
    runs: list[Sequence[Piece]] = field(default_factory=list)
    requests: list[Json] = field(default_factory=list)
    threads: set[str] = field(default_factory=set)
    _earlier: frozenset[str] = frozenset()
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    async def request(self, number: int) -> Json:
        """Return request `number` since the play began, the first is 1; wait for it."""
        while len(self.requests) < number:
            self._news.clear()
            await self._news.wait()
        return self.requests[number - 1]

    def play(self, *runs: Sequence[Piece]) -> None:
        """Forget what was asked so far, and answer with these runs from now on."""
        self.runs, self.requests, self._earlier = list(runs), [], frozenset(self.threads)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            asked = (await read_request(reader)).json()
            writer.write(stream_head())
            for piece in self._next(asked):
                await self._give(piece, asked, writer)
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        finally:
            writer.close()

    def _next(self, asked: Json) -> Sequence[Piece]:
        self.threads.add(asked["threadId"])
        if asked["threadId"] in self._earlier:
            return said("ok")
        self.requests.append(asked)
        self._news.set()
        return self.runs.pop(0) if self.runs else said("ok")

    async def _give(self, piece: Piece, asked: Json, writer: asyncio.StreamWriter) -> None:
        if isinstance(piece, asyncio.Event):
            await writer.drain()
            await piece.wait()
            return
        ids = {name: asked[name] for name in ("threadId", "runId") if name in piece}
        writer.write(chunk(b"data: " + json.dumps({**piece, **ids}).encode() + b"\n\n"))


def said(text: str) -> list[Json]:
    """Return a run that says one thing."""
    return [
        {"type": "RUN_STARTED", "threadId": "", "runId": ""},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": f"m-{text}", "role": "assistant", "delta": text},
        {"type": "RUN_FINISHED", "threadId": "", "runId": ""},
    ]


@asynccontextmanager
async def case_agent() -> AsyncIterator[CaseAgent]:
    """Serve on a free port of the loopback interface."""
    agent = CaseAgent()
    server = await asyncio.start_server(agent.answer, "127.0.0.1", 0)
    agent.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/agent"
    try:
        yield agent
    finally:
        server.close()
        await server.wait_closed()
