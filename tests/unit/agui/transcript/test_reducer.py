from typing import Any, get_args

import pytest
from ag_ui.core import AssistantMessage, ToolMessage, UserMessage

from chat_app.agui.events import Event, LocalMessage
from chat_app.agui.transcript import HANDLERS, IGNORED, Transcript, TranscriptReducer
from chat_app.agui.updates import Idle, Touched
from tests.support.wire import call, ev, finished, started, text


def folded(*entries: Any, **keywords: Any) -> TranscriptReducer:
    reducer = TranscriptReducer(**keywords)
    for entry in entries:
        reducer.apply(entry)
    return reducer


def line(message_id: str, content: str = "hi") -> LocalMessage:
    return LocalMessage(UserMessage(id=message_id, content=content))


def test_every_event_is_drawn_or_ignored_on_purpose() -> None:
    assert set(HANDLERS) | IGNORED == set(get_args(Event))
    assert not set(HANDLERS) & IGNORED


@pytest.mark.parametrize(
    "event", [ev("CUSTOM", name="PredictState", value=[]), ev("STATE_SNAPSHOT", snapshot={})]
)
def test_what_draws_nothing_changes_nothing(event: Any) -> None:
    assert folded(started()).apply(event) == ()


def test_an_empty_thread_is_idle() -> None:
    reducer = TranscriptReducer()
    assert reducer.snapshot() == Transcript((), Idle(), ())
    assert reducer.run == Idle()


def test_rows_nothing_happened_to_are_the_same_objects() -> None:
    reducer = folded(
        line("u"), started(), *text("m", "x"), finished(), line("v"), started("r2"), *text("n", "y")[:1]
    )
    before = reducer.snapshot().messages
    reducer.apply(text("n", "y")[1])
    after = reducer.snapshot().messages
    assert [now is then for now, then in zip(after, before, strict=True)] == [True, True, True, False]
    assert reducer.message("u") is after[0]


def test_a_row_nobody_drew_is_no_row() -> None:
    with pytest.raises(KeyError):
        TranscriptReducer().message("ghost")


def test_lines_of_this_side_are_rows_of_their_own_whatever_their_ids() -> None:
    reducer = folded(
        line("u", "x"), started(), *text("a", "y"), finished(), line("u", "z"), started("r2"), *text("u", "w")
    )
    rows = [(row.key, row.wire_id, row.run_id) for row in reducer.snapshot().messages]
    assert rows == [("u", "u", None), ("a", "a", "r"), ("u#2", "u", None), ("u#3", "u", "r2")]


def test_text_streamed_under_the_id_of_a_line_does_not_join_it() -> None:
    reducer = folded(started(), line("u", "x"), *text("u", "y", role="user"))
    assert [row.parts[0].text for row in reducer.snapshot().messages] == ["x", "y"]  # type: ignore[union-attr]


def test_an_answer_of_this_side_is_drawn_on_its_call_and_ends_no_turn() -> None:
    answer = LocalMessage(ToolMessage(id="t", tool_call_id="c", content="42"))
    reducer = folded(started(), *call("c"))
    assert reducer.apply(answer) == (Touched("c"),)
    reducer.apply(text("m", "x")[0])
    assert [part.key for part in reducer.message("c").parts] == ["c", "m"]


def test_seeded_messages_are_drawn_and_belong_to_no_run() -> None:
    seeded = [UserMessage(id="u", content="hi"), AssistantMessage(id="a", content="hello")]
    reducer = folded(started(), *text("a", "again"), messages=seeded)
    assert [(row.key, row.run_id) for row in reducer.snapshot().messages] == [
        ("u", None),
        ("a", None),
        ("a#2", "r"),
    ]


def test_folding_the_log_again_gives_the_same_transcript() -> None:
    log = [line("u"), started(), *text("m", "x"), *call("c", "ask", "{}"), finished(), line("v")]
    assert folded(*log, ask_tools=["ask"]).snapshot() == folded(*log, ask_tools=["ask"]).snapshot()


def test_open_steps_are_named_in_order() -> None:
    reducer = folded(started(), ev("STEP_STARTED", stepName="plan"), ev("STEP_STARTED", stepName="write"))
    assert reducer.steps == reducer.snapshot().steps == ("plan", "write")
