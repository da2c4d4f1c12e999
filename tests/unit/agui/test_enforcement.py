from typing import Any

import pytest
from ag_ui.core import RunAgentInput, UserMessage

from chat_app.agui.enforcement import Enforcer, enforce_input, enforce_model, validated
from chat_app.agui.errors import BadEvent
from tests.support.wire import Reports


def enforced(raw: dict[str, Any], *, drop_nulls: bool = False) -> tuple[Any, Reports]:
    reports = Reports()
    event = Enforcer(reports, drop_nulls=drop_nulls).enforce(raw)
    return event and event.model_dump(mode="json", by_alias=True), reports


@pytest.mark.parametrize(
    "raw",
    [
        {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": ""},
        {"type": "CUSTOM", "name": "x", "value": None},
        {"type": "TEXT_MESSAGE_END", "messageId": "m", "metadata": {"k": None}, "rawEvent": [None]},
        {"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "", "value": 1}]},
    ],
)
def test_a_described_event_passes_as_it_is_and_in_silence(raw: dict[str, Any]) -> None:
    assert enforced(raw) == (raw, [])


def test_an_event_of_an_unknown_type_is_dropped_and_named() -> None:
    event, reports = enforced({"type": "FUTURE_EVENT"})
    assert event is None
    assert [(report.code, report.event_type) for report in reports] == [("unknown-event", "FUTURE_EVENT")]


def test_undescribed_material_never_gets_through() -> None:
    event, reports = enforced({"type": "TEXT_MESSAGE_END", "messageId": "m", "thread_id": "t"})
    assert event == {"type": "TEXT_MESSAGE_END", "messageId": "m"}
    assert [(report.code, report.path) for report in reports] == [("removed", "/thread_id")]


def test_an_event_whose_core_is_unknown_is_dropped() -> None:
    raw = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "new", "entityId": "m", "encryptedValue": "v"}
    event, reports = enforced(raw)
    assert event is None
    assert reports.codes == ["removed"]


@pytest.mark.parametrize(
    ("raw", "path"),
    [
        ({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m"}, "/delta"),
        ({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": 1}, "/delta"),
        ({"type": "TEXT_MESSAGE_CONTENT", "messageId": None, "delta": "x"}, "/messageId"),
        ({"type": "TEXT_MESSAGE_CONTENT", "message_id": "m", "delta": "x"}, "/messageId"),
        ({"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": 1.5}, "/timestamp"),
        ({"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": True}, "/timestamp"),
        ({"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": "5"}, "/timestamp"),
        ({"type": "REASONING_MESSAGE_START", "messageId": "m"}, "/role"),
        ({"type": "REASONING_MESSAGE_START", "messageId": "m", "role": "assistant"}, "/role"),
        (
            {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "u", "role": "user", "content": [42]}]},
            "/messages/0/content/0",
        ),
        ({"type": "STATE_DELTA", "delta": [{"op": "remove", "path": "a"}]}, "/delta/0/path"),
        ({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": []}, "/outcome"),
    ],
)
def test_malformed_material_is_fatal_and_its_place_named(raw: dict[str, Any], path: str) -> None:
    with pytest.raises(BadEvent) as caught:
        enforced(raw)
    assert caught.value.path == path
    assert caught.value.event_type == raw["type"]


def test_an_integral_fraction_is_an_integer() -> None:
    assert enforced({"type": "TEXT_MESSAGE_END", "messageId": "m", "timestamp": 5.0})[0]["timestamp"] == 5


def test_a_lenient_pass_reads_null_as_absent() -> None:
    raw = {"type": "TEXT_MESSAGE_START", "messageId": "m", "name": None}
    event, reports = enforced(raw, drop_nulls=True)
    assert event == {"type": "TEXT_MESSAGE_START", "messageId": "m"}
    assert [report.path for report in reports] == ["/name"]


def test_a_single_object_is_judged_like_an_event() -> None:
    reports = Reports()
    part = {"type": "sticker", "text": "x"}
    message = enforce_model(
        UserMessage, {"id": "u", "role": "user", "content": [part]}, name="Message", report=reports
    )
    assert message is not None
    assert message.content == []
    assert [(report.event_type, report.path) for report in reports] == [("Message", "/content/0")]
    with pytest.raises(BadEvent, match="Message"):
        enforce_model(UserMessage, [], name="Message", report=reports)


def test_an_object_of_a_kind_nobody_knows_is_none() -> None:
    from ag_ui.core import ReasoningEncryptedValueEvent

    raw = {"type": "REASONING_ENCRYPTED_VALUE", "subtype": "new", "entityId": "m", "encryptedValue": "v"}
    assert enforce_model(ReasoningEncryptedValueEvent, raw, name="E", report=Reports()) is None


def test_a_request_is_stripped_before_it_is_sent() -> None:
    reports = Reports()
    message = UserMessage(id="u", content="hi", colour="red")  # type: ignore[call-arg]
    sent = enforce_input(RunAgentInput(thread_id="t", run_id="r", messages=[message], state={}), reports)
    assert sent.model_dump(by_alias=True)["messages"] == [{"id": "u", "role": "user", "content": "hi"}]
    assert [report.path for report in reports] == ["/messages/0/colour"]


def test_a_malformed_request_is_refused() -> None:
    request = RunAgentInput.model_construct(thread_id=5, run_id="r", messages=[])
    with pytest.warns(UserWarning, match="serializ"), pytest.raises(BadEvent, match="/threadId"):
        enforce_input(request, Reports())


def test_a_location_that_leads_nowhere_is_left_out_of_the_path() -> None:
    with pytest.raises(BadEvent) as caught:
        validated(UserMessage, {"id": "u", "role": "user", "content": 5}, "Message")
    assert caught.value.path == "/content"
