from chat_app.agent.scenarios.compare import SCENARIO
from tests.support.agent_harness import after, person, play, results_of, text_of


async def test_arguments_interleave_and_results_come_in_the_other_order():
    events = await play(SCENARIO.phrase)
    fragments = [event["toolCallId"] for event in events if event["type"] == "TOOL_CALL_ARGS"]
    first, second = dict.fromkeys(fragments)
    assert fragments[:4] == [first, second, first, second]
    assert list(results_of(events)) == [second, first]


async def test_both_orders_are_compared_in_a_table():
    assert "| T-1077 | Cargo rack with straps | on its way |" in text_of(await play(SCENARIO.phrase))


async def test_both_calls_hang_on_one_message():
    history = after([person(SCENARIO.phrase)], await play(SCENARIO.phrase))
    assert [len(message.get("toolCalls", [])) for message in history] == [0, 2, 0, 0, 0]
