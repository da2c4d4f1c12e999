"""Fewer, longer fragments: what arrived within one moment of a screen goes out together (S26, S27)."""

from collections.abc import Iterable

from ag_ui.core import BaseEvent, TextMessageContentEvent, ToolCallArgsEvent


def coalesce(events: Iterable[BaseEvent]) -> list[BaseEvent]:
    """Join neighbouring fragments of one message's text, or of one call's arguments.

    Only neighbours are joined, so nothing changes its place; every other event, thoughts included, stays as
    it is.
    """
    joined: list[BaseEvent] = []
    run: list[BaseEvent] = []
    for event in events:
        if run and not _continues(run[0], event):
            joined.append(_whole(run))
            run = []
        run.append(event)
    if run:
        joined.append(_whole(run))
    return joined


def _continues(first: BaseEvent, event: BaseEvent) -> bool:
    """Tell whether two events are fragments that differ in nothing but the fragment."""
    if isinstance(first, TextMessageContentEvent) and isinstance(event, TextMessageContentEvent):
        return _without_delta(first) == _without_delta(event)
    if isinstance(first, ToolCallArgsEvent) and isinstance(event, ToolCallArgsEvent):
        return _without_delta(first) == _without_delta(event)
    return False


def _without_delta(event: TextMessageContentEvent | ToolCallArgsEvent) -> BaseEvent:
    return event.model_copy(update={"delta": ""})


def _whole(run: list[BaseEvent]) -> BaseEvent:
    first = run[0]
    if len(run) == 1 or not isinstance(first, TextMessageContentEvent | ToolCallArgsEvent):
        return first
    deltas = [one.delta for one in run if isinstance(one, TextMessageContentEvent | ToolCallArgsEvent)]
    return first.model_copy(update={"delta": "".join(deltas)})
