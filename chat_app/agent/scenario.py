"""What a scenario of the scripted agent is, and how one is picked."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from chat_app.agent.work import Play


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One thing the scripted agent can play.

    Attributes:
        id: Names the scenario in logs and tests.
        title: What a person gets, in a few words.
        phrase: A line that asks for it.
        cue: Finds the wish in any line; the first scenario of the table whose cue is found plays.
        play: Works the turn. Coming back without an end means it is completed.
        shows: What of the protocol it is there to show, for the table in the documentation.
        dojo: The demo of the AG-UI Dojo it stands for, where it stands for one.
        starts: False for a turn that fails before it starts.
    """

    id: str
    title: str
    phrase: str
    cue: re.Pattern[str]
    play: Play
    shows: str
    dojo: str = ""
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
