from chat_app.agent.budget import Budget
from chat_app.agent.models.interface import StepDone
from chat_app.agent.outcome import Status, WaitingCall
from chat_app.agent.servers import Observation
from chat_app.agent.tally import CIRCLES, Tally
from chat_app.agent.turn_events import Usage
from tests.support.agent_parts import Ticker, call


def tally():
    return Tally("m", Budget(max_steps=99, max_tokens=99).open(Ticker()))


def done(**fields):
    return StepDone(usage=Usage("p", "m", 1, 1), **fields)


def test_nothing_spent_is_no_tokens_of_the_turns_model():
    assert tally().usage == Usage("", "m")


def test_an_answer_without_text_falls_back_to_the_last_there_was():
    one = tally()
    one.count("thinking", done())
    one.count("", done())
    assert one.ended().outcome.result == "thinking"
    assert one.ended().outcome.status is Status.COMPLETED
    assert one.cut(Status.DEADLINE).outcome.partial


def test_no_text_at_all_is_a_stall_and_a_withheld_answer_a_refusal():
    assert tally().ended().outcome.status is Status.STALLED
    refused = tally()
    refused.count("", done(refused=True))
    assert refused.ended().outcome.status is Status.REFUSED


def test_what_tools_put_off_and_spent_is_kept():
    one = tally()
    one.observe(call("c", "x"), Observation("ok", scheduled=("later",), subscriptions=("news",), tokens=99))
    waiting = WaitingCall(call("d", "y"), decision=True)
    outcome = one.suspended([waiting]).outcome
    assert (outcome.scheduled, outcome.subscriptions, outcome.waiting) == (("later",), ("news",), (waiting,))
    assert one.meter.exceeded() is Status.EXHAUSTED_TOKENS


def test_the_same_calls_with_the_same_answers_again_and_again_are_circles():
    one = tally()
    for n in range(CIRCLES):
        assert not one.goes_in_circles
        one.observe(call(f"c{n}", "x"), Observation("same"))
        one.close_batch()
    assert one.goes_in_circles
    one.observe(call("c", "x"), Observation("another"))
    one.close_batch()
    assert not one.goes_in_circles
