"""Every case of ``fixtures/seeds/renderer.json``: what turn events become, and what coalescing leaves of a batch."""

from typing import get_args

import jsonpatch
import pytest
from ag_ui.core import AssistantMessage, Event
from pydantic import TypeAdapter

from chat_app.agent.coalesce import coalesce
from chat_app.agent.projection import Projection
from chat_app.agent.renderer import Dialect, Renderer, RunScope
from chat_app.agent.turn_events import (
    CompactionCompleted,
    MessageCompleted,
    ModeChanged,
    Notice,
    PermissionRequest,
    PlanUpdated,
    StateChanged,
    StreamReset,
    SubagentFinished,
    SubagentStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnStarted,
    UiRequest,
    UiResolved,
    Usage,
    UsageUpdated,
)
from tests.support.agent_harness import Clock, counting_ids
from tests.support.shared import load, params, seed_cases

SNAPSHOT = "$snapshot"
READ = TypeAdapter(Event)
STATED = {
    "TEXT_MESSAGE_CONTENT": "delta",
    "REASONING_MESSAGE_CONTENT": "delta",
    "TOOL_CALL_START": "toolCallName",
    "TOOL_CALL_ARGS": "delta",
    "TOOL_CALL_RESULT": "content",
    "MESSAGES_SNAPSHOT": "messages",
    "CUSTOM": "name",
}
"""What a case states of an event, where it states anything."""

# The case's word for each turn event, and how its fields are read.
EVENTS = {
    "turn_started": lambda fields: TurnStarted(fields["turn_id"]),
    "text_delta": lambda fields: TextDelta(fields["text"]),
    "thinking_delta": lambda fields: ThinkingDelta(fields["text"]),
    "message_completed": lambda _fields: MessageCompleted(),
    "toolcall_delta": lambda fields: ToolcallDelta(fields["call_id"], fields["args"], fields.get("name", "")),
    "tool_started": lambda fields: ToolStarted(fields["call_id"], fields["name"], fields["args"]),
    "tool_completed": lambda fields: ToolCompleted(fields["call_id"], fields["output"]),
    "tool_blocked": lambda fields: ToolBlocked(fields["call_id"], fields["reason"]),
    "turn_completed": lambda _fields: TurnCompleted(),
    "turn_error": lambda fields: TurnError(fields["message"], fields["code"]),
    "turn_cancelled": lambda _fields: TurnCancelled(),
    "compaction_completed": lambda _fields: CompactionCompleted(),
    "state_changed": lambda fields: StateChanged(status=fields["status"]),
    "mode_changed": lambda fields: ModeChanged(fields["mode"]),
    "plan_updated": lambda fields: PlanUpdated(fields["plan"]),
    "usage_updated": lambda fields: UsageUpdated(Usage("p", "m", input_tokens=fields["usage"]["in"])),
    "permission_request": lambda fields: PermissionRequest(fields["id"], fields["tool"]),
    "ui_resolved": lambda fields: UiResolved(fields["id"], fields["decision"]),
    "ui_request": lambda fields: UiRequest(fields["id"]),
    "notice": lambda fields: Notice(fields["text"]),
    "stream_reset": lambda _fields: StreamReset(),
    "subagent_started": lambda fields: SubagentStarted(id=fields["id"], name="s"),
    "subagent_finished": lambda fields: SubagentFinished(fields["id"]),
}


def test_every_event_a_case_names_is_known():
    found = load("fixtures/seeds/renderer.json") or {"cases": []}
    named = {event["event"] for case in found["cases"] for event in case["events"]}
    assert named - {SNAPSHOT} <= set(EVENTS)
    assert get_args(get_args(Event)[0])


@pytest.mark.parametrize("case", seed_cases("renderer"))
def test_turn_events_become_what_the_case_says(case):
    out = render(case)
    shown = ours(case.get("projection", {}))
    assert [event["type"] for event in out] == [line[0] for line in case["out"]]
    for event, (kind, *payload) in zip(out, case["out"], strict=True):
        if kind in {"STATE_SNAPSHOT", "STATE_DELTA"}:
            before, shown = shown, folded(shown, event)
            assert_minimal(event, before, shown)
        assert payload_of(event, shown, payload) == [ours(value) for value in payload]
    for field in case.get("distinct", ()):
        starts = [event[field] for event in out if event["type"] == "TEXT_MESSAGE_START"]
        assert len(set(starts)) == len(starts) > 1


def render(case):
    """Feed the case to a renderer; a run is begun for those that leave that out, and its start not looked at."""
    scope = RunScope(
        "thread-1",
        projection=Projection.model_validate(ours(case.get("projection", {}))),
        messages=lambda: [AssistantMessage(**message) for message in case["messages"]],
    )
    renderer = Renderer(
        scope, new_id=counting_ids(), now=Clock(), dialect=Dialect(subagents="custom", cancel_as="error")
    )
    begun = case["events"][0]["event"] == "turn_started"
    out = [] if begun else renderer.feed(TurnStarted("t1"))[:0]
    for event in case["events"]:
        if event["event"] == SNAPSHOT:
            out.append(renderer.snapshot())
        else:
            out += renderer.feed(EVENTS[event["event"]](event))
    return [event.model_dump(mode="json", by_alias=True) for event in out]


def ours(value):
    """Read the case's word for tokens in as ours."""
    if isinstance(value, dict):
        return {{"in": "inputTokens"}.get(name, name): ours(inner) for name, inner in value.items()}
    return value


def folded(shown, event):
    if event["type"] == "STATE_SNAPSHOT":
        assert event["snapshot"] == shown
        return event["snapshot"]
    return jsonpatch.apply_patch(shown, event["delta"])


def assert_minimal(event, before, after):
    """A delta names only what differs."""
    touched = {operation["path"].split("/")[1] for operation in event.get("delta", ())}
    assert touched == {name for name in after if after[name] != before.get(name)}


def payload_of(event, shown, payload):
    """Give of an event what the case states of it."""
    if event["type"] == "STATE_DELTA":
        return [{name: shown[name] for name in ours(payload[0])}]
    if event["type"] == "RUN_ERROR":
        return [payload[0] and event["message"], event["code"]]
    return [event[STATED[event["type"]]]] if payload else []


def coalesce_cases():
    found = load("fixtures/seeds/renderer.json")
    cases = found["coalesce"] if found else []
    return params(cases, [f"renderer/{case['id']}" for case in cases])


@pytest.mark.parametrize("case", coalesce_cases())
def test_a_batch_is_coalesced_as_the_case_says(case):
    items = [READ.validate_python(item) for item in case["items"]]
    assert [event.model_dump(mode="json", by_alias=True) for event in coalesce(items)] == case["out"]
