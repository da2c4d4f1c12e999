from chat_app.agent.outcome import LoopAbort, Outcome, Status
from chat_app.agent.turn_events import Usage


def test_an_outcome_is_whole_and_empty_unless_told_otherwise():
    outcome = Outcome(status=Status.COMPLETED)
    assert (outcome.partial, outcome.result, outcome.waiting) == (False, "", ())


def test_an_abort_says_whose_fault_it_is_and_what_was_spent():
    spent = Usage("p", "m", 1, 2)
    abort = LoopAbort("intel", "The model failed.", code="X", usage=spent, retry_after=3)
    assert (str(abort), abort.kind, abort.code) == ("The model failed.", "intel", "X")
    assert (abort.usage, abort.retry_after) == (spent, 3)
