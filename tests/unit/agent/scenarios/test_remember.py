import pytest

from chat_app.agent.scenarios.remember import SCENARIO, facts_in
from tests.support.agent_harness import play, state_of, text_of


async def test_what_is_to_be_kept_joins_the_shared_state():
    events = await play(SCENARIO.phrase, state={"app": {"tasks": [], "remembered": ["I like blue"]}})
    assert state_of(events)["app"] == {"tasks": [], "remembered": ["I like blue", "I ride a 56 frame"]}
    assert text_of(events) == "I will remember: I ride a 56 frame."


async def test_a_later_run_tells_what_is_kept():
    state = state_of(await play(SCENARIO.phrase))
    events = await play("What do you remember?", state=state)
    assert text_of(events) == "What I remember:\n\n- I ride a 56 frame"
    assert "not asked me to remember" in text_of(await play("What do you remember?"))


async def test_a_fact_is_kept_once():
    state = state_of(await play(SCENARIO.phrase))
    again = await play(SCENARIO.phrase, state=state)
    assert state_of(again)["app"] == {"remembered": ["I ride a 56 frame"]}


@pytest.mark.parametrize("app", [None, [], {}, {"remembered": 1}, {"remembered": [1]}])
def test_what_is_no_list_of_facts_is_none(app):
    assert facts_in(app) == []
