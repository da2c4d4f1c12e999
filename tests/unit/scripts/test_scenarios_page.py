from chat_app.agent.scenarios import SCENARIOS, TALK
from scripts.scenarios_page import ENDLESS, PAGE, events_of, every_scenario, page

DOJO = {
    "A2UI",
    "agentic chat",
    "agentic generative UI",
    "backend tool rendering",
    "background agents",
    "error flow",
    "human in the loop",
    "interrupt",
    "multimodal",
    "observational memory",
    "predictive state updates",
    "reasoning",
    "several agents",
    "shared state",
    "subgraphs",
    "tool-based generative UI",
}


async def test_the_page_says_what_the_scenarios_send():
    assert PAGE.read_text(encoding="utf-8") == await page(), "run scripts/scenarios_page.py"


def test_every_scenario_is_on_the_page_and_every_demo_of_the_dojo_can_be_played():
    assert {one.id for one in every_scenario()} == {one.id for one in (*SCENARIOS, TALK)}
    demos = [one.dojo for one in every_scenario() if one.dojo]
    assert sorted(demos) == sorted(DOJO)


async def test_a_question_shows_in_the_outcome():
    booking = next(one for one in SCENARIOS if one.id == "booking")
    assert await events_of(booking) == ["`TEXT_MESSAGE_*`", "`RUN_FINISHED` (interrupt)"]


async def test_what_never_ends_is_stopped():
    endless = [one for one in SCENARIOS if one.id in ENDLESS]
    assert [await events_of(one) for one in endless] == [["`RUN_FINISHED` (cancelled)"]]
