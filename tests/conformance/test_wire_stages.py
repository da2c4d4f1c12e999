"""The seeds' cases for single stages: verifier, chunks, reducer, subagents."""

import json
from typing import Any

import pytest

from chat_app.agui.chunks import ChunkExpander
from chat_app.agui.enforcement import Enforcer
from chat_app.agui.errors import AguiError, OutOfOrder
from chat_app.agui.events import Event, WireEvent
from chat_app.agui.history import Applier
from chat_app.agui.pipeline import STRICT, Pipeline
from chat_app.agui.transcript import (
    ActivityPart,
    FilePart,
    Part,
    ReasoningPart,
    TextPart,
    ToolCallPart,
    TranscriptReducer,
)
from tests.conformance.overrides import adjusted
from tests.support.shared import seed_cases
from tests.support.wire import Reports


def enforced(raws: list[dict[str, Any]]) -> list[WireEvent]:
    enforcer = Enforcer(Reports())
    return [event for raw in raws if (event := enforcer.enforce(raw)) is not None]


# ------------------------------------------------------------------ verifier


@pytest.mark.parametrize("case", seed_cases("verifier"))
def test_a_stream_is_rejected_at_the_event_that_breaks_it(case: dict[str, Any]) -> None:
    case = adjusted("verifier", case)
    pipeline = Pipeline(STRICT, report=Reports(), new_id=str)
    at, words = None, ""
    for index, raw in enumerate(case["events"]):
        try:
            pipeline.feed(raw)
        except AguiError as error:
            at, words = index, error.message
            break
    assert at == case["violation_at"]
    assert (case["contains"] or "") in words


# ------------------------------------------------------------------ chunks


@pytest.mark.parametrize("case", seed_cases("chunks"))
def test_chunks_expand_to_what_they_stand_for(case: dict[str, Any]) -> None:
    case = adjusted("chunks", case)
    if "error_contains" in case:
        with pytest.raises(OutOfOrder, match=case["error_contains"]):
            expanded(case["events"])
        return
    events = expanded(case["events"])
    assert [event.type.value for event in events] == case["types"]
    joined = "".join(getattr(event, "delta", "") for event in events)
    if "joined_args" in case:
        assert json.loads(joined) == case["joined_args"]
    if "joined_text" in case:
        assert joined == case["joined_text"]


def expanded(raws: list[dict[str, Any]]) -> list[Event]:
    expander = ChunkExpander()
    events = [event for raw in enforced(raws) for event in expander.feed(raw)]
    return [*events, *expander.finish()]


# ------------------------------------------------------------------ reducer


@pytest.mark.parametrize("case", seed_cases("reducer"))
def test_a_stream_is_drawn_as_the_case_says(case: dict[str, Any]) -> None:
    reports = Reports()
    reducer = TranscriptReducer(report=reports)
    for event in enforced(case["events"]):
        reducer.apply(event)  # type: ignore[arg-type] # the cases hold no chunks
    drawn = reducer.snapshot()
    assert [
        {"role": row.role, "id": row.key, "parts": [listed(part) for part in row.parts]}
        for row in drawn.messages
    ] == case["transcript"]
    assert len(reports) == case.get("warnings", 0)
    if "steps" in case:
        assert list(drawn.steps) == case["steps"]


def listed(part: Part) -> list[Any]:
    match part:
        case TextPart():
            return ["text", part.wire_id, part.text, part.streaming]
        case ReasoningPart():
            return ["reasoning", part.wire_id, part.text, part.streaming]
        case ToolCallPart():
            return ["tool", part.wire_id, part.name, part.args, part.status.value, part.result]
        case ActivityPart():
            return ["activity", part.wire_id, part.activity_type, part.content]
        case FilePart():
            raise AssertionError("the cases hold no files")


# ------------------------------------------------------------------ subagents


@pytest.mark.parametrize("case", seed_cases("subagents"))
def test_invocations_are_kept_as_the_case_says(case: dict[str, Any]) -> None:
    # Folded without the verifier, which rejects two of these streams (fixtures table: B01, B04).
    applier = Applier()
    for event in enforced(case["events"]):
        applier.apply(event)  # type: ignore[arg-type] # the cases hold no chunks
    rows = [[row.subagent_run_id, row.name, row.status.value] for row in applier.subagents]
    assert rows == case["subagents"]
    if "owners" in case:
        assert {message.id: message.subagent_run_id for message in applier.messages} == case["owners"]
    if "raw_state" in case:
        assert applier.state == case["raw_state"]
