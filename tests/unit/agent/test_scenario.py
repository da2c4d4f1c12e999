import pytest

from chat_app.agent.scenario import choose
from chat_app.agent.scenarios import SCENARIOS, SUGGESTIONS, TALK


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.id)
def test_the_phrase_of_a_scenario_plays_it(scenario):
    assert choose(scenario.phrase, SCENARIOS, default=TALK) is scenario
    assert choose(scenario.phrase.upper(), SCENARIOS, default=TALK) is scenario


def test_scenarios_are_told_apart():
    everything = (*SCENARIOS, TALK)
    assert len({scenario.id for scenario in everything}) == len(everything)
    assert len({scenario.phrase for scenario in everything}) == len(everything)


def test_a_line_that_asks_for_nothing_known_is_small_talk():
    assert choose("What a lovely day", SCENARIOS, default=TALK) is TALK
    assert choose("", SCENARIOS, default=TALK) is TALK


def test_every_suggestion_plays_its_scenario():
    assert [suggestion.scenario for suggestion in SUGGESTIONS] == [
        "lookup",
        "refund",
        "booking",
        "think",
        "plan",
        "experts",
        "guide",
    ]
    for suggestion in SUGGESTIONS:
        assert choose(suggestion.phrase, SCENARIOS, default=TALK).id == suggestion.scenario
        assert suggestion.title
