"""A stand-in for OpenAI's HTTP API on a real socket: streams what a test scripts, and keeps what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from tests.support.processes import free_port


@dataclass(kw_only=True)
class Says:
    """One streamed answer.

    `then` is what happens after the deltas: "done", "cut" (the connection closes), an error object that is
    sent in the stream, or an event that is waited for.
    """

    text: str = ""
    thinking: str = ""
    calls: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)
    tokens: tuple[int, int] = (10, 5)
    finish: str = ""
    then: Any = "done"


@dataclass(kw_only=True)
class Refuses:
    """An answer that is no stream."""

    status: int
    error: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)


class FakeOpenAI:
    """The server. Answers come in the order they were given, whoever asks."""

    def __init__(self) -> None:
        self.answers: list[Says | Refuses] = []
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.left = asyncio.Event()
        self.port = free_port()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def offered(self, at: int = -1) -> list[str]:
        return [tool["function"]["name"] for tool in self.requests[at].get("tools", [])]

    def roles(self, at: int = -1) -> list[str]:
        return [message["role"] for message in self.requests[at]["messages"]]

    async def complete(self, request: Request) -> Response:
        self.requests.append(await request.json())
        self.keys.append(request.headers.get("authorization", ""))
        answer = self.answers.pop(0)
        if isinstance(answer, Refuses):
            return JSONResponse({"error": answer.error}, answer.status, headers=answer.headers)
        return StreamingResponse(self._stream(answer), media_type="text/event-stream")

    async def _stream(self, answer: Says) -> AsyncIterator[str]:
        for delta in _deltas(answer):
            yield _line({"choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
        if isinstance(answer.then, asyncio.Event):
            try:
                await answer.then.wait()
            finally:
                self.left.set()
        if answer.then == "cut":
            raise ConnectionResetError
        if isinstance(answer.then, dict):
            yield f"data: {json.dumps({'error': answer.then})}\n\n"
            return
        finish = answer.finish or ("tool_calls" if answer.calls else "stop")
        yield _line({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        read, written = answer.tokens
        spent = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        yield _line({"choices": [], "usage": spent})
        yield "data: [DONE]\n\n"


def _deltas(answer: Says) -> list[dict[str, Any]]:
    """Cut an answer the way providers do: role first, words, then calls whose arguments come in halves."""
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"reasoning_content": word} for word in _words(answer.thinking)]
    deltas += [{"content": word} for word in _words(answer.text)]
    for index, (key, name, arguments) in enumerate(answer.calls):
        text = json.dumps(arguments)
        middle = len(text) // 2
        first = {"index": index, "id": key, "type": "function", "function": {"name": name, "arguments": ""}}
        deltas.append({"tool_calls": [first]})
        deltas += [
            {"tool_calls": [{"index": index, "function": {"arguments": part}}]}
            for part in (text[:middle], text[middle:])
        ]
    return deltas


def _words(text: str) -> list[str]:
    return [word for word in text.replace(" ", "\0 ").split("\0") if word]


def _line(fields: dict[str, Any]) -> str:
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "fake-model"}
    return f"data: {json.dumps({**base, **fields})}\n\n"


@asynccontextmanager
async def fake_openai() -> AsyncIterator[FakeOpenAI]:
    """Serve until the block ends."""
    fake = FakeOpenAI()
    app = Starlette(routes=[Route("/v1/chat/completions", fake.complete, methods=["POST"])])
    config = uvicorn.Config(app, port=fake.port, log_level="critical", lifespan="off", ws="none")
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.005)
    try:
        yield fake
    finally:
        server.should_exit = server.force_exit = True
        await serving
