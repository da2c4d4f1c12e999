from typing import Any

import pytest
from ag_ui.core import UserMessage

from chat_app.agui.events import LocalMessage
from chat_app.agui.transcript import TextPart, ToolCallPart, TranscriptReducer
from chat_app.agui.updates import Removed, Touched
from tests.support.wire import activity, call, finished, result, snapshot, started, text, thought


def folded(*entries: Any) -> TranscriptReducer:
    reducer = TranscriptReducer()
    for entry in entries:
        reducer.apply(entry)
    return reducer


def line(message_id: str, content: Any) -> LocalMessage:
    return LocalMessage(UserMessage(id=message_id, content=content))


def said(message_id: str, content: str | None, role: str = "assistant", **fields: Any) -> dict[str, Any]:
    message: dict[str, Any] = {"id": message_id, "role": role, **fields}
    return message if content is None else message | {"content": content}


def called(call_id: str, arguments: str = "{}", name: str = "search") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def rows(reducer: TranscriptReducer) -> list[tuple[str, str, list[str]]]:
    return [(row.key, row.wire_id, [part.key for part in row.parts]) for row in reducer.snapshot().messages]


def keys(reducer: TranscriptReducer) -> list[str]:
    return [row.key for row in reducer.snapshot().messages]


def part(reducer: TranscriptReducer, row: str, index: int = 0) -> Any:
    return reducer.message(row).parts[index]


def test_a_list_that_says_what_is_drawn_changes_nothing() -> None:
    reducer = folded(line("u", "hi"), started(), *text("m", "x"), *call("c", "search", '{"q":1}', parentMessageId="m"),
                     result("c"))  # fmt: skip
    before = reducer.snapshot()
    listed = snapshot(
        said("u", "hi", "user"),
        said("m", "x", toolCalls=[called("c", '{"q": 1}')]),
        said("c-result", "ok", "tool", toolCallId="c"),
    )
    assert reducer.apply(listed) == ()
    assert all(now is then for now, then in zip(reducer.snapshot().messages, before.messages, strict=True))


def test_a_list_edits_in_place_drops_and_draws_below() -> None:
    reducer = folded(started(), *text("m1", "first"), activity("act"), *text("m2", "second"))
    changes = reducer.apply(snapshot(said("m2", "second!"), said("m1", "first"), said("m3", "third")))
    assert keys(reducer) == ["m1", "act", "m2", "m3"]
    assert changes == (Touched("m2"), Touched("m3"))
    assert part(reducer, "m2").text == "second!"


def test_what_a_list_leaves_out_goes() -> None:
    reducer = folded(line("u", "hi"), started(), *text("m", "x"), *call("c"), *text("n", "y"))
    assert reducer.apply(snapshot(said("n", "y"))) == (Removed("u"), Touched("m"))
    assert rows(reducer) == [("m", "m", ["n"])]


def test_activities_and_thoughts_stay_unless_the_list_owns_them() -> None:
    events = [started(), *thought("q", "hm"), activity("a"), *text("m", "x")]
    kept = folded(*events, snapshot(said("m", "x")))
    assert keys(kept) == ["q", "a", "m"]
    owner = {"id": "b", "role": "activity", "activityType": "w", "content": {}}
    owned = folded(*events, snapshot(said("p", "sure", "reasoning"), owner))
    assert rows(owned) == [("p", "p", ["p"]), ("b", "b", ["b"])]


def test_renamed_messages_keep_their_rows() -> None:
    reducer = folded(
        line("u", "hi"), started(), *text("m", "Looking. "), *call("c", "search", '{"q":1}'), *text("n", "3")
    )
    renamed = [
        said("U", "hi", "user"),
        said("A", "Looking. ", toolCalls=[called("c", '{"q": 1}')]),
        said("B", "3"),
    ]
    reducer.apply(snapshot(*renamed))
    assert rows(reducer) == [("u", "U", ["u"]), ("m", "m", ["m", "c", "n"])]
    assert [each.wire_id for each in reducer.message("m").parts] == ["A", "c", "B"]  # type: ignore[union-attr]
    again = [said("U2", "hi", "user"), said("A2", "Looking. ", toolCalls=[called("c")]), said("B2", "3")]
    reducer.apply(snapshot(*again))
    assert rows(reducer) == [("u", "U2", ["u"]), ("m", "m", ["m", "c", "n"])]


