"""What a scenario of the scripted agent is, and how one is picked."""

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from chat_app.agent.turn import Turn
from chat_app.agent.turn_events import TurnEnd

Play: TypeAlias = Callable[[Turn], Awaitable[TurnEnd | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One thing the scripted agent can play.

    Attributes:
        id: Names the scenario in logs and tests.
        title: What a person gets, in a few words.
        phrase: A line that asks for it.
        cue: Finds the wish in any line; the first scenario of the table whose cue is found plays.
        play: Works the turn. Coming back without an end means it is completed.
        starts: False for a turn that fails before it starts.
    """

    id: str
    title: str
    phrase: str
    cue: re.Pattern[str]
    play: Play
    starts: bool = True


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A line the page offers on an empty conversation."""

    title: str
    phrase: str
    scenario: str


def cue(pattern: str) -> re.Pattern[str]:
    """Compile a cue: found anywhere in the line, case aside."""
    return re.compile(pattern, re.IGNORECASE)


def choose(line: str, scenarios: Sequence[Scenario], *, default: Scenario) -> Scenario:
    """Pick the first scenario that the line asks for."""
    return next((scenario for scenario in scenarios if scenario.cue.search(line)), default)
