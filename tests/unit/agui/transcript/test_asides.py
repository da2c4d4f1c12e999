from typing import Any

import pytest

from chat_app.agui.transcript import CustomsPart, LanePart, TranscriptReducer
from chat_app.agui.transcript.live import KEPT_CUSTOMS
from tests.support.wire import ev


def folded(*events: Any) -> TranscriptReducer:
    reducer = TranscriptReducer()
    for event in (ev("RUN_STARTED", threadId="t", runId="r"), *events):
        reducer.apply(event)
    return reducer


def said(key: str, text: str, owner: str) -> list[Any]:
    return [
        ev("TEXT_MESSAGE_START", messageId=key, role="assistant", subagentRunId=owner),
        ev("TEXT_MESSAGE_CONTENT", messageId=key, delta=text, subagentRunId=owner),
    ]


def begun(key: str, name: str = "mechanic", **more: Any) -> Any:
    return ev("SUBAGENT_STARTED", subagentRunId=key, name=name, **more)


FINISHED = ev("RUN_FINISHED", threadId="t", runId="r")


def lane(reducer: TranscriptReducer, key: str = "s") -> LanePart:
    [part] = reducer.message(f"lane:{key}").parts
    assert isinstance(part, LanePart)
    return part


def test_a_subagent_is_a_row_and_its_rows_name_it_as_owner():
    reducer = folded(begun("s", description="Looks at the wheel"), *said("m", "Two spokes", "s"))
    part = lane(reducer)
    assert (part.key, part.name, part.status, part.description) == (
        "s",
        "mechanic",
        "running",
        "Looks at the wheel",
    )
    assert reducer.message("m").subagent_run_id == "s"


def test_interleaved_texts_of_two_subagents_stay_apart():
    reducer = folded(begun("s"), begun("u", "carrier"), *said("m", "Two ", "s"), *said("n", "Five ", "u"))
    for key, text in (("m", "spokes"), ("n", "scans")):
        reducer.apply(ev("TEXT_MESSAGE_CONTENT", messageId=key, delta=text))
    assert [reducer.message(key).parts[0].text for key in ("m", "n")] == ["Two spokes", "Five scans"]


@pytest.mark.parametrize(
    ("end", "status", "outcome"),
    [
        (ev("SUBAGENT_FINISHED", subagentRunId="s", result="mended"), "finished", "mended"),
        (ev("SUBAGENT_FINISHED", subagentRunId="s", result={"spokes": 2}), "finished", '{"spokes": 2}'),
        (ev("SUBAGENT_FINISHED", subagentRunId="s"), "finished", ""),
        (ev("SUBAGENT_FINISHED", subagentRunId="s", outcome={"type": "suspended"}), "suspended", ""),
        (ev("SUBAGENT_ERROR", subagentRunId="s", message="no tools"), "failed", "no tools"),
        (FINISHED, "aborted", ""),
        (ev("RUN_ERROR", message="no"), "aborted", ""),
    ],
)
def test_a_lane_says_how_its_subagent_stands(end: Any, status: str, outcome: str):
    part = lane(folded(begun("s"), end))
    assert (part.status, part.outcome) == (status, outcome)


def test_a_subagent_announced_again_goes_on_in_its_row():
    suspended = ev("SUBAGENT_FINISHED", subagentRunId="s", outcome={"type": "suspended"})
    reducer = folded(begun("s"), suspended, FINISHED, ev("RUN_STARTED", threadId="t", runId="r2"), begun("s"))
    assert lane(reducer).status == "running"
    assert [row.role for row in reducer.snapshot().messages] == ["subagent"]


def test_a_subagent_of_a_subagent_stands_in_its_lane():
    reducer = folded(begun("s"), begun("u", "translator", parentSubagentRunId="s"))
    assert reducer.message("lane:u").subagent_run_id == "s"


def test_what_the_agent_declares_to_be_the_history_leaves_lanes_where_they_are():
    reducer = folded(begun("s"), ev("CUSTOM", name="x", value=1), ev("MESSAGES_SNAPSHOT", messages=[]))
    assert [row.role for row in reducer.snapshot().messages] == ["subagent", "custom"]


def test_custom_events_of_a_run_share_a_row():
    reducer = folded(ev("CUSTOM", name="a", value=1), ev("CUSTOM", name="b", value={"c": 2}))
    [row] = reducer.snapshot().messages
    assert row.parts == (CustomsPart("custom:r", "custom:r", (("a", 1), ("b", {"c": 2})), 2),)


def test_of_many_custom_events_the_newest_are_kept_and_all_counted():
    reducer = folded(*(ev("CUSTOM", name="n", value=at) for at in range(KEPT_CUSTOMS + 5)))
    [part] = reducer.snapshot().messages[0].parts
    assert isinstance(part, CustomsPart)
    assert part.count == KEPT_CUSTOMS + 5
    assert part.events[-1] == ("n", KEPT_CUSTOMS + 4)
    assert len(part.events) == KEPT_CUSTOMS


@pytest.mark.parametrize("name", ["PredictState", "on_interrupt"])
def test_a_custom_event_that_is_read_elsewhere_is_not_shown_raw(name: str):
    assert folded(ev("CUSTOM", name=name, value=[])).snapshot().messages == ()
