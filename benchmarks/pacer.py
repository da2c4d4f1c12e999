"""An AG-UI agent that streams numbered tokens at a set rate and remembers when each one left.

It runs in a process of its own, so that its work is not counted as the server's. `POST /` runs it; the answer is
`--tokens` tokens of five characters, the n-th one showing the number n, in paragraphs. A line that asks for arguments
gets a tool call instead, whose arguments are as many pieces of 1 kB. `GET /emitted` returns the times at which the
tokens of the last run were handed to the connection (seconds since the epoch).

    python benchmarks/pacer.py --rate 100 --tokens 600     prints "pacer on <port>"
"""

import argparse
import asyncio
import json
import socket
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

MOST_TOKENS = 999
TOKENS_A_PARAGRAPH = 50
PIECE = 1_000
"""Characters of one piece of arguments."""


@dataclass(slots=True)
class Pacer:
    """The agent: how fast, how much, and when each token of the last run left."""

    rate: float
    tokens: int
    emitted: list[float] = field(default_factory=list)

    async def run(self, request: Request) -> StreamingResponse:
        """Answer a run."""
        asked = await request.json()
        stream = self._call if "arguments" in str(asked["messages"][-1].get("content")) else self._stream
        return StreamingResponse(stream(asked["threadId"], asked["runId"]), media_type="text/event-stream")

    async def report(self, _request: Request) -> JSONResponse:
        """Say when the tokens of the last run left."""
        return JSONResponse(self.emitted)

    async def _stream(self, thread: str, run: str) -> AsyncIterator[bytes]:
        self.emitted = []
        message = f"{run}-answer"
        yield frame(type="RUN_STARTED", threadId=thread, runId=run)
        yield frame(type="TEXT_MESSAGE_START", messageId=message, role="assistant")
        async for token in self._paced():
            yield frame(type="TEXT_MESSAGE_CONTENT", messageId=message, delta=token)
        yield frame(type="TEXT_MESSAGE_END", messageId=message)
        yield frame(type="RUN_FINISHED", threadId=thread, runId=run, outcome={"type": "success"})

    async def _call(self, thread: str, run: str) -> AsyncIterator[bytes]:
        call = f"{run}-call"
        yield frame(type="RUN_STARTED", threadId=thread, runId=run)
        yield frame(type="TOOL_CALL_START", toolCallId=call, toolCallName="write_file")
        yield frame(type="TOOL_CALL_ARGS", toolCallId=call, delta='{"path": "report.txt", "text": "')
        async for token in self._paced():
            yield frame(type="TOOL_CALL_ARGS", toolCallId=call, delta=token.strip().ljust(PIECE, "x"))
        yield frame(type="TOOL_CALL_ARGS", toolCallId=call, delta='"}')
        yield frame(type="TOOL_CALL_END", toolCallId=call)
        yield frame(type="TOOL_CALL_RESULT", messageId=f"{run}-result", toolCallId=call, content="written")
        yield frame(type="RUN_FINISHED", threadId=thread, runId=run, outcome={"type": "success"})

    async def _paced(self) -> AsyncIterator[str]:
        """Yield the tokens on a fixed schedule, so that a late one does not delay the others."""
        loop = asyncio.get_running_loop()
        start = loop.time()
        for number in range(1, self.tokens + 1):
            await asyncio.sleep(start + number / self.rate - loop.time())
            self.emitted.append(time.time())
            yield token(number)


def token(number: int) -> str:
    """Return the n-th token: five characters, the last two of which close a paragraph now and then."""
    return f"{number:03d}" + ("\n\n" if number % TOKENS_A_PARAGRAPH == 0 else ", ")


def frame(**event: str | Mapping[str, str]) -> bytes:
    return f"data: {json.dumps(event)}\n\n".encode()


def serve(pacer: Pacer) -> None:
    """Serve on a free port and say which."""
    routes = [Route("/", pacer.run, methods=["POST"]), Route("/emitted", pacer.report)]
    config = uvicorn.Config(Starlette(routes=routes), log_level="warning", timeout_graceful_shutdown=1)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        print(f"pacer on {listener.getsockname()[1]}", flush=True)
        uvicorn.Server(config).run(sockets=[listener])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rate", type=float, default=100.0, help="tokens a second")
    parser.add_argument("--tokens", type=int, default=600, help=f"tokens of an answer, {MOST_TOKENS} at most")
    options = parser.parse_args()
    if not 0 < options.tokens <= MOST_TOKENS:
        parser.error(
            f"--tokens must be between 1 and {MOST_TOKENS}: a token shows its number in three digits"
        )
    serve(Pacer(options.rate, options.tokens))


if __name__ == "__main__":
    main()
