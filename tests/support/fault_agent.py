"""An agent that does what a line tells it, good or bad, and remembers what it has sent and when."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

PACE = 0.02
FLOOD = 10_000_000
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n"


@dataclass
class Sent:
    """One run as the agent saw it: each piece of text and when it was sent, and whether it got to its end.

    `head` is the head of the request, in small letters, `tools` are the names of those it was offered, `told` what
    calls were answered with.
    """

    thread: str
    line: str
    head: str = ""
    tools: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    pieces: list[tuple[float, str]] = field(default_factory=list)
    finished: bool = False
    left: bool = False

    def text(self, *, until: float = float("inf")) -> str:
        return "".join(piece for at, piece in self.pieces if at <= until)


@dataclass
class FaultAgent:
    """Plays the word a line begins with: `stream`, `ask`, `hang`, `trickle`, `flood`, `die`, or `use` of a tool."""

    url: str = ""
    runs: list[Sent] = field(default_factory=list)
    resumes: list[str] = field(default_factory=list)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                int(line.partition(b":")[2])
                for line in head.split(b"\r\n")
                if line.lower().startswith(b"content-length")
            )
            await self._answer(json.loads(await reader.readexactly(length)), writer, head.decode().lower())
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            with suppress(OSError):
                writer.close()

    async def _answer(self, request: dict, writer: asyncio.StreamWriter, head: str) -> None:
        lines = [one["content"] for one in request["messages"] if one["role"] == "user"]
        tools = tuple(tool["name"] for tool in request.get("tools", ()))
        told = tuple(one["content"] for one in request["messages"] if one["role"] == "tool")
        run = Sent(request["threadId"], lines[-1], head, tools, told)
        self.runs.append(run)
        ids = {"threadId": request["threadId"], "runId": request["runId"]}
        writer.write(HEAD)
        try:
            await _say(writer, {"type": "RUN_STARTED", **ids})
            if request.get("resume"):
                self.resumes.extend(entry["interruptId"] for entry in request["resume"])
                await self._stream(run, writer, ids, words=10)
            else:
                await getattr(self, f"_{run.line.split()[0]}")(run, writer, ids)
            run.finished = True
        except OSError:
            run.left = True
            raise

    async def _stream(self, run: Sent, writer, ids: dict, *, words: int = 500, pace: float = PACE) -> None:
        key = f"a-{ids['runId']}"
        await _say(writer, {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "assistant"})
        for number in range(words):
            run.pieces.append((time.time(), f"word{number} "))
            await _say(writer, {"type": "TEXT_MESSAGE_CONTENT", "messageId": key, "delta": f"word{number} "})
            await asyncio.sleep(pace)
        await _say(writer, {"type": "TEXT_MESSAGE_END", "messageId": key})
        await _say(writer, {"type": "RUN_FINISHED", **ids})

    async def _short(self, run: Sent, writer, ids: dict) -> None:
        await self._stream(run, writer, ids, words=20)

    async def _ask(self, _run: Sent, writer, ids: dict) -> None:
        question = {"id": f"q-{ids['runId']}", "reason": "confirmation", "message": "May I?"}
        outcome = {"type": "interrupt", "interrupts": [question]}
        await _say(writer, {"type": "RUN_FINISHED", **ids, "outcome": outcome})

    async def _use(self, run: Sent, writer, ids: dict) -> None:
        """Call the tool that the line names, if it was offered; what it was answered with is said."""
        if run.told:
            key = f"a-{ids['runId']}"
            await _say(writer, {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "assistant"})
            await _say(writer, {"type": "TEXT_MESSAGE_CONTENT", "messageId": key, "delta": run.told[-1]})
            await _say(writer, {"type": "TEXT_MESSAGE_END", "messageId": key})
        elif (name := run.line.split()[1]) in run.tools:
            call = {"toolCallId": f"c-{ids['runId']}"}
            await _say(writer, {"type": "TOOL_CALL_START", **call, "toolCallName": name})
            await _say(writer, {"type": "TOOL_CALL_ARGS", **call, "delta": '{"question":"Which?"}'})
            await _say(writer, {"type": "TOOL_CALL_END", **call})
        await _say(writer, {"type": "RUN_FINISHED", **ids})

    async def _hang(self, _run: Sent, writer, _ids: dict) -> None:
        while True:  # until the other side hangs up
            await asyncio.sleep(PACE)
            writer.write(b"")
            if writer.is_closing():
                raise ConnectionResetError

    async def _trickle(self, run: Sent, writer, ids: dict) -> None:
        await self._stream(run, writer, ids, words=8, pace=0.4)

    async def _flood(self, _run: Sent, writer, ids: dict) -> None:
        key, piece = f"a-{ids['runId']}", "x" * 50_000
        await _say(writer, {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "assistant"})
        for _ in range(FLOOD // len(piece)):
            await _say(writer, {"type": "TEXT_MESSAGE_CONTENT", "messageId": key, "delta": piece})
        await _say(writer, {"type": "TEXT_MESSAGE_END", "messageId": key})
        await _say(writer, {"type": "RUN_FINISHED", **ids})

    async def _die(self, _run: Sent, writer, ids: dict) -> None:
        key = f"a-{ids['runId']}"
        await _say(writer, {"type": "TEXT_MESSAGE_START", "messageId": key, "role": "assistant"})
        await _say(writer, {"type": "TEXT_MESSAGE_CONTENT", "messageId": key, "delta": "half"})
        writer.transport.abort()


async def _say(writer: asyncio.StreamWriter, event: dict) -> None:
    writer.write(f"data: {json.dumps(event)}\n\n".encode())
    await writer.drain()


@asynccontextmanager
async def fault_agent() -> AsyncIterator[FaultAgent]:
    agent = FaultAgent()
    server = await asyncio.start_server(agent.serve, "127.0.0.1", 0)
    agent.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/agent"
    try:
        yield agent
    finally:
        server.close()
