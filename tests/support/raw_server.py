"""A web server that answers byte by byte as a test says: what no well-behaved server would send."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

FOREVER = asyncio.Event
Piece = bytes | asyncio.Event
"""Bytes are written; an event is waited for. A script that ends with CUT breaks the connection."""

CUT = b""


@dataclass
class Received:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self):
        return json.loads(self.body)


@dataclass
class RawServer:
    """Answers the n-th request with the n-th script, the last one again and again."""

    scripts: Sequence[Sequence[Piece]]
    url: str = ""
    requests: list[Received] = field(default_factory=list)
    gone: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            self.requests.append(await read_request(reader))
            script = self.scripts[min(len(self.requests), len(self.scripts)) - 1]
            await self._play(script, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.gone.set()
        finally:
            writer.close()

    async def _play(self, script, reader, writer) -> None:
        watcher = asyncio.ensure_future(self._watch(reader))
        try:
            for piece in script:
                if piece == CUT:
                    writer.transport.abort()
                elif isinstance(piece, bytes):
                    writer.write(piece)
                    await writer.drain()
                else:
                    await _first(piece.wait(), self.gone.wait())
        finally:
            watcher.cancel()

    async def _watch(self, reader) -> None:
        if not await reader.read(1):
            self.gone.set()


async def _first(*waits) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


async def read_request(reader: asyncio.StreamReader) -> Received:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, path, _ = first.split(" ")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, path, headers, body)


@asynccontextmanager
async def raw_server(*scripts: Sequence[Piece]) -> AsyncIterator[RawServer]:
    """Serve on a free port of the loopback interface."""
    state = RawServer(scripts)
    server = await asyncio.start_server(state.answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    state.url = f"http://127.0.0.1:{port}/agent"
    try:
        yield state
    finally:
        server.close()
        await server.wait_closed()


def head(status: str = "200 OK", **headers: str) -> bytes:
    """Return a status line and headers; the body ends when the connection closes."""
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "connection: close", "", ""]).encode()


def stream_head(**headers: str) -> bytes:
    """Return the head of an event stream sent in chunks, so that a missing end shows."""
    return head(content_type="text/event-stream", transfer_encoding="chunked", **headers)


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


END = b"0\r\n\r\n"


def sse(*events: dict) -> bytes:
    """Return events as one chunk of an event stream."""
    return chunk(b"".join(f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode() for event in events))