def test_renamed_thoughts_keep_their_place() -> None:
    reducer = folded(
        started(),
        *thought("q", "hm"),
        *text("m", "x"),
        snapshot(said("Q", "hm", "reasoning"), said("m", "x")),
    )
    assert rows(reducer) == [("q", "q", ["q", "m"])]


def test_a_renamed_text_goes_on_under_its_new_id() -> None:
    reducer = folded(started(), *text("m", "a")[:2], snapshot(said("M", "a")), text("M", "b")[1])
    assert part(reducer, "m") == TextPart("m", "M", "ab", streaming=True)


def test_equal_texts_are_paired_in_order() -> None:
    reducer = folded(
        line("u1", "ok"), line("u2", "ok"), snapshot(said("x", "ok", "user"), said("y", "ok", "user"))
    )
    assert rows(reducer) == [("u1", "x", ["u1"]), ("u2", "y", ["u2"])]


def test_lost_arguments_leave_the_streamed_ones() -> None:
    reducer = folded(started(), *call("c", "search", "not json"))
    reducer.apply(snapshot(said("A", None, toolCalls=[called("c", ""), called("c", "")])))
    shown = part(reducer, "c")
    assert (shown.args, shown.parent_id) == ("not json", "A")
    assert keys(reducer) == ["c"]


def test_other_arguments_and_another_name_are_taken_over() -> None:
    reducer = folded(
        started(),
        *call("c", "search", '{"q":1}'),
        snapshot(said("A", None, toolCalls=[called("c", '{"q":2}', "find")])),
    )
    assert (part(reducer, "c").args, part(reducer, "c").name) == ('{"q":2}', "find")


def test_a_renamed_call_is_known_by_what_it_says() -> None:
    reducer = folded(
        started(),
        *call("c", "search", '{"q":1}'),
        snapshot(said("A", None, toolCalls=[called("d", '{"q": 1}')])),
    )
    assert keys(reducer) == ["c"]
    answered = result("d")
    assert reducer.apply(answered) == (Touched("c"),)
    assert part(reducer, "c").result == "ok"


def test_answers_in_a_list_complete_their_calls() -> None:
    reducer = folded(started(), *call("c", "search", "{}"))
    listed = snapshot(said("c", None, toolCalls=[called("c")]), said("t", "ok", "tool", toolCallId="c"))
    reducer.apply(listed)
    assert (part(reducer, "c").status.value, part(reducer, "c").result_id) == ("complete", "t")
    assert reducer.apply(listed) == ()


def test_an_answer_to_no_call_is_not_drawn() -> None:
    assert folded(snapshot(said("t", "ok", "tool", toolCallId="ghost"))).snapshot().messages == ()


def test_a_thread_is_drawn_from_a_list_alone() -> None:
    reducer = folded(
        started(),
        snapshot(
            said("s", "be brief", "system"),
            said("d", "be kind", "developer"),
            said("u", "hi", "user"),
            said("q", "hm", "reasoning"),
            said("a", "Looking", toolCalls=[called("c")]),
            said("t", "ok", "tool", toolCallId="c"),
            said("e", ""),
            said("b", "Found"),
            {"id": "act", "role": "activity", "activityType": "w", "content": {}},
        ),
    )
    assert rows(reducer) == [("u", "u", ["u"]), ("q", "q", ["q", "a", "c", "b"]), ("act", "act", ["act"])]
    shown = part(reducer, "q", 2)
    assert isinstance(shown, ToolCallPart)
    assert (shown.status.value, shown.result) == ("complete", "ok")


