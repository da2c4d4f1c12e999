from typing import Any

import pytest

from chat_app.agui.transcript import ActivityPart, ReasoningPart, TextPart, ToolCallPart, TranscriptReducer
from chat_app.agui.updates import Appended, Removed, Touched
from tests.support.wire import (
    Reports,
    activity,
    call,
    ev,
    failed,
    finished,
    result,
    snapshot,
    started,
    text,
    thought,
)


def folded(*events: Any, **keywords: Any) -> tuple[TranscriptReducer, list[Any]]:
    reducer = TranscriptReducer(**keywords)
    return reducer, [change for event in (started(), *events) for change in reducer.apply(event)]


def rows(reducer: TranscriptReducer) -> list[tuple[str, str, list[str]]]:
    return [(row.role, row.key, [part.key for part in row.parts]) for row in reducer.snapshot().messages]


def parts(reducer: TranscriptReducer) -> list[Any]:
    return [part for row in reducer.snapshot().messages for part in row.parts]


def status(reducer: TranscriptReducer) -> list[str]:
    return [part.status.value for part in parts(reducer) if isinstance(part, ToolCallPart)]


def test_a_text_is_opened_grows_and_settles() -> None:
    reducer, changes = folded(*text("m", "Hel", "lo"))
    assert changes == [Touched("m"), Appended("m", "m", "Hel"), Appended("m", "m", "lo"), Touched("m")]
    assert parts(reducer) == [TextPart("m", "m", "Hello")]


def test_a_turn_keeps_the_order_of_arrival() -> None:
    reducer, _ = folded(*thought("q", "hm"), *text("m", "a"), *call("c"), *text("n", "b"))
    assert rows(reducer) == [("assistant", "q", ["q", "m", "c", "n"])]
    assert isinstance(parts(reducer)[0], ReasoningPart)


def test_a_text_of_another_role_is_a_row_of_its_own() -> None:
    reducer, _ = folded(*text("m", "a"), *text("u", "b", role="user"), *text("n", "c"))
    assert [(role, key) for role, key, _ in rows(reducer)] == [
        ("assistant", "m"),
        ("user", "u"),
        ("assistant", "n"),
    ]


def test_a_subagents_text_is_a_row_of_its_own_and_says_whose() -> None:
    reducer, _ = folded(*text("m", "a"), *text("s", "b", subagentRunId="sub"))
    assert [row.subagent_run_id for row in reducer.snapshot().messages] == [None, "sub"]


def test_a_text_that_opens_again_in_its_run_goes_on() -> None:
    reducer, _ = folded(*text("m", "a"), *text("m", "b")[:2])
    assert parts(reducer) == [TextPart("m", "m", "ab", streaming=True)]


def test_a_text_that_opens_again_in_another_run_is_another_row() -> None:
    reducer, _ = folded(*text("m", "a"), finished(), started("r2"), *text("m", "b"))
    assert rows(reducer) == [("assistant", "m", ["m"]), ("assistant", "m#2", ["m"])]
    assert [row.run_id for row in reducer.snapshot().messages] == ["r", "r2"]


def test_text_nobody_opened_is_drawn_unless_a_snapshot_took_it() -> None:
    reducer, changes = folded(text("m", "x")[1])
    assert changes == [Touched("m")]
    assert parts(reducer) == [TextPart("m", "m", "x", streaming=True)]
    start, content, end = text("n", "y")
    reducer, changes = folded(start, snapshot(), content, end)
    assert rows(reducer) == []
    assert changes == [Touched("n"), Removed("n")]


def test_a_thought_nobody_opened_is_not_drawn() -> None:
    assert folded(*thought("q", "hm")[1:])[1] == []


def test_text_under_an_activitys_id_is_not_drawn() -> None:
    reducer, _ = folded(activity("a"), *text("a", "x"))
    assert rows(reducer) == [("activity", "a", ["a"])]


def test_a_call_streams_then_waits_then_is_complete() -> None:
    start, part, end = call("c", "search", "{}")
    reducer, _ = folded(start, part)
    assert status(reducer) == ["streaming_arguments"]
    reducer.apply(end)
    assert status(reducer) == ["awaiting_result"]
    assert reducer.apply(result("c", "3 hits")) == (Touched("c"),)
    assert status(reducer) == ["complete"]
    assert parts(reducer)[0].result == "3 hits"


def test_a_call_a_person_answers_waits_for_an_answer() -> None:
    reducer, _ = folded(*call("c", "ask_user"), *call("d"), ask_tools=["ask_user"])
    assert status(reducer) == ["awaiting_answer", "awaiting_result"]


def test_an_early_result_is_not_undone_by_the_end() -> None:
    start, end = call("c")
    reducer, _ = folded(start, result("c"), end)
    assert status(reducer) == ["complete"]


