from chat_app.agent.scenarios.lookup import SCENARIO
from tests.support.agent_harness import after, person, play, results_of, text_of, types_of


async def test_a_look_up_streams_its_arguments_and_uses_its_result():
    events = await play(SCENARIO.phrase)
    assert types_of(events)[4:9] == [
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
    ]
    (result,) = results_of(events).values()
    assert (result["order"], result["status"]) == ("T-1077", "on its way")
    assert "sorting centre Malmö" in text_of(events)


async def test_an_unknown_order_is_a_result_too():
    events = await play("Where is order T-9999?")
    assert list(results_of(events).values()) == [{"error": "There is no order T-9999."}]
    assert "I find no order T-9999" in text_of(events)


async def test_a_line_without_a_number_means_the_usual_order():
    assert "T-1042" in text_of(await play("Where is my wheel?"))


async def test_a_result_that_is_already_there_is_not_asked_for_again():
    line = person(SCENARIO.phrase)
    history = after([line], await play(SCENARIO.phrase))[:-1]
    events = await play(history, runId="run-2")
    assert not results_of(events)
    assert "sorting centre Malmö" in text_of(events)
