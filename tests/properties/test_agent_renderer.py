"""Whatever a turn reports, in whatever order, what the renderer makes of it is a run in order."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from chat_app.agent.lane import TurnViolation
from chat_app.agent.renderer import Dialect, Renderer, RunScope
from chat_app.agent.turn_events import (
    AppStateChanged,
    MessageCompleted,
    Question,
    StageFinished,
    StageStarted,
    TextDelta,
    ThinkingDelta,
    ToolBlocked,
    ToolcallCompleted,
    ToolcallDelta,
    ToolCompleted,
    ToolStarted,
    TurnCancelled,
    TurnCompleted,
    TurnError,
    TurnPaused,
    TurnStarted,
    Usage,
    UsageUpdated,
)
from tests.support.agent_harness import Clock, check_order, counting_ids

few = st.sampled_from(["a", "b", "c"])
reports = st.one_of(
    st.builds(TurnStarted, few),
    st.builds(TextDelta, st.text(max_size=3)),
    st.builds(ThinkingDelta, st.text(max_size=3)),
    st.just(MessageCompleted()),
    st.builds(ToolcallDelta, few, st.text(max_size=3), st.sampled_from(["", "tool"])),
    st.builds(ToolcallCompleted, few),
    st.builds(ToolStarted, few, few, st.just({"a": 1})),
    st.builds(ToolCompleted, few, st.text(max_size=3)),
    st.builds(ToolBlocked, few, st.text(max_size=3)),
    st.builds(StageStarted, few),
    st.builds(StageFinished, few),
    st.builds(AppStateChanged, st.none() | st.integers()),
    st.builds(UsageUpdated, st.builds(Usage, few, few, st.integers(0, 9), st.integers(0, 9))),
)
ends = st.one_of(
    st.just(TurnCompleted()),
    st.just(TurnCancelled()),
    st.just(TurnError("bad", "E")),
    st.just(TurnPaused((Question(id="q", reason="r", message="m"),))),
)


@given(st.booleans(), st.lists(reports, max_size=30), ends, st.sampled_from(["error", "outcome"]))
def test_any_reports_render_to_a_run_in_order(starts, reported, end, cancel_as):
    renderer = Renderer(
        RunScope("t", "r"), new_id=counting_ids(), now=Clock(), dialect=Dialect(cancel_as=cancel_as)
    )
    rendered = []
    for event in [*([TurnStarted("t")] if starts else []), *reported, end]:
        with suppress(TurnViolation):
            rendered += renderer.feed(event)
    events = [event.model_dump(mode="json", by_alias=True) for event in rendered]
    if renderer.ended:
        check_order([event for event in events if not _null_state(event)])
    else:
        assert not events


def _null_state(event):
    """The one event whose null is data, which the rule against nulls need not see."""
    return event["type"] == "STATE_SNAPSHOT"
