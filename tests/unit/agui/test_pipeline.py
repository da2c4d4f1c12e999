from itertools import count
from typing import Any

import pytest

from chat_app.agui.errors import BadEvent, OutOfOrder
from chat_app.agui.order import Mode
from chat_app.agui.pipeline import STRICT, TOLERANT, Pipeline, Reading
from tests.support.wire import RUN, Reports


def read(*raws: dict[str, Any], reading: Reading = STRICT) -> tuple[list[dict[str, Any]], Reports]:
    reports = Reports()
    numbers = count(1)
    pipeline = Pipeline(reading, report=reports, new_id=lambda: f"id-{next(numbers)}")
    events = [event for raw in raws for event in pipeline.feed(raw)]
    return [event.model_dump(mode="json", by_alias=True) for event in events], reports


def started(**fields: Any) -> dict[str, Any]:
    return {"type": "RUN_STARTED", **RUN, **fields}


FINISHED: dict[str, Any] = {"type": "RUN_FINISHED", **RUN}
NULL_NAME: dict[str, Any] = {"type": "TEXT_MESSAGE_START", "messageId": "m", "name": None}
END: dict[str, Any] = {"type": "TEXT_MESSAGE_END", "messageId": "m"}


def test_the_stages_stand_in_the_protocols_order() -> None:
    events, reports = read(
        {"type": "FUTURE_HELLO"},
        started(),
        {"type": "THINKING_TEXT_MESSAGE_START"},
        {"type": "THINKING_TEXT_MESSAGE_END"},
        {"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "\ud83d"},
        {"type": "TEXT_MESSAGE_CHUNK", "delta": "\udc68", "future": 1},
        FINISHED,
    )
    assert [event["type"] for event in events] == [
        "RUN_STARTED",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_END",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert [event["delta"] for event in events if "delta" in event] == ["", "👨"]
    assert reports.codes == ["unknown-event", "retired-event", "retired-event", "removed"]


def test_a_strict_reading_refuses_nulls_whatever_the_peer_declared() -> None:
    with pytest.raises(BadEvent, match="/name"):
        read(started(), NULL_NAME)


def test_a_lenient_reading_reads_nulls_as_absent_until_a_version_is_declared() -> None:
    events, reports = read(started(), NULL_NAME, END, FINISHED, reading=TOLERANT)
    assert events[1] == {"type": "TEXT_MESSAGE_START", "messageId": "m"}
    assert reports.codes == ["removed"]
    with pytest.raises(BadEvent, match="/name"):
        read(started(protocolVersion="1.0"), NULL_NAME, reading=TOLERANT)


def test_a_lenient_reading_mends_the_role_of_early_reasoning() -> None:
    thought = {"type": "REASONING_MESSAGE_START", "messageId": "q", "role": "assistant"}
    events, _ = read(started(), thought, reading=TOLERANT)
    assert events[1]["role"] == "reasoning"
    with pytest.raises(BadEvent, match="/role"):
        read(started(protocolVersion="1.0"), thought, reading=TOLERANT)


def test_a_version_this_client_does_not_speak_is_noted() -> None:
    assert read(started(protocolVersion="9.0"))[1].codes == ["version"]
    assert read(started(protocolVersion="1.0"))[1].codes == []


@pytest.mark.parametrize("mode", [Mode.STRICT, Mode.TOLERANT])
def test_a_chunk_without_a_place_fails_the_run(mode: Mode) -> None:
    with pytest.raises(OutOfOrder):
        read(started(), {"type": "TEXT_MESSAGE_CHUNK", "delta": "x"}, reading=Reading(mode))


@pytest.mark.parametrize(("mode", "is_error"), [(Mode.REPORT, True), (Mode.OFF, False)])
def test_a_chunk_without_a_place_is_left_out_where_rules_are_not_insisted_on(
    mode: Mode, is_error: bool
) -> None:
    events, reports = read(
        started(), {"type": "TEXT_MESSAGE_CHUNK", "delta": "x"}, FINISHED, reading=Reading(mode)
    )
    assert [event["type"] for event in events] == ["RUN_STARTED", "RUN_FINISHED"]
    assert [report.error is not None for report in reports] == [is_error]


def test_several_events_of_one_frame_are_all_verified_and_mended() -> None:
    events, _ = read(
        started(),
        {"type": "TEXT_MESSAGE_START", "messageId": "m"},
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "\ud83d"},
        FINISHED,
        reading=TOLERANT,
    )
    assert [event["type"] for event in events[3:]] == [
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "RUN_FINISHED",
    ]
    assert events[3]["delta"] == "\ufffd"


def test_finishing_closes_what_chunks_left_open() -> None:
    pipeline = Pipeline(STRICT, report=Reports(), new_id=str)
    pipeline.feed(started())
    pipeline.feed({"type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x"})
    assert [event.type.value for event in pipeline.finish()] == ["TEXT_MESSAGE_END"]
