"""The protocol's stream corpus and the edge cases beside it, in profile ``current``."""

import json
import re
from typing import Any

import pytest

from tests.conformance.overrides import adjusted
from tests.conformance.wire_run import WireRun, wire_run
from tests.support.shared import files, params


def cases(folder: str) -> Any:
    """Return the cases of a folder; optional downgrades are about requests and judged with those."""
    found = [json.loads(path.read_text("utf-8")) for path in files(f"fixtures/protocol/{folder}/*.json")]
    kept = [case for case in found if case.get("level") != "MAY"]
    return params(kept, [case["name"] for case in kept])


@pytest.mark.parametrize("case", cases("streams"))
async def test_a_stream_of_the_corpus_is_read_as_the_specification_says(case: dict[str, Any]) -> None:
    await judge(adjusted("protocol/streams", case, key="name"))


@pytest.mark.parametrize("case", cases("edge"))
async def test_a_stream_at_the_edge_is_read_like_the_reference_reads_it(case: dict[str, Any]) -> None:
    await judge(adjusted("protocol/edge", case, key="name"))


async def judge(case: dict[str, Any]) -> None:
    given = {} if "request" in case["expect"] else case.get("input")
    run = await wire_run(case["stream"], given)
    expected = case["expect"]
    check_outcome(run, expected)
    check_events(run, expected)
    check_warnings(run, expected)
    if run.error is None:
        check_folds(run, expected)
    json.dumps([run.messages, run.dumped], ensure_ascii=False).encode()


def check_outcome(run: WireRun, expected: dict[str, Any]) -> None:
    assert run.outcome == expected["outcome"], run.error
    if run.error is not None:
        words = expected.get("errorContains") or expected.get("error", "")
        for name in names_in(words):
            assert name in run.error.message
    if "runError" in expected:
        assert expected["runError"] in [
            event.get("message") for event in run.dumped if event["type"] == "RUN_ERROR"
        ]


def check_events(run: WireRun, expected: dict[str, Any]) -> None:
    if "eventTypes" in expected and run.error is None:
        assert run.types == expected["eventTypes"]
    assert not set(run.types) & set(expected.get("eventTypesAbsent", []))
    for path, value in expected.get("eventPaths", {}).items():
        assert at(run.dumped, path) == value
    for path in expected.get("eventAbsentPaths", []):
        with pytest.raises((KeyError, IndexError)):
            at(run.dumped, path)


def check_warnings(run: WireRun, expected: dict[str, Any]) -> None:
    if expected.get("noWarnings") or expected.get("warningCount") == 0:
        assert run.reports == []
    for warning in expected.get("warnings", []):
        assert run.reports, warning
        for place in re.findall(r"/[\w/]+(?=$|')", warning):
            assert any(f"{report.path}/".startswith(f"{place}/") for report in run.reports)


def check_folds(run: WireRun, expected: dict[str, Any]) -> None:
    if "messageCount" in expected:
        assert len(run.messages) == expected["messageCount"]
    if "messages" in expected:
        assert_within(expected["messages"], run.messages)
    if "state" in expected:
        assert run.applier.state == expected["state"]
    asked = [interrupt.model_dump(mode="json", by_alias=True) for interrupt in run.applier.interrupts]
    if "pendingInterrupts" in expected:
        assert asked == expected["pendingInterrupts"]
    if "pendingInterruptIds" in expected:
        assert [each["id"] for each in asked] == expected["pendingInterruptIds"]
    finished = expected.get("runFinished", {})
    if "pendingToolCallIds" in finished:
        assert list(run.applier.pending_calls) == finished["pendingToolCallIds"]
    if "result" in finished:
        assert run.dumped[-1]["result"] == finished["result"]


def at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def assert_within(part: Any, whole: Any) -> None:
    """Assert that ``whole`` says all that ``part`` says: lists as long, objects at least as rich."""
    if isinstance(part, dict):
        assert part.keys() <= whole.keys()
        for key, value in part.items():
            assert_within(value, whole[key])
    elif isinstance(part, list):
        assert len(part) == len(whole)
        for one, other in zip(part, whole, strict=True):
            assert_within(one, other)
    else:
        assert part == whole


def names_in(words: str) -> set[str]:
    """Return what another implementation's words name: event types, fields, ids. Its wording is its own."""
    quoted = re.findall(r"'([\w-]+)'", words)
    fields = re.findall(r"\b(?:messageId|toolCallName|subagentRunId|parentSubagentRunId)\b", words)
    return {*quoted, *fields} - ADVISED


ADVISED = {"RUN_STARTED", "TEXT_MESSAGE_START", "TOOL_CALL_START", "SUBAGENT_STARTED"}
"""Event types that the reference names as advice on what to send instead."""
