from chat_app.agent.scenarios import SCENARIOS
from tests.support.agent_harness import play, text_of


async def test_small_talk_lists_everything_that_can_be_asked():
    text = text_of(await play("Good morning"))
    for scenario in SCENARIOS:
        assert f"**{scenario.phrase}** ({scenario.title})" in text


async def test_an_empty_conversation_is_greeted():
    assert text_of(await play([])).startswith("Hello!")
