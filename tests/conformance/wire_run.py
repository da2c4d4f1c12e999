"""Runs a stream of raw events over the whole reading path, bytes to folds, and keeps what came of it."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from ag_ui.core import RunAgentInput

from chat_app.agui.enforcement import enforce_model
from chat_app.agui.errors import AguiError
from chat_app.agui.events import Event, RunErrorEvent, RunFinishedEvent, dump_event
from chat_app.agui.history import Applier
from chat_app.agui.pipeline import STRICT, Pipeline, Reading
from chat_app.agui.sse import frames
from chat_app.agui.transcript import TranscriptReducer
from chat_app.agui.updates import Update
from tests.support.wire import Reports


@dataclass
class WireRun:
    """What one stream was read as."""

    applier: Applier
    reducer: TranscriptReducer
    reports: Reports
    events: list[Event] = field(default_factory=list)
    updates: list[Update] = field(default_factory=list)
    error: AguiError | None = None

    @property
    def outcome(self) -> str:
        if self.error is not None:
            return "failed"
        ended = self.events and isinstance(self.events[-1], RunFinishedEvent | RunErrorEvent)
        return "completed" if ended else "truncated"

    @property
    def types(self) -> list[str]:
        return [event.type.value for event in self.events]

    @property
    def dumped(self) -> list[dict[str, Any]]:
        return [dump_event(event) for event in self.events]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return [message.model_dump(mode="json", by_alias=True) for message in self.applier.messages]


async def wire_run(
    stream: list[Any], given: dict[str, Any] | None = None, *, reading: Reading = STRICT
) -> WireRun:
    """Send the raw events as an event stream's bytes and fold what comes out."""
    given, reports = given or {}, Reports()
    messages = _messages(given.get("messages", []))
    run = WireRun(Applier(messages, given.get("state"), report=reports), TranscriptReducer(messages), reports)
    pipeline = Pipeline(reading, report=reports, new_id=lambda: "made-here")
    try:
        async for frame in frames(_body(stream)):
            for event in pipeline.feed(frame):
                run.events.append(event)
                run.updates.extend(run.applier.apply(event))
                run.reducer.apply(event)
    except AguiError as error:
        run.error = error
    return run


def _messages(raws: list[dict[str, Any]]) -> Any:
    request = {"threadId": "t", "runId": "r", "messages": raws}
    checked = enforce_model(RunAgentInput, request, name="RunAgentInput", report=Reports())
    assert checked is not None
    return checked.messages


async def _body(stream: list[Any]) -> AsyncIterator[bytes]:
    for raw in stream:
        yield f"data: {json.dumps(raw)}\n\n".encode()
