from typing import Any

from chat_app.agui.events import AssistantMessage
from chat_app.agui.history import Applier, HistoryCall
from chat_app.agui.updates import ArgumentsAdded, CallEnded, CallStarted, EncryptedValueStored, ResultArrived
from tests.support.wire import Reports, activity, call, ev, failed, finished, result, started, text, thought


def folded(*events: Any) -> tuple[Applier, list[Any], Reports]:
    reports = Reports()
    applier = Applier(report=reports)
    updates = [update for event in (started(), *events) for update in applier.apply(event)]
    return applier, updates, reports


def shape(applier: Applier) -> list[tuple[str, str, list[str]]]:
    return [
        (
            message.role,
            message.id,
            [each.id for each in message.tool_calls or ()] if isinstance(message, AssistantMessage) else [],
        )
        for message in applier.messages
    ]


def arguments(applier: Applier, call_id: str = "c") -> str:
    held = applier.call(call_id)
    assert held is not None
    return held.arguments


def test_a_call_joins_the_assistant_message_it_names() -> None:
    applier, updates, _ = folded(
        *text("m", "Looking"), *call("c", "search", '{"q":', "1}", parentMessageId="m")
    )
    assert shape(applier) == [("assistant", "m", ["c"])]
    assert arguments(applier) == '{"q":1}'
    assert updates[-4:] == [
        CallStarted("m", "c", "search"),
        ArgumentsAdded("m", "c", '{"q":'),
        ArgumentsAdded("m", "c", "1}"),
        CallEnded("m", "c"),
    ]


def test_a_call_without_a_parent_gets_a_message_of_its_own_id() -> None:
    assert shape(folded(*call("c"))[0]) == [("assistant", "c", ["c"])]


def test_a_parent_nobody_holds_is_made() -> None:
    applier, _, _ = folded(
        *call("c1", parentMessageId="p"), *call("c2", parentMessageId="p", subagentRunId="s")
    )
    assert shape(applier) == [("assistant", "p", ["c1", "c2"])]
    assert applier.messages[0].content is None


def test_a_parent_of_another_role_is_not_used() -> None:
    applier, _, reports = folded(*text("u", "x", role="user"), *call("c", parentMessageId="u"))
    assert shape(applier) == [("user", "u", []), ("assistant", "c", ["c"])]
    assert reports.codes == ["parent-role"]


def test_text_fills_the_message_a_call_made() -> None:
    applier, _, _ = folded(*call("c", parentMessageId="m"), *text("m", "hello"))
    assert shape(applier) == [("assistant", "m", ["c"])]
    assert applier.messages[0].content == "hello"


def test_a_call_that_starts_again_in_the_same_run_goes_on() -> None:
    applier, _, _ = folded(*call("c", "search", '{"a":'), *call("c", "search", "1}"))
    assert arguments(applier) == '{"a":1}'


def test_a_call_that_a_later_run_repeats_is_not_doubled() -> None:
    applier, updates, _ = folded(
        *call("c", "x", '{"a":1}'), finished(), started("r2"), *call("c", "x", '{"a":', "2}")
    )
    assert arguments(applier) == '{"a":2}'
    assert sum(isinstance(update, ArgumentsAdded) for update in updates) == 1


def test_a_repetition_that_is_cut_or_empty_leaves_the_arguments_alone() -> None:
    start, part, end = call("c", "x", '{"a":')
    applier, _, _ = folded(
        *call("c", "x", '{"a":1}'), finished(), started("r2"), start, part, failed(), started("r3")
    )
    assert arguments(applier) == '{"a":1}'
    for event in (start, end):
        applier.apply(event)
    assert arguments(applier) == '{"a":1}'


def test_a_call_that_changes_its_name_is_renamed_and_noted() -> None:
    applier, _, reports = folded(*call("c", "old"), *call("c", "new"))
    assert applier.call("c") == HistoryCall("c", "new", "", "c", ended=True, answered=False)
    assert reports.codes == ["call-renamed"]


def test_what_names_no_call_is_ignored() -> None:
    _, updates, reports = folded(*call("c", "x", "{}")[1:])
    assert updates == []
    assert reports.codes == ["no-target"] * 2


def test_metadata_lands_on_the_call_not_on_its_message() -> None:
    events = [
        event.model_copy(update={"metadata": {f"k{n}": n}}) for n, event in enumerate(call("c", "x", "{}"))
    ]
    message = folded(*events)[0].messages[0]
    assert isinstance(message, AssistantMessage)
    assert message.metadata is None
    assert message.tool_calls is not None
    assert message.tool_calls[0].metadata == {"k0": 0, "k1": 1, "k2": 2}


def test_a_result_is_a_tool_message_next_to_its_call() -> None:
    parts = [{"type": "text", "text": "here"}]
    later = result("c2", parts).model_copy(update={"metadata": {"ms": 3}, "subagent_run_id": "s"})
    applier, updates, _ = folded(*call("c"), *call("c2"), *text("m", "after"), result("c", "one"), later)
    assert [message.id for message in applier.messages] == ["c", "c-result", "c2", "c2-result", "m"]
    assert updates[-1] == ResultArrived("c2-result", "c2")
    answer = applier.message("c2-result")
    assert answer is not None
    assert answer.model_dump(by_alias=True) == {
        "id": "c2-result",
        "role": "tool",
        "toolCallId": "c2",
        "content": parts,
        "metadata": {"ms": 3},
        "subagentRunId": "s",
    }


def test_a_second_result_is_a_second_message() -> None:
    applier, _, _ = folded(*call("c"), result("c", "one"), result("c", "two", "t2"))
    assert [message.content for message in applier.messages[1:]] == ["one", "two"]


def test_an_encrypted_value_is_kept_where_it_belongs() -> None:
    def sealed(subtype: str, entity: str) -> Any:
        return ev("REASONING_ENCRYPTED_VALUE", subtype=subtype, entityId=entity, encryptedValue="v")

    applier, updates, reports = folded(
        *thought("q", "hm"), *call("c"), activity("a"),
        sealed("message", "q"), sealed("tool-call", "c"), sealed("message", "a"),
        sealed("message", "ghost"), sealed("tool-call", "ghost"),
    )  # fmt: skip
    assert updates[-2:] == [EncryptedValueStored("q"), EncryptedValueStored("c", "c")]
    assert applier.reasoning[0].encrypted_value == "v"
    assert reports.codes == ["no-target"] * 2


def test_a_call_that_was_cut_starts_over_when_a_later_run_repeats_it() -> None:
    applier, _, _ = folded(*call("c", "x", '{"a":')[:2], failed(), started("r2"), *call("c", "x", '{"a":1}'))
    assert arguments(applier) == '{"a":1}'
    assert [each.call_id for each in applier.unanswered] == ["c"]
    for event in call("c", "x", " "):
        applier.apply(event)
    assert arguments(applier) == '{"a":1} '
