from chat_app.agent.scripted import pace_wish, scripted
from tests.support.agent_harness import conversation, play, text_of


def test_the_line_may_ask_for_another_pace():
    paces = [pace_wish(line) for line in ("Write", "write quickly", "Write SLOWLY", "write it at once")]
    assert paces == [1.0, 0.2, 3.0, 0.0]
    assert scripted(conversation("Give me a slow answer quickly")).pace == 0.2


def test_a_turn_that_cannot_start_is_planned_so():
    assert not scripted(conversation("Fail before you start")).starts
    assert scripted(conversation("Hello")).starts


async def test_a_line_that_asks_for_nothing_gets_the_menu():
    assert "Refund order T-1042" in text_of(await play("What a lovely day"))
