"""What a turn of the embedded agent costs: events, bytes and milliseconds, alone and fifty at once.

The pauses of the script are left out, so what is measured is the way from a report to the bytes of its frames.
Run it with ``python benchmarks/agent.py``.
"""

import asyncio
import itertools
import time
from collections.abc import Sequence
from datetime import UTC, datetime

import httpx
from ag_ui.core import RunAgentInput

from chat_app.agent.budget import Budget
from chat_app.agent.conversation import Conversation
from chat_app.agent.gateway import AgentOptions, build_agent
from chat_app.agent.loop import AgentLoop, Around
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.models.scripted import Reply, ScriptedModel
from chat_app.agent.opening import LoopInput
from chat_app.agent.outbox import Outbox
from chat_app.agent.self_tools import Doing, NoSelfTools, SelfResult
from chat_app.agent.servers import Observation, ToolSpec
from chat_app.agent.sse import frames
from chat_app.agent.transcript import ToolCall
from chat_app.agent.turn_events import TurnEvent
from chat_app.agent.worker import Worker, new_outbox

TOKEN = "benchmark"
ROUNDS = 5
TOGETHER = 50
PHRASES = (
    "Echo: hi",
    "Where is order T-1077?",
    "Refund order T-1042",
    "Plan the workshop day",
    "Ask the mechanic and the carrier",
    "Write a guide to packing a bicycle for a flight",
    "Write the whole handbook",
)
HEADERS = {"accept": "text/event-stream", "authorization": f"Bearer {TOKEN}"}


def main() -> None:
    asyncio.run(alone())
    asyncio.run(thinking())
    asyncio.run(together())


async def alone() -> None:
    print(f"one turn, best of {ROUNDS}; sent: after fragments of one moment were joined")
    print(f"  {'line':48} {'reported':>8} {'sent':>6} {'kB':>7} {'ms':>7} {'µs/event':>9}")
    for phrase in PHRASES:
        reported = len(await work(phrase, Outbox(squeeze=list, limit=10**6)))
        taken = [await timed(phrase) for _ in range(ROUNDS)]
        seconds, sent, size = min(taken)
        each = seconds / reported * 1e6
        print(f"  {phrase:48} {reported:8} {sent:6} {size / 1000:7.1f} {seconds * 1e3:7.2f} {each:9.1f}")


async def thinking() -> None:
    """Turns of the loop itself: a model that answers at once, and tools that do, so what is left is ours."""
    print(f"one turn of the loop, best of {ROUNDS}")
    print(f"  {'calls before the answer':48} {'reported':>8} {'ms':>7} {'µs/event':>9}")
    for calls in (0, 1, 10, 100):
        seconds, reported = min([await loop_turn(calls) for _ in range(ROUNDS)])
        print(f"  {calls:48} {reported:8} {seconds * 1e3:7.2f} {seconds / reported * 1e6:9.1f}")


async def loop_turn(calls: int) -> tuple[float, int]:
    reports: list[TurnEvent] = []

    async def report(event: TurnEvent) -> None:
        reports.append(event)

    steps = [Reply(calls=(ToolCall(f"c{n}", "clock", f'{{"n": {n}}}'),)) for n in range(calls)]
    model = ScriptedModel([*steps, Reply(text="word\n" * 200)])
    given = LoopInput(instruction="go", model="m")
    loop = await AgentLoop.prepare((), given, Clock(), around=Around(report=report))
    begun = time.perf_counter()
    await loop.run_turn(model, Budget(max_steps=calls + 1, max_tokens=1))
    return time.perf_counter() - begun, len(reports)


class Clock(NoSelfTools):
    """One tool that answers at once."""

    def tools(self) -> Sequence[ToolSpec]:
        """Give the one tool."""
        return (ToolSpec(name="clock"),)

    async def call(self, doing: Doing) -> SelfResult:
        """Tick."""
        return Observation(f"tick {doing.call.id}")


async def timed(phrase: str) -> tuple[float, int, int]:
    begun = time.perf_counter()
    events = await work(phrase, new_outbox(limit=10**6))
    body = frames(events)
    return time.perf_counter() - begun, len(events), len(body)


async def work(phrase: str, outbox: Outbox) -> Sequence:
    worker = Worker(new_id=ids(), now=now, memory=ProcessMemory(), pace=0)
    await worker.work(Conversation(RunAgentInput.model_validate(asked(phrase))), outbox)
    return outbox.drain()


async def together() -> None:
    agent = build_agent(TOKEN, now=now, new_id=ids(), options=AgentOptions(pace=0))
    transport = httpx.ASGITransport(agent)
    async with httpx.AsyncClient(transport=transport, base_url="http://agent", headers=HEADERS) as client:
        print(f"{TOGETHER} turns at once through the gateway, in this process")
        for phrase in ("Echo: hi", "Write a guide to packing a bicycle for a flight"):
            begun = time.perf_counter()
            bodies = await asyncio.gather(*(post(client, phrase, number) for number in range(TOGETHER)))
            seconds = time.perf_counter() - begun
            whole = sum(body.count(b'"RUN_FINISHED"') for body in bodies)
            print(f"  {phrase:48} {whole:3} whole   {seconds / TOGETHER * 1e3:6.2f} ms a turn")


async def post(client: httpx.AsyncClient, phrase: str, number: int) -> bytes:
    response = await client.post("/", json=asked(phrase, thread=f"thread-{number}"))
    return response.content


def asked(phrase: str, thread: str = "thread") -> dict:
    line = {"id": "u1", "role": "user", "content": phrase}
    rest = {"state": {}, "tools": [], "context": [], "forwardedProps": {}, "protocolVersion": "1.0"}
    return {"threadId": thread, "runId": "run", "messages": [line], **rest}


def ids():
    numbers = itertools.count(1)
    return lambda: f"id-{next(numbers)}"


def now() -> datetime:
    return datetime.now(UTC)


if __name__ == "__main__":
    main()
