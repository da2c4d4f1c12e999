"""Folds what stands beside the conversation onto the screen: subagents as lanes, an agent's own events as one row.

A lane is a row that says who works and how it stands; the rows of the subagent name it as their owner. Custom events
that nothing here reads are gathered in one row per run.
"""

from chat_app.agui.events import CustomEvent, Event
from chat_app.agui.transcript.drawing import Changes
from chat_app.agui.transcript.live import LiveCustoms, LiveLane
from chat_app.agui.transcript.screen import Screen
from chat_app.agui.updates import SubagentChanged

READ_ELSEWHERE = frozenset({"PredictState", "on_interrupt"})
"""Custom events that are folded as what they mean, and so are not shown raw."""


def show_lanes(screen: Screen, event: Event) -> Changes:
    """Draw what an event says of subagents; the end of a run leaves none running."""
    return tuple(change for one in screen.subagents.apply(event) for change in _show_lane(screen, one))


def show_custom(screen: Screen, event: CustomEvent) -> Changes:
    """Add an agent's own event to the row of its run."""
    if event.name in READ_ELSEWHERE:
        return ()
    row = screen.customs.get(screen.run_id)
    if row is None:
        row = screen.open_row("custom", f"custom:{screen.run_id or ''}", None)
        row.parts.append(LiveCustoms(row.key))
        screen.customs[screen.run_id] = row
    [part] = row.parts
    assert isinstance(part, LiveCustoms)
    part.add(event.name, event.value)
    return (screen.touch(row),)


def _show_lane(screen: Screen, change: SubagentChanged) -> Changes:
    subagent = screen.subagents.get(change.subagent_run_id)
    assert subagent is not None  # it has just changed
    row = screen.lanes.get(subagent.subagent_run_id)
    if row is None:
        row = screen.open_row("subagent", f"lane:{subagent.subagent_run_id}", subagent.parent_id)
        screen.lanes[subagent.subagent_run_id] = row
    row.parts = [LiveLane(subagent)]
    return (screen.touch(row),)
