"""How fast the client folds: bytes of an event stream to updates and row changes.

Prints microseconds per text event on an empty and on a long history, beside what `json.loads` and the
pydantic union alone take for the same lines; then patches, long arguments and the memory of a thread.
Run it with ``python benchmarks/fold.py``.
"""

import asyncio
import gc
import json
import time
import tracemalloc
from collections.abc import AsyncIterator, Callable

from ag_ui.core import Event as UnionEvent
from pydantic import TypeAdapter

from chat_app.agui import events as wire
from chat_app.agui.history import Applier
from chat_app.agui.pipeline import STRICT, Pipeline
from chat_app.agui.sse import frames
from chat_app.agui.transcript import TranscriptReducer

EVENTS = 5_000
HISTORY = 10_000
ROUNDS = 5

Folds = tuple[Applier, TranscriptReducer]


def main() -> None:
    text_events()
    arguments()
    patches()
    memory()


def text_events() -> None:
    lines = list(_text_lines("m", EVENTS))
    union = TypeAdapter(UnionEvent)
    parsed = best(lambda: [json.loads(line) for line in lines])
    validated = best(lambda: [union.validate_python(json.loads(line)) for line in lines])
    empty, long = map(min, zip(*(_beside(lines) for _ in range(ROUNDS)), strict=True))
    print(f"per text event, {EVENTS:,} events, best of {ROUNDS}")
    print(f"  json.loads                    {per_event(parsed):6.2f} µs")
    print(f"  json.loads + pydantic union   {per_event(validated):6.2f} µs")
    print(f"  bytes → update, no history    {per_event(empty):6.2f} µs")
    print(f"  bytes → update, {HISTORY:,} msgs  {per_event(long):6.2f} µs   growth {long / empty:.2f} times")


def _beside(lines: list[str]) -> tuple[float, float]:
    """Return the seconds on no history and on a long one, measured in one breath: machines change pace."""
    empty = best(lambda folds: fold(lines, folds), setup=fresh, rounds=1)
    return empty, best(lambda folds: fold(lines, folds), setup=lambda: grown(HISTORY), rounds=1)


def arguments() -> None:
    print("tool arguments in 4-byte deltas")
    for size in (50_000, 100_000, 200_000):
        lines = list(_argument_lines(size))
        seconds = best(lambda lines=lines: fold(lines, fresh()), rounds=2)
        print(
            f"  {size // 1000:4} kB   {seconds * 1e3:7.0f} ms   {seconds / len(lines) * 1e6:5.2f} µs per delta"
        )


def patches() -> None:
    items = [{"id": number, "text": "x" * 80} for number in range(1_000)]
    start = wire.StateSnapshotEvent(snapshot={"items": items, "count": 0})
    size = len(json.dumps(start.snapshot))
    deltas = [
        wire.StateDeltaEvent(
            delta=[{"op": "replace", "path": f"/items/{number % 1_000}/text", "value": str(number)}]
        )
        for number in range(10_000)
    ]
    applier = Applier()
    applier.apply(start)
    seconds = timed(lambda: [applier.apply(delta) for delta in deltas])
    print(f"{len(deltas):,} patches on a {size // 1000} kB state   {seconds / len(deltas) * 1e6:.1f} µs each")


def memory() -> None:
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    folds = grown(HISTORY, length=500)
    gc.collect()
    folded = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    messages = [message.model_dump(mode="json", by_alias=True) for message in folds[0].messages]
    size = len(json.dumps(messages))
    print(
        f"{HISTORY:,} messages of 500 characters   {folded / 1e6:.1f} MB held, {folded / size:.2f} times their JSON"
    )


# ------------------------------------------------------------------ the work


def fold(lines: list[str], folds: Folds) -> None:
    """Fold the stream's bytes, one frame per chunk, the way a session does."""
    asyncio.run(_fold(lines, folds))


async def _fold(lines: list[str], folds: Folds) -> None:
    pipeline = Pipeline(STRICT, report=print, new_id=lambda: "id")
    applier, reducer = folds
    async for frame in frames(_body(lines)):
        for event in pipeline.feed(frame):
            applier.apply(event)
            reducer.apply(event)


async def _body(lines: list[str]) -> AsyncIterator[bytes]:
    for line in lines:
        yield f"data: {line}\n\n".encode()


def fresh() -> Folds:
    return Applier(), TranscriptReducer()


def grown(count: int, length: int = 40) -> Folds:
    """Return folds that hold ``count`` messages: lines and answers in turn, answers streamed."""
    applier, reducer = fresh()
    for number in range(count // 2):
        for entry in _turn(number, length):
            applier.apply(entry)
            reducer.apply(entry)
    return applier, reducer


def _turn(number: int, length: int) -> list[wire.LogEntry]:
    line, answer, run = f"u{number}", f"a{number}", f"run-{number}"
    piece = "twenty characters ab"
    fragments = [wire.TextMessageContentEvent(message_id=answer, delta=piece) for _ in range(length // 20)]
    return [
        wire.LocalMessage(wire.UserMessage(id=line, content="".join([piece] * (length // 20)))),
        wire.RunStartedEvent(thread_id="t", run_id=run),
        wire.TextMessageStartEvent(message_id=answer, role="assistant"),
        *fragments,
        wire.TextMessageEndEvent(message_id=answer),
        wire.RunFinishedEvent(thread_id="t", run_id=run),
    ]


def _text_lines(message_id: str, count: int) -> list[str]:
    content = {"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": "token "}
    return _run_of(
        {"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"},
        [content] * count,
        {"type": "TEXT_MESSAGE_END", "messageId": message_id},
    )


def _argument_lines(size: int) -> list[str]:
    piece = {"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "abcd"}
    return _run_of(
        {"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "write"},
        [piece] * (size // 4),
        {"type": "TOOL_CALL_END", "toolCallId": "c"},
    )


def _run_of(start: dict[str, str], middle: list[dict[str, str]], end: dict[str, str]) -> list[str]:
    run = {"threadId": "t", "runId": "r"}
    whole = [{"type": "RUN_STARTED"} | run, start, *middle, end, {"type": "RUN_FINISHED"} | run]
    return [json.dumps(event) for event in whole]


# ------------------------------------------------------------------ the clock


def best(
    work: Callable[..., object], *, setup: Callable[[], Folds] | None = None, rounds: int = ROUNDS
) -> float:
    """Return the shortest time of several rounds, in seconds; ``setup`` is not timed."""
    seconds = []
    for _ in range(rounds):
        given = (setup(),) if setup else ()
        gc.collect()
        seconds.append(timed(lambda given=given: work(*given)))
    return min(seconds)


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def per_event(seconds: float) -> float:
    return seconds / EVENTS * 1e6


if __name__ == "__main__":
    main()
