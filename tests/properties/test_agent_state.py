"""The shared state over any changes, and coalescing over any batch: what a client folds is what there was."""

import jsonpatch
from ag_ui.core import (
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
)
from hypothesis import given
from hypothesis import strategies as st

from chat_app.agent.coalesce import coalesce
from chat_app.agent.projection import Projection, SharedState
from chat_app.agent.sse import frames
from chat_app.agent.turn_events import (
    AppStateChanged,
    ModeChanged,
    PermissionRequest,
    PlanUpdated,
    StateChanged,
    UiResolved,
    Usage,
    UsageUpdated,
)
from chat_app.agui import Applier, parse_stored
from tests.support.agent_harness import decode

few = st.sampled_from(["a", "b", "c/d", "~e", ""])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(-2, 2).map(lambda one: one + 0.0) | few,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(few, inner, max_size=4),
    max_leaves=12,
)
changes = st.one_of(
    st.builds(StateChanged, st.none() | few, st.none() | few),
    st.builds(ModeChanged, few),
    st.builds(PlanUpdated, st.lists(json_values, max_size=5)),
    st.builds(UsageUpdated, st.builds(Usage, few, few, st.integers(0, 9), st.integers(0, 9))),
    st.builds(AppStateChanged, json_values),
    st.builds(PermissionRequest, few, few, st.dictionaries(few, json_values, max_size=2)),
    st.builds(UiResolved, few, few),
)


@given(st.lists(changes | st.just(None), max_size=12))
def test_the_snapshot_and_all_deltas_give_what_the_server_holds(reported):
    shared, held = SharedState(Projection()), None
    for change in (None, *reported):
        sent = [shared.snapshot()] if change is None else list(shared.apply(change))
        for event in decode(frames(sent)):
            held = event["snapshot"] if "snapshot" in event else jsonpatch.apply_patch(held, event["delta"])
        assert same(held, shared.projection.document())


def same(one, other):
    """Compare as JSON does: true is not 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


ids = st.sampled_from(["m1", "m2"])
fragments = st.one_of(
    st.builds(lambda key: TextMessageStartEvent(message_id=key, role="assistant"), ids),
    st.builds(
        lambda key, delta: TextMessageContentEvent(message_id=key, delta=delta), ids, st.text(max_size=3)
    ),
    st.builds(lambda key: TextMessageEndEvent(message_id=key), ids),
    st.builds(lambda key, delta: ToolCallArgsEvent(tool_call_id=key, delta=delta), ids, st.text(max_size=3)),
    st.builds(lambda value: StateSnapshotEvent(snapshot=value), st.integers(0, 3)),
)


@given(st.lists(fragments, max_size=30))
def test_coalescing_never_changes_what_folds(events):
    joined = coalesce(events)
    assert len(joined) <= len(events)
    assert folded(joined) == folded(events)
    assert coalesce(joined) == joined


@given(st.lists(fragments, max_size=30), st.integers(0, 30))
def test_a_batch_may_end_anywhere(events, at):
    apart = [*coalesce(events[:at]), *coalesce(events[at:])]
    assert folded(apart) == folded(events)
    assert coalesce(apart) == coalesce(events)


def folded(events):
    """Fold as the client does, and note the order in which ids and kinds took turns."""
    applier, turns = Applier(), []
    for event in events:
        stored = event.model_dump(mode="json", by_alias=True)
        applier.apply(parse_stored(stored))
        key = (event.type, stored.get("messageId") or stored.get("toolCallId"))
        if not turns or turns[-1] != key or "delta" not in stored:
            turns.append(key)
    messages = [message.model_dump(mode="json", by_alias=True) for message in applier.messages]
    return messages, applier.state, turns
