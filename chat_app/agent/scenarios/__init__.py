"""Everything the scripted agent can play: one module each, listed here.

The first scenario whose cue is found in the person's line plays, so a narrow cue stands before a wide one.
"""

from typing import Final

from chat_app.agent.scenario import Scenario, Suggestion
from chat_app.agent.scenarios import (
    compare,
    echo,
    failing,
    guide,
    hostile,
    lookup,
    plan,
    refund,
    talk,
    think,
    waiting,
)

SCENARIOS: Final[tuple[Scenario, ...]] = (
    echo.SCENARIO,
    failing.BEFORE,
    failing.SCENARIO,
    failing.CRASH,
    hostile.SCENARIO,
    waiting.SILENT,
    waiting.GIVE_UP,
    waiting.SCENARIO,
    compare.SCENARIO,
    refund.SCENARIO,
    guide.SCENARIO,
    think.SCENARIO,
    plan.SCENARIO,
    lookup.SCENARIO,
)

TALK: Final = talk.small_talk(SCENARIOS)

GATED_TOOLS: Final = {tool.name: tool for tool in (refund.TOOL,)}

SUGGESTIONS: Final[tuple[Suggestion, ...]] = tuple(
    Suggestion(scenario.title, scenario.phrase, scenario.id)
    for scenario in (
        lookup.SCENARIO,
        refund.SCENARIO,
        think.SCENARIO,
        plan.SCENARIO,
        guide.SCENARIO,
    )
)
"""What the page offers on an empty conversation: title, line to send, id of the scenario that will play."""
