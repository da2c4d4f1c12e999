"""Everything the scripted agent can play: one module each, listed here.

The first scenario whose cue is found in the person's line plays, so a narrow cue stands before a wide one.
"""

from typing import Final

from chat_app.agent.scenario import Scenario, Suggestion
from chat_app.agent.scenarios import (
    board,
    booking,
    calendar,
    card,
    chatter,
    clock,
    compare,
    dashboard,
    draft,
    echo,
    experts,
    failing,
    guide,
    handbook,
    hostile,
    lookup,
    picture,
    plan,
    refund,
    remember,
    report,
    results,
    shorten,
    stock,
    survey,
    talk,
    think,
    trio,
    trip,
    waiting,
)

SCENARIOS: Final[tuple[Scenario, ...]] = (
    echo.SCENARIO,
    calendar.SCENARIO,
    chatter.SCENARIO,
    report.SCENARIO,
    results.SCENARIO,
    survey.SCENARIO,
    trio.SCENARIO,
    failing.BEFORE,
    failing.SCENARIO,
    failing.CRASH,
    hostile.SCENARIO,
    waiting.SILENT,
    waiting.GIVE_UP,
    waiting.SCENARIO,
    remember.SCENARIO,
    shorten.SCENARIO,
    draft.SCENARIO,
    picture.SCENARIO,
    card.SCENARIO,
    clock.SCENARIO,
    dashboard.SCENARIO,
    booking.SCENARIO,
    trip.SCENARIO,
    stock.LOOK_SCENARIO,
    stock.SCENARIO,
    experts.SCENARIO,
    compare.SCENARIO,
    refund.SCENARIO,
    handbook.SCENARIO,
    guide.SCENARIO,
    board.SCENARIO,
    think.SCENARIO,
    plan.SCENARIO,
    lookup.SCENARIO,
)

TALK: Final = talk.small_talk(SCENARIOS)

PICTURE: Final = picture.SCENARIO
"""What plays when something is attached and the line asks for nothing known."""

GATED_TOOLS: Final = {tool.name: tool for tool in (refund.TOOL,)}

SUGGESTIONS: Final[tuple[Suggestion, ...]] = tuple(
    Suggestion(scenario.title, scenario.phrase, scenario.id)
    for scenario in (
        lookup.SCENARIO,
        refund.SCENARIO,
        booking.SCENARIO,
        think.SCENARIO,
        plan.SCENARIO,
        experts.SCENARIO,
        guide.SCENARIO,
    )
)
"""What the page offers on an empty conversation: title, line to send, id of the scenario that will play."""
