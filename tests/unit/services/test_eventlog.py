import pytest
from ag_ui.core import RunStartedEvent, TextMessageContentEvent

from chat_app.agui import BadEvent, LocalMessage, ToolMessage, UserMessage, parse_stored
from chat_app.data.records import EventRecord
from chat_app.services.eventlog import ANSWER, DECISION, USER_MESSAGE, entries, stored
from tests.fakes import NOON


def record(kind: str, payload) -> EventRecord:
    return EventRecord(thread="t", seq=1, run="r", type=kind, payload=payload, at=NOON)


@pytest.mark.parametrize(
    "entry",
    [
        RunStartedEvent(thread_id="t", run_id="r"),
        TextMessageContentEvent(message_id="m", delta="Hello"),
        LocalMessage(ToolMessage(id="m2", tool_call_id="c1", content="4")),
        LocalMessage(UserMessage(id="m3", content="Hi")),
    ],
)
def test_what_was_stored_is_read_back_as_it_was(entry):
    kind, payload = stored(entry)
    assert list(entries(record(kind, payload))) == [entry]


def test_an_event_is_kept_under_its_own_type_without_the_frameworks_copy():
    event = TextMessageContentEvent(message_id="m", delta="Hi", raw_event={"huge": True})
    kind, payload = stored(event)
    assert kind == "TEXT_MESSAGE_CONTENT"
    assert payload == {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"}


def test_what_this_side_says_is_an_answer():
    kind, _ = stored(LocalMessage(ToolMessage(id="m2", tool_call_id="c1", content="4")))
    assert kind == ANSWER


def test_a_persons_line_is_a_message_of_this_side():
    line = record(USER_MESSAGE, {"id": "m1", "role": "user", "content": "Hi"})
    assert list(entries(line)) == [LocalMessage(UserMessage(id="m1", content="Hi"))]


def test_a_decision_means_nothing_to_the_client():
    assert list(entries(record(DECISION, {"by": "ada"}))) == []


def test_what_no_version_has_written_is_refused():
    with pytest.raises(BadEvent):
        list(entries(record("TEXT_MESSAGE_CONTENT", {"type": "TEXT_MESSAGE_CONTENT"})))
    with pytest.raises(BadEvent):
        list(entries(record("NEVER_HEARD_OF", {"type": "NEVER_HEARD_OF"})))
    with pytest.raises(BadEvent):
        list(entries(record(USER_MESSAGE, {"role": "user"})))


def test_the_copy_of_a_frameworks_event_is_kept_only_when_asked_for():
    event = parse_stored({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "rawEvent": {"x": 1}})

    assert "rawEvent" not in stored(event)[1]
    assert stored(event, raw=True)[1]["rawEvent"] == {"x": 1}
