"""Whatever a turn reports, in whatever order, what the renderer makes of it is a run in order."""

from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from chat_app.agent.lane import TurnViolation
from chat_app.agent.renderer import Dialect, Renderer, RunScope
from chat_app.agent.turn_events import (
    ActivityShown,
    AppStateChanged,
    CompactionCompleted,
    MessageCompleted,
    Notice,
    PermissionRequest,
    Question,
    StageFinished,
    StageStarted,
    StateChanged,
    StreamReset,
    SubagentFailed,
    SubagentFinished,
    SubagentReported,
    SubagentStarted,
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
    UiResolved,
    Usage,
    UsageUpdated,
)
from chat_app.agui.pipeline import STRICT, Pipeline
from tests.support.agent_harness import Clock, check_order, counting_ids

few = st.sampled_from(["a", "b", "c"])
contents = st.one_of(
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
    st.builds(ActivityShown, few, few, st.just({"a": 1})),
)
reports = st.one_of(
    contents,
    st.builds(TurnStarted, few),
    st.builds(SubagentStarted, id=few, name=few, parent_id=st.none() | few),
    st.builds(SubagentReported, few, contents),
    st.builds(SubagentFinished, few),
    st.builds(SubagentFailed, few, few, few),
    st.builds(AppStateChanged, st.none() | st.integers()),
    st.builds(UsageUpdated, st.builds(Usage, few, few, st.integers(0, 9), st.integers(0, 9))),
    st.builds(StateChanged, few),
    st.builds(PermissionRequest, few, few),
    st.builds(UiResolved, few, few),
    st.builds(Notice, few),
    st.just(StreamReset()),
    st.just(CompactionCompleted()),
)
ends = st.one_of(
    st.just(TurnCompleted()),
    st.just(TurnCancelled()),
    st.just(TurnError("bad", "E")),
    st.builds(lambda key: TurnPaused((Question(id="q", reason="r", message="m", subagent_id=key),)), few),
)


dialects = st.builds(
    Dialect,
    cancel_as=st.sampled_from(["error", "outcome"]),
    subagents=st.sampled_from(["events", "custom"]),
    list_pending=st.booleans(),
)


@given(st.booleans(), st.lists(reports, max_size=30), ends, dialects)
def test_any_reports_render_to_a_run_in_order(starts, reported, end, dialect):
    renderer = Renderer(RunScope("t", "r"), new_id=counting_ids(), now=Clock(), dialect=dialect)
    rendered = []
    for event in [*([TurnStarted("t")] if starts else []), *reported, end]:
        with suppress(TurnViolation):
            rendered += renderer.feed(event)
    events = [event.model_dump(mode="json", by_alias=True) for event in rendered]
    if renderer.ended:
        check_order(events)
        pipeline = Pipeline(STRICT, report=refuse, new_id=counting_ids("ours"))
        assert len([event for frame in events for event in pipeline.feed(frame)]) == len(events)
    else:
        assert not events


def refuse(complaint):
    raise AssertionError(complaint)