def test_a_call_that_opens_again_in_its_run_goes_on_under_its_new_name() -> None:
    reducer, _ = folded(*call("c", "old", '{"a":'), *call("c", "new", "1}"))
    (part,) = parts(reducer)
    assert (part.name, part.args) == ("new", '{"a":1}')
    reducer, _ = folded(*call("c"), result("c"), *call("c")[:1])
    assert status(reducer) == ["complete"]


def test_a_call_that_a_later_run_repeats_is_redrawn_not_doubled() -> None:
    reducer, changes = folded(
        *call("c", "x", '{"a":1}'), finished(), started("r2"), *call("c", "x", '{"a":', "2}")
    )
    (part,) = parts(reducer)
    assert (part.args, part.status.value) == ('{"a":2}', "awaiting_result")
    assert sum(isinstance(change, Appended) for change in changes) == 1


def test_an_empty_repetition_leaves_the_arguments_alone() -> None:
    reducer, _ = folded(*call("c", "x", '{"a":1}'), finished(), started("r2"), *call("c", "x"))
    assert parts(reducer)[0].args == '{"a":1}'


def test_a_failed_call_that_a_later_run_repeats_becomes_whole() -> None:
    reducer, _ = folded(*call("c", "x", '{"a":')[:2], failed(), started("r2"), *call("c", "x", '{"a":1}'))
    assert parts(reducer)[0].args == '{"a":1}'
    assert status(reducer) == ["awaiting_result"]


def test_what_names_no_call_is_not_drawn() -> None:
    reports = Reports()
    assert folded(*call("c", "x", "{}")[1:], result("c"), report=reports)[1] == []
    assert reports.codes == ["no-target"]


def test_a_call_and_a_text_may_share_an_id() -> None:
    reducer, _ = folded(*text("x", "a"), *call("x"))
    assert rows(reducer) == [("assistant", "x", ["x", "x#2"])]


def test_an_activity_stands_between_bubbles_without_stopping_the_text_above() -> None:
    start, one, two, end = text("m", "Search", "ing")
    reducer, _ = folded(start, one, activity("a"), two, end, *text("n", "Found"))
    assert rows(reducer) == [("assistant", "m", ["m"]), ("activity", "a", ["a"]), ("assistant", "n", ["n"])]
    assert parts(reducer)[0].text == "Searching"


def test_an_activity_is_redrawn_unless_told_to_leave_it() -> None:
    reducer, changes = folded(
        activity("a", {"n": 0}),
        activity("a", {"n": 1}, activityType="done", subagentRunId="s"),
        activity("a", {"n": 2}, replace=False),
    )
    assert parts(reducer) == [ActivityPart("a", "a", "done", {"n": 1})]
    assert reducer.message("a").subagent_run_id == "s"
    assert changes == [Touched("a")] * 2


def test_an_activity_takes_the_place_of_a_text_unless_told_to_leave_it() -> None:
    reducer, changes = folded(*text("a", "x"), activity("a"))
    assert rows(reducer) == [("activity", "a#2", ["a"])]
    assert changes[-2:] == [Removed("a"), Touched("a#2")]
    reducer, _ = folded(*text("a", "x"), activity("a", replace=False))
    assert rows(reducer) == [("assistant", "a", ["a"])]


@pytest.mark.parametrize(
    ("patch", "part", "codes"),
    [
        ({"op": "add", "path": "/n", "value": 1}, ActivityPart("a", "a", "done", {"n": 1}), []),
        ({"op": "remove", "path": "/n"}, ActivityPart("a", "a", "web", {}), ["patch-failed"]),
    ],
)
def test_an_activity_is_patched_whole_or_not_at_all(patch: Any, part: ActivityPart, codes: list[str]) -> None:
    reports = Reports()
    delta = ev("ACTIVITY_DELTA", messageId="a", activityType="done", patch=[patch])
    reducer, _ = folded(activity("a"), delta, report=reports)
    assert parts(reducer) == [part]
    assert reports.codes == codes


def test_a_patch_for_no_activity_is_not_drawn() -> None:
    reports = Reports()
    assert folded(ev("ACTIVITY_DELTA", messageId="a", activityType="w", patch=[]), report=reports)[1] == []
    assert reports.codes == ["no-target"]


def test_a_repetition_that_is_cut_leaves_the_arguments_alone() -> None:
    whole, cut = call("c", "x", '{"a":1}'), call("c", "x", '{"b":')[:2]
    reducer, _ = folded(*whole, finished(), started("r2"), *cut, failed(), started("r3"), *call("c", "x")[1:])
    assert parts(reducer)[0].args == '{"a":1}'
