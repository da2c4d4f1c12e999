from typing import Any

from ag_ui.core import AssistantMessage, UserMessage

from chat_app.agui.history import Applier
from chat_app.agui.history.entries import CallEntry, Entry
from chat_app.agui.history.outgoing import HistoryCall, read_call
from tests.support.wire import activity, call, ev, failed, started, text, thought


def sent(*events: Any, messages: Any = ()) -> list[dict[str, Any]]:
    applier = Applier(messages)
    for event in (started(), *events):
        applier.apply(event)
    return [message.model_dump(mode="json", by_alias=True) for message in applier.outgoing()]


def test_activities_stay_here() -> None:
    assert [message["id"] for message in sent(activity("a"), *text("m", "x"))] == ["m"]


def test_a_thought_goes_back_only_with_its_encrypted_value() -> None:
    sealed = ev("REASONING_ENCRYPTED_VALUE", subtype="message", entityId="q2", encryptedValue="v")
    assert [message["id"] for message in sent(*thought("q1", "x"), *thought("q2", "y"), sealed)] == ["q2"]


def test_calls_whose_arguments_never_ended_are_left_out() -> None:
    cut = call("c2", "search", '{"q":')[:2]
    messages = sent(
        *text("m", "x"),
        *call("c1", parentMessageId="m"),
        cut[0].model_copy(update={"parent_message_id": "m"}),
    )
    assert [each["id"] for each in messages[0]["toolCalls"]] == ["c1"]
    assert sent(*cut, failed()) == []
    assert sent(*text("m", "x"), cut[0].model_copy(update={"parent_message_id": "m"})) == [
        {"id": "m", "role": "assistant", "content": "x"}
    ]


def test_what_was_seeded_goes_back_whole() -> None:
    messages = [UserMessage(id="u", content="hi"), AssistantMessage(id="a")]
    assert [message["id"] for message in sent(messages=messages)] == ["u", "a"]


def test_a_call_is_read_as_it_stands() -> None:
    call_entry = CallEntry("c", "search", Entry("m", "assistant"), run=1)
    assert read_call(call_entry) == HistoryCall("c", "search", "", "m", ended=False, answered=False)
