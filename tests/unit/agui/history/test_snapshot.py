from typing import Any

from ag_ui.core import SystemMessage, UserMessage

from chat_app.agui.events import AssistantMessage, LocalMessage
from chat_app.agui.history import Applier
from chat_app.agui.updates import MessagesReplaced
from tests.support.wire import activity, call, finished, result, snapshot, started, text, thought


def folded(*entries: Any, messages: Any = ()) -> Applier:
    applier = Applier(messages)
    for entry in entries:
        applier.apply(entry)
    return applier


def said(
    message_id: str, content: str | None = "x", role: str = "assistant", **fields: Any
) -> dict[str, Any]:
    message: dict[str, Any] = {"id": message_id, "role": role, **fields}
    return message if content is None else message | {"content": content}


def called(call_id: str, arguments: str) -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "search", "arguments": arguments}}


def contents(applier: Applier) -> list[tuple[str, Any]]:
    return [(message.id, message.content) for message in applier.messages]


def test_a_snapshot_edits_in_place_drops_and_appends() -> None:
    applier = folded(started(), *text("a", "1"), *text("b", "2"), *text("c", "3"))
    updates = applier.apply(snapshot(said("new", "n"), said("c", "3!"), said("a", "1")))
    assert contents(applier) == [("a", "1"), ("c", "3!"), ("new", "n")]
    assert updates == (MessagesReplaced(("a", "c", "new")),)


def test_a_message_is_replaced_wholesale() -> None:
    start = text("m", metadata={"a": 1})[0]
    applier = folded(started(), start, snapshot(said("m", "z")))
    assert applier.messages[0].metadata is None


def test_activities_and_thoughts_stay_in_place() -> None:
    applier = folded(started(), activity("a"), *thought("q", "hm"), *text("m", "x"), snapshot(said("n")))
    assert [message.id for message in applier.messages] == ["a", "q", "n"]


def test_lost_arguments_do_not_overwrite_streamed_ones() -> None:
    events = call("c", "search", '{"q":1}')
    applier = folded(
        started(),
        *events,
        snapshot(said("m2", None, toolCalls=[called("c", ""), called("c", ""), called("d", "")])),
    )
    held = applier.call("c")
    assert held is not None
    assert (held.arguments, held.message_id) == ('{"q":1}', "m2")


def test_lost_arguments_are_taken_from_the_call_wherever_it_was() -> None:
    stream = call("c", "search", '{"q":1}')
    kept = folded(started(), *stream, snapshot(said("c", None, toolCalls=[called("c", "")]))).call("c")
    assert kept is not None
    assert kept.arguments == '{"q":1}'
    rewritten = folded(
        started(), *stream, snapshot(said("c", None, toolCalls=[called("c", '{"q": 1}')]))
    ).call("c")
    assert rewritten is not None
    assert rewritten.arguments == '{"q": 1}'


def test_a_call_still_streaming_stays_so_under_a_snapshot() -> None:
    start, part, end = call("c", "search", "{}")
    applier = folded(started(), start, snapshot(said("c", None, toolCalls=[called("c", "")])), part)
    held = applier.call("c")
    assert held is not None
    assert (held.ended, held.arguments) == (False, "{}")
    applier.apply(end)
    assert applier.unanswered[0].call_id == "c"


def test_two_messages_of_one_id_are_matched_by_role() -> None:
    applier = folded(started(), *call("c"), result("c", "one", "c"))
    applier.apply(
        snapshot(said("c", "two", "tool", toolCallId="c"), said("c", None, toolCalls=[called("c", "{}")]))
    )
    assert [(message.role, message.content) for message in applier.messages] == [
        ("assistant", None),
        ("tool", "two"),
    ]


def test_lines_of_one_id_are_matched_in_order() -> None:
    lines = [LocalMessage(UserMessage(id="u", content=words)) for words in ("x", "y")]
    applier = folded(*lines, started(), snapshot(said("u", "x", "user"), said("u", "y", "user")))
    assert contents(applier) == [("u", "x"), ("u", "y")]


def test_an_id_with_another_role_is_the_same_message() -> None:
    applier = folded(started(), *text("m", "x"), snapshot(said("m", "y", "user")))
    assert [(message.role, message.content) for message in applier.messages] == [("user", "y")]


def test_a_prompt_the_agent_added_does_not_go_back() -> None:
    applier = folded(started(), snapshot(said("sys-1", "You are scripted.", "system"), said("m")))
    assert [message.id for message in applier.messages] == ["sys-1", "m"]
    assert [message.id for message in applier.outgoing()] == ["m"]


def test_our_own_prompt_goes_back_even_under_a_new_id() -> None:
    ours = SystemMessage(id="s", content="Be brief.")
    applier = folded(started(), snapshot(said("s", "Be brief.", "system")), messages=[ours])
    assert len(applier.outgoing()) == 1
    applier.apply(snapshot(said("fresh", "Be brief.", "system"), said("other", "Be long.", "system")))
    assert [message.id for message in applier.outgoing()] == ["fresh"]


def test_an_answer_in_a_snapshot_answers_its_call() -> None:
    applier = folded(started(), *call("c", "search", "{}"))
    applier.apply(
        snapshot(said("m", None, toolCalls=[called("c", "{}")]), said("t", "ok", "tool", toolCallId="c"))
    )
    assert applier.unanswered == ()


def test_an_echoed_input_adds_what_is_not_held() -> None:
    echo = {
        "threadId": "t",
        "runId": "r",
        "messages": [said("u", "new words", "user"), said("v", "two", "user")],
    }
    applier = folded(started(input=echo), messages=[UserMessage(id="u", content="one")])
    assert contents(applier) == [("u", "one"), ("v", "two")]


def test_a_snapshot_after_a_run_lets_the_next_run_call_anew() -> None:
    applier = folded(started(), *call("c"), finished(), started("r2"), snapshot())
    assert applier.messages == ()
    assert applier.pending_calls == ()
    assert isinstance(folded(started(), *call("c")).messages[0], AssistantMessage)
