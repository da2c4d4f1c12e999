from chat_app.agui.calls import DISMISSED, NO_HANDLER, UNFINISHED, CallLedger
from chat_app.agui.events import Interrupt, parse_stored
from tests.support.scripts import call, failed, finished, interrupted, result, started

QUESTION = {"id": "i1", "reason": "tool_call", "toolCallId": "c1"}


def ledger(*events, advertised=(), asks=()):
    made = CallLedger(lambda name: name in asks)
    made.advertise(frozenset(advertised))
    feed(made, *events)
    return made


def feed(made, *events):
    for event in events:
        for one in event if isinstance(event, list) else [event]:
            made.observe(parse_stored(one))


def test_an_advertised_call_without_a_handler_is_owed_an_answer():
    made = ledger(started(), call("c1", "ours"), call("c2", "server"), finished(), advertised={"ours"})
    assert made.owed == {"c1": NO_HANDLER}


def test_calls_the_agent_lists_are_owed_whatever_their_name():
    outcome = {"type": "success", "pendingToolCallIds": ["c1"]}
    made = ledger(started(), call("c1", "other"), call("c2", "other"), finished(outcome=outcome))
    assert made.owed == {"c1": NO_HANDLER}


def test_an_answer_settles_the_debt():
    made = ledger(started(), call("c1", "ours"), finished(), advertised={"ours"})
    made.answered("c1")
    assert made.owed == {}


def test_a_result_in_the_stream_is_an_answer():
    made = ledger(started(), call("c1", "ours"), result("c1", "x"), finished(), advertised={"ours"})
    assert made.owed == {}


def test_a_call_that_is_asked_about_is_answered_with_the_question():
    made = ledger(started(), call("c1", "ours"), interrupted(QUESTION), advertised={"ours"})
    assert made.owed == {}
    feed(made, started("r2"), call("c1", "ours"), call("c2", "server"), failed())
    assert made.owed == {"c2": UNFINISHED}


def test_after_a_failure_completed_calls_are_owed_and_half_ones_are_not():
    made = ledger(started(), call("c1", "server"), call("c2", "server")[:2], failed())
    assert made.owed == {"c1": UNFINISHED}


def test_a_cancelled_run_leaves_its_calls_unfinished():
    made = ledger(started(), call("c1", "server"), finished(outcome={"type": "cancelled"}))
    assert made.owed == {"c1": UNFINISHED}


def test_calls_for_a_person_wait_until_they_are_dismissed():
    made = ledger(started(), call("c1", "ask"), call("c2", "ask"), finished(), asks={"ask"})
    assert (made.asked, made.owed) == (("c1", "c2"), {})
    made.answered("c1")
    made.dismiss()
    assert (made.asked, made.owed) == ((), {"c2": DISMISSED})


def test_the_next_run_starts_a_new_tally():
    made = ledger(started(), call("c1", "server"), finished(), started("r2"), failed())
    assert made.owed == {}


def test_open_questions_bind_their_calls():
    made = ledger(started(), call("c1", "server"))
    made.bind([Interrupt(id="i", reason="x", tool_call_id="c1"), Interrupt(id="j", reason="x")])
    made.abandon()
    assert made.owed == {}


def test_ends_of_unknown_calls_and_other_events_are_nothing():
    made = ledger(started(), call("c1", "server")[2], {"type": "STEP_STARTED", "stepName": "s"}, failed())
    assert made.owed == {}


def test_a_run_that_never_ended_is_settled_when_the_next_one_begins():
    made = ledger(started(), call("c1", "server"), started("r2"))
    assert made.owed == {"c1": UNFINISHED}
