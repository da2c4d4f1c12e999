"""Runs the embedded agent in tests and judges its streams by rules written here, from the spec alone."""

import itertools
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import jsonpatch
from ag_ui.core import RunAgentInput

from chat_app.agent.conversation import Conversation
from chat_app.agent.memory import ProcessMemory
from chat_app.agent.sse import frames
from chat_app.agent.worker import Worker, new_outbox

Event = dict[str, Any]
TOKEN = "a-token"
NOON = datetime(2030, 5, 1, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that a test turns by hand."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def counting_ids(prefix: str = "id"):
    counter = itertools.count(1)
    return lambda: f"{prefix}-{next(counter)}"


def person(text: str, *, key: str = "u1") -> Event:
    return {"id": key, "role": "user", "content": text}


def run_input(messages: Sequence[Event] | str, **fields: Any) -> Event:
    if isinstance(messages, str):
        messages = [person(messages)]
    base = {"threadId": "thread-1", "runId": "run-1", "protocolVersion": "1.0"}
    always = {"state": {}, "tools": [], "context": [], "forwardedProps": {}}
    return {**base, **always, "messages": list(messages), **fields}


def conversation(messages: Sequence[Event] | str, **fields: Any) -> Conversation:
    return Conversation(RunAgentInput.model_validate(run_input(messages, **fields)))


def decode(body: bytes) -> list[Event]:
    """Read a stream as strictly as it can be read: one data line a frame, LF, comments in between."""
    assert b"\r" not in body
    text = body.decode()
    assert text == "" or text.endswith("\n\n")
    frames = [frame for frame in text.split("\n\n") if frame and frame != ": keep-alive"]
    assert all(frame.startswith("data: ") and "\n" not in frame for frame in frames)
    return [json.loads(frame.removeprefix("data: ")) for frame in frames]


def worker(*, clock: Clock | None = None, new_id: Any = None, pace: float = 0, **options: Any) -> Worker:
    options = {"memory": ProcessMemory()} | options
    return Worker(new_id=new_id or counting_ids(), now=clock or Clock(), pace=pace, **options)


async def play(
    messages: Sequence[Event] | str, *, clock: Clock | None = None, new_id: Any = None, **fields: Any
) -> list[Event]:
    """Let a new agent answer and give its events, judged."""
    return await ask(worker(clock=clock, new_id=new_id), messages, **fields)


async def ask(agent: Worker, messages: Sequence[Event] | str, **fields: Any) -> list[Event]:
    """Let this agent answer and give its events, judged."""
    outbox = new_outbox(limit=100_000)
    await agent.work(conversation(messages, **fields), outbox)
    assert outbox.closed
    events = decode(frames(outbox.drain()))
    check_order(events)
    return events


def state_of(events: Sequence[Event], before: Any = None) -> Any:
    """Fold the shared state of a stream."""
    state = before
    for event in events:
        if event["type"] == "STATE_SNAPSHOT":
            state = event["snapshot"]
        if event["type"] == "STATE_DELTA":
            state = jsonpatch.apply_patch(state, event["delta"])
    return state


def after(messages: Sequence[Event], events: Sequence[Event]) -> list[Event]:
    """Fold a run's text, calls and results into the history, as a client would send it back."""
    history = [dict(message) for message in messages]
    for event in events:
        _FOLD.get(event["type"], lambda _history, _event: None)(history, event)
    return history


def text_of(events: Sequence[Event]) -> str:
    return "".join(event["delta"] for event in events if event["type"] == "TEXT_MESSAGE_CONTENT")


def said(events: Sequence[Event]) -> list[Event]:
    """Give a stream without the shared state, which every run sends."""
    return [event for event in events if not event["type"].startswith("STATE_")]


def types_of(events: Sequence[Event]) -> list[str]:
    """Give the types of what a stream says beside the shared state, neighbours of one kind once."""
    return [kind for kind, _same in itertools.groupby(event["type"] for event in said(events))]


def outcome_of(events: Sequence[Event]) -> Event:
    assert events[-1]["type"] == "RUN_FINISHED", events[-1]
    return events[-1]["outcome"]


def interrupts_of(events: Sequence[Event]) -> list[Event]:
    return outcome_of(events)["interrupts"]


def results_of(events: Sequence[Event]) -> dict[str, Any]:
    return {
        event["toolCallId"]: json.loads(event["content"])
        for event in events
        if event["type"] == "TOOL_CALL_RESULT"
    }


# -- folding ----------------------------------------------------------------------------------------------


def _held(history: list[Event], key: str) -> Event:
    found = next((message for message in history if message["id"] == key), None)
    if found is None:
        found = {"id": key, "role": "assistant"}
        history.append(found)
    return found


def _call(history: list[Event], key: str) -> Event:
    return next(call for message in history for call in message.get("toolCalls", []) if call["id"] == key)


def _fold_text(history: list[Event], event: Event) -> None:
    message = _held(history, event["messageId"])
    message["content"] = message.get("content", "") + event["delta"]


def _fold_call(history: list[Event], event: Event) -> None:
    message = _held(history, event["parentMessageId"])
    function = {"name": event["toolCallName"], "arguments": ""}
    call = {"id": event["toolCallId"], "type": "function", "function": function}
    message.setdefault("toolCalls", []).append(call)


def _fold_args(history: list[Event], event: Event) -> None:
    _call(history, event["toolCallId"])["function"]["arguments"] += event["delta"]


def _fold_result(history: list[Event], event: Event) -> None:
    answer = {"role": "tool", "toolCallId": event["toolCallId"], "content": event["content"]}
    history.append({"id": event["messageId"], **answer})


_FOLD = {
    "TEXT_MESSAGE_CONTENT": _fold_text,
    "TOOL_CALL_START": _fold_call,
    "TOOL_CALL_ARGS": _fold_args,
    "TOOL_CALL_RESULT": _fold_result,
}


# -- the rules of order -----------------------------------------------------------------------------------

_ITEMS = {
    "TEXT_MESSAGE": "messageId",
    "TOOL_CALL": "toolCallId",
    "REASONING_MESSAGE": "messageId",
    "REASONING": "messageId",
}
_STANDALONE = {
    "TOOL_CALL_RESULT",
    "STATE_SNAPSHOT",
    "STATE_DELTA",
    "MESSAGES_SNAPSHOT",
    "ACTIVITY_SNAPSHOT",
    "ACTIVITY_DELTA",
    "CUSTOM",
}


def check_order(events: Sequence[Mapping[str, Any]]) -> None:
    """Assert that this is one run, whole: boundaries, brackets, steps, and nothing open at the end."""
    if [event["type"] for event in events] == ["RUN_ERROR"]:
        return
    first, *middle, last = events
    assert first["type"] == "RUN_STARTED"
    assert last["type"] in {"RUN_FINISHED", "RUN_ERROR"}
    if last["type"] == "RUN_FINISHED":
        assert (last["threadId"], last["runId"]) == (first["threadId"], first["runId"])
    opened: set[tuple[Any, ...]] = set()
    ever: set[tuple[Any, ...]] = set()
    for event in middle:
        _check_event(event, opened, ever)
    assert not opened, f"still open at the end: {opened}"


def _check_event(event: Mapping[str, Any], opened: set, ever: set) -> None:
    assert not [name for name, value in event.items() if value is None], event
    kind = event["type"]
    if kind in _STANDALONE:
        return
    if kind.startswith("SUBAGENT_"):
        family, act, key = "SUBAGENT", kind.removeprefix("SUBAGENT_"), event["subagentRunId"]
    elif kind.startswith("STEP_"):
        family, act, key = "STEP", kind.removeprefix("STEP_"), (event.get("subagentRunId"), event["stepName"])
    else:
        family, act = kind.rsplit("_", 1)
        key = event[_ITEMS[family]]
    item = (family, key)
    speaker = event.get("subagentRunId")
    assert speaker is None or family == "SUBAGENT" or ("SUBAGENT", speaker) in opened, (
        f"{speaker} is not at work"
    )
    if act in {"START", "STARTED"}:
        assert item not in opened, f"{item} is started while it is open"
        assert family == "STEP" or item not in ever, f"the id of {item} is used twice"
        opened.add(item)
        ever.add(item)
    else:
        assert item in opened, f"{kind} for {key}, which is not open"
    if act in {"END", "FINISHED", "ERROR"}:
        opened.remove(item)
    if "delta" in event:
        assert event["delta"]
