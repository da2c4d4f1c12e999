"""Predicted state: what the shared state will be once a running call is through.

Some agents announce by ``CUSTOM PredictState`` that an argument of a tool will become a part of the
state. While that call streams, its unfinished arguments give a preview. It is local: it is never sent
back, and the agent's next state takes its place.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jiter
from pydantic import JsonValue

from chat_app.agui.events import (
    CustomEvent,
    Event,
    RunErrorEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    ToolCallArgsEvent,
    ToolCallStartEvent,
)

NAME = "PredictState"


@dataclass(frozen=True, slots=True)
class _Rule:
    """One announcement: an argument of a tool, or all of them, becomes the state under a key."""

    state_key: str
    tool: str
    argument: str | None


@dataclass(slots=True)
class _Preview:
    """The arguments of one call as far as they have arrived. They are parsed when somebody looks."""

    rules: tuple[_Rule, ...]
    pieces: list[str]

    def values(self) -> dict[str, JsonValue]:
        self.pieces = ["".join(self.pieces)]
        arguments = _partial(self.pieces[0])
        return {
            rule.state_key: arguments if rule.argument is None else arguments[rule.argument]
            for rule in self.rules
            if rule.argument is None or rule.argument in arguments
        }


class StatePredictor:
    """Follows the events of a thread and lays the previews over its state."""

    def __init__(self) -> None:
        self._rules: tuple[_Rule, ...] = ()
        self._previews: dict[str, _Preview] = {}
        self._handlers: dict[type[Event], Callable[[Any], None]] = {
            ToolCallArgsEvent: self._grow,
            ToolCallStartEvent: self._begin,
            CustomEvent: self._announce,
            StateSnapshotEvent: self._confirm,
            StateDeltaEvent: self._confirm,
            StepStartedEvent: self._forget,
            StepFinishedEvent: self._forget,
            RunStartedEvent: self._start_over,
            RunErrorEvent: self._start_over,
        }

    def observe(self, event: Event) -> None:
        """Take note of one event."""
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)

    def over(self, state: JsonValue) -> JsonValue:
        """Return ``state`` with the previews laid over it; the state itself when there are none."""
        if not self._previews or not isinstance(state, dict):
            return state
        predicted = dict(state)
        for preview in self._previews.values():
            predicted |= preview.values()
        return predicted

    def _announce(self, event: CustomEvent) -> None:
        if event.name == NAME and isinstance(event.value, list):
            self._rules = tuple(rule for item in event.value if (rule := _rule(item)) is not None)

    def _begin(self, event: ToolCallStartEvent) -> None:
        rules = tuple(rule for rule in self._rules if rule.tool == event.tool_call_name)
        if rules:
            self._previews[event.tool_call_id] = _Preview(rules, [])

    def _grow(self, event: ToolCallArgsEvent) -> None:
        preview = self._previews.get(event.tool_call_id)
        if preview is not None:
            preview.pieces.append(event.delta)

    def _confirm(self, _: Event) -> None:
        self._previews = {}

    def _forget(self, _: Event) -> None:
        self._rules = ()

    def _start_over(self, _: Event) -> None:
        self._rules, self._previews = (), {}


def _rule(item: JsonValue) -> _Rule | None:
    if not isinstance(item, dict):
        return None
    key, tool, argument = item.get("state_key"), item.get("tool"), item.get("tool_argument")
    if not isinstance(key, str) or not isinstance(tool, str):
        return None
    return _Rule(key, tool, argument if isinstance(argument, str) else None)


def _partial(text: str) -> dict[str, JsonValue]:
    """Return the object that unfinished JSON holds so far, an empty one when it is none."""
    try:
        found: JsonValue = jiter.from_json(text.encode("utf-8", "replace"), partial_mode="trailing-strings")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