@pytest.mark.parametrize("content", ["hi!", [{"type": "text", "text": "hi"}]])
def test_a_line_that_says_something_else_is_redrawn(content: Any) -> None:
    reducer = folded(line("u", "hi"))
    assert reducer.apply(snapshot({"id": "u", "role": "user", "content": content})) == (Touched("u"),)
    assert part(reducer, "u").text == (content if isinstance(content, str) else "hi")


def test_a_line_with_files_is_redrawn() -> None:
    parts = [
        {"type": "text", "text": "hi"},
        {"type": "image", "source": {"type": "url", "value": "https://x"}},
    ]
    reducer = folded(line("u", parts))
    assert reducer.apply(snapshot(said("u", "hi", "user"))) == (Touched("u"),)
    assert len(reducer.message("u").parts) == 1


def test_an_activity_is_replaced_when_the_list_says_otherwise() -> None:
    reducer = folded(activity("a", {"n": 0}))
    same = {"id": "a", "role": "activity", "activityType": "web", "content": {"n": 0}}
    assert reducer.apply(snapshot(same)) == ()
    assert reducer.apply(snapshot(same | {"content": {"n": 1}})) == (Touched("a"),)
    assert part(reducer, "a").content == {"n": 1}


def test_an_activity_the_list_owns_and_leaves_out_goes() -> None:
    other = {"id": "b", "role": "activity", "activityType": "web", "content": {}}
    assert folded(activity("a", {"n": 0})).apply(snapshot(other)) == (Removed("a"), Touched("b"))


def test_a_call_of_a_list_is_forgotten_with_its_message() -> None:
    reducer = folded(started(), *call("c"), snapshot(), finished())
    assert reducer.apply(result("c")) == ()


def test_a_seeded_text_is_renamed_without_being_reopened() -> None:
    reducer = folded(
        started(), *text("m", "x"), finished(), started("r2"), snapshot(said("M", "x")), *text("M", "y")
    )
    assert rows(reducer) == [("m", "m", ["m"]), ("M", "M", ["M"])]


def test_a_streamed_line_that_is_dropped_takes_its_text_along() -> None:
    start, content, end = text("u", "x", role="user")
    reducer = folded(started(), start, snapshot())
    assert [reducer.apply(event) for event in (content, end, finished())] == [(), (), ()]
    assert keys(reducer) == []


def test_a_streamed_line_goes_on_under_its_new_id() -> None:
    start, content, _ = text("u", "x", role="user")
    reducer = folded(started(), start, content, snapshot(said("U", "x", "user")))
    reducer.apply(text("U", "y")[1])
    assert part(reducer, "u") == TextPart("u", "U", "xy", streaming=True)


def test_a_call_held_for_approval_is_not_released_once_it_is_gone() -> None:
    asked = finished(
        outcome={"type": "interrupt", "interrupts": [{"id": "i", "reason": "x", "toolCallId": "c"}]}
    )
    reducer = folded(started(), *call("c"), asked, snapshot())
    assert reducer.apply(started("r2")) == ()


def test_a_failed_answer_in_a_list_is_drawn_once() -> None:
    reducer = folded(started(), *call("c", "search", "{}"))
    listed = snapshot(
        said("c", None, toolCalls=[called("c")]), said("t", "", "tool", toolCallId="c", error="no such place")
    )
    assert reducer.apply(listed) == (Touched("c"),)
    assert (part(reducer, "c").status.value, part(reducer, "c").result) == ("failed", "no such place")
    assert reducer.apply(listed) == ()


def test_new_rows_are_told_in_the_order_they_stand_in() -> None:
    changes = folded(started()).apply(
        snapshot(
            said("a", None, toolCalls=[called("c")]),
            said("u", "hi", "user"),
            said("t", "ok", "tool", toolCallId="c"),
        )
    )
    assert changes == (Touched("a"), Touched("u"))
