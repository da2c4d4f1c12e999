import json

import pytest

from chat_app.agent.approvals import question_id
from tests.support.agent_harness import (
    NOON,
    Clock,
    after,
    ask,
    interrupts_of,
    outcome_of,
    person,
    play,
    results_of,
    text_of,
    worker,
)

WISH = "Refund order T-1042"
EDITED = {
    "order": "T-1042",
    "payee": "Ines Marlow",
    "amount": 90,
    "currency": "EUR",
    "reason": "half the price",
}


async def asked(line=WISH, **keywords):
    """Ask for a refund; gives the history afterwards and the questions."""
    events = await play(line, **keywords)
    return after([person(line)], events), interrupts_of(events)


def entry(interrupt, status="resolved", **fields):
    return {"interruptId": interrupt["id"], "status": status, **fields}


def yes(interrupt, **fields):
    return entry(interrupt, payload={"approved": True, **fields})


def no(interrupt, **fields):
    return entry(interrupt, payload={"approved": False, **fields})


async def test_the_question_carries_all_that_a_person_needs():
    history, (interrupt,) = await asked()
    (call,) = history[-1]["toolCalls"]
    assert interrupt["reason"] == "tool_call"
    assert interrupt["toolCallId"] == call["id"]
    assert interrupt["message"] == "Refund 184.5 EUR to Ines Marlow for order T-1042?"
    assert interrupt["metadata"]["risk"] == "high"
    assert set(json.loads(call["function"]["arguments"])) == set(EDITED)
    properties = interrupt["responseSchema"]["properties"]
    assert set(properties) == {"approved", "editedArgs", "reason"}
    assert set(properties["editedArgs"]["properties"]) == set(EDITED)
    assert interrupt["responseSchema"]["required"] == ["approved"]
    assert "expiresAt" not in interrupt


async def test_a_yes_runs_the_original_call_without_making_it_again():
    history, (interrupt,) = await asked()
    events = await play(history, runId="run-2", resume=[yes(interrupt)])
    assert [event["type"] for event in events[:3]] == ["RUN_STARTED", "STATE_SNAPSHOT", "TOOL_CALL_RESULT"]
    assert "TOOL_CALL_START" not in {event["type"] for event in events}
    result = results_of(events)[interrupt["toolCallId"]]
    assert (result["status"], result["amount"]) == ("refunded", 184.5)
    assert result["reference"] in text_of(events)
    assert outcome_of(events) == {"type": "success"}


async def test_edited_arguments_replace_the_proposed_ones_whole():
    history, (interrupt,) = await asked()
    events = await play(history, resume=[yes(interrupt, editedArgs=EDITED)])
    assert results_of(events)[interrupt["toolCallId"]]["amount"] == 90
    partial = {"amount": 90}
    failed = await play(history, resume=[yes(interrupt, editedArgs=partial)])
    assert failed[-1]["code"] == "INVALID_ANSWER"
    assert "The edited arguments cannot be used at 'order'" in failed[-1]["message"]


async def test_a_no_is_told_in_words_and_pays_nothing():
    history, (interrupt,) = await asked()
    events = await play(history, resume=[no(interrupt, reason="too much")])
    result = results_of(events)[interrupt["toolCallId"]]
    assert (result["status"], result["reason"]) == ("rejected", "too much")
    assert result["message"] == "The person rejected this call, so it did not run. They said: “too much”."
    assert "Nothing was paid" in text_of(events)
    assert "too much" in text_of(events)
    bare = await play(history, resume=[no(interrupt)])
    assert "You said" not in text_of(bare)


async def test_a_cancelled_question_answers_the_call_too():
    history, (interrupt,) = await asked()
    events = await play(history, resume=[entry(interrupt, "cancelled")])
    assert results_of(events)[interrupt["toolCallId"]]["status"] == "cancelled"
    assert "The question was cancelled" in text_of(events)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (None, "The answer cannot be used"),
        ({}, "at 'approved': Field required"),
        ({"approved": 1}, "at 'approved'"),
        ({"approved": "yes"}, "at 'approved'"),
        ("yes", "The answer cannot be used"),
        ({"approved": True, "editedArgs": []}, "at 'editedArgs'"),
        ({"approved": True, "editedArgs": {**EDITED, "amount": "90"}}, "at 'amount'"),
        ({"approved": True, "editedArgs": {**EDITED, "extra": 1}}, "at 'extra'"),
    ],
)
async def test_a_malformed_answer_fails_the_run_and_may_be_given_again(payload, words):
    history, (interrupt,) = await asked()
    fields = {} if payload is None else {"payload": payload}
    events = await play(history, resume=[entry(interrupt, **fields)])
    assert events[-1]["code"] == "INVALID_ANSWER"
    assert words in events[-1]["message"]
    assert not results_of(events)
    again = await play(after(history, events), runId="run-3", resume=[yes(interrupt)])
    assert results_of(again)[interrupt["toolCallId"]]["status"] == "refunded"


async def test_two_questions_are_asked_at_once_and_decided_one_by_one():
    history, questions = await asked("Refund both orders")
    assert len({question["id"] for question in questions}) == 2
    one, two = questions
    events = await play(history, resume=[no(two), yes(one)])
    results = results_of(events)
    assert results[one["toolCallId"]]["status"] == "refunded"
    assert results[two["toolCallId"]]["status"] == "rejected"
    assert list(results) == [one["toolCallId"], two["toolCallId"]]
    assert outcome_of(events) == {"type": "success"}


async def test_a_bad_answer_among_good_ones_changes_nothing():
    history, (one, two) = await asked("Refund both orders")
    events = await play(history, resume=[yes(one), entry(two, payload={"approved": None})])
    assert events[-1]["code"] == "INVALID_ANSWER"
    assert not results_of(events)


async def test_what_was_left_out_is_asked_again_under_the_same_id():
    history, (one, two) = await asked("Refund both orders")
    events = await play(history, resume=[yes(one)])
    assert set(results_of(events)) == {one["toolCallId"]}
    (again,) = interrupts_of(events)
    assert (again["id"], again["toolCallId"], again["message"]) == (
        two["id"],
        two["toolCallId"],
        two["message"],
    )
    rest = await play(after(history, events), runId="run-3", resume=[yes(two)])
    assert results_of(rest)[two["toolCallId"]]["status"] == "refunded"
    assert text_of(rest).count("Done:") == 2


async def test_a_line_without_any_answer_asks_again_and_does_nothing_else():
    history, (interrupt,) = await asked()
    events = await play([*history, person("Where is order T-1077?", key="u2")])
    assert [one["id"] for one in interrupts_of(events)] == [interrupt["id"]]
    assert not results_of(events)


async def test_a_line_that_comes_with_the_answer_is_answered_after_it():
    history, (interrupt,) = await asked()
    line = person("Echo: never mind", key="u2")
    events = await play([*history, line], resume=[entry(interrupt, "cancelled")])
    assert results_of(events)[interrupt["toolCallId"]]["status"] == "cancelled"
    assert text_of(events) == "never mind"


async def test_an_answer_to_no_open_question_is_left_out_with_a_warning(caplog):
    history, (interrupt,) = await asked()
    strangers = [
        {"interruptId": "int-9", "status": "cancelled"},
        {"interruptId": question_id("no-such-call"), "status": "cancelled"},
    ]
    events = await play(history, resume=[*strangers, yes(interrupt)])
    assert results_of(events)[interrupt["toolCallId"]]["status"] == "refunded"
    assert caplog.text.count("is no open question") == 2


async def test_an_answer_where_nothing_is_open_changes_nothing():
    events = await play("Echo: hi", resume=[{"interruptId": "approval::c1", "status": "cancelled"}])
    assert text_of(events) == "hi"


async def test_one_question_answered_twice_is_refused():
    history, (interrupt,) = await asked()
    events = await play(history, resume=[yes(interrupt), no(interrupt)])
    assert (events[-1]["code"], not results_of(events)) == ("INVALID_ANSWER", True)
    assert "answered twice" in events[-1]["message"]


async def test_the_same_answer_again_gives_the_same_payment():
    history, (interrupt,) = await asked()
    first = await play(history, runId="run-2", resume=[yes(interrupt)])
    second = await play(history, runId="run-3", resume=[yes(interrupt)])
    assert results_of(first) == results_of(second)


async def test_an_expired_question_takes_no_decision_but_can_be_cancelled():
    clock = Clock()
    history, (interrupt,) = await asked("Refund order T-1042 within 30 seconds", clock=clock)
    assert interrupt["expiresAt"] == "2030-05-01T12:00:30+00:00"
    clock.forward(29)
    in_time = await play(history, clock=clock, resume=[yes(interrupt)])
    assert outcome_of(in_time) == {"type": "success"}
    clock.forward(1)
    late = await play(history, clock=clock, resume=[yes(interrupt)])
    assert late[-1]["code"] == "INTERRUPT_EXPIRED"
    dropped = await play(history, clock=clock, resume=[entry(interrupt, "cancelled")])
    assert results_of(dropped)[interrupt["toolCallId"]]["status"] == "cancelled"


@pytest.mark.parametrize("arguments", ["{", "[]", '{"order": "T-1042"}'])
async def test_a_call_with_damaged_arguments_is_asked_about_but_never_run(arguments):
    history, (interrupt,) = await asked()
    history[-1]["toolCalls"][0]["function"]["arguments"] = arguments
    again = await play(history)
    assert interrupts_of(again)[0]["message"].startswith("Refund ? ? to ? for order ")
    events = await play(history, resume=[yes(interrupt)])
    assert events[-1]["code"] == "INVALID_ANSWER"
    assert "The arguments of the call cannot be used" in events[-1]["message"]


def test_the_id_of_a_question_names_its_call_and_its_end():
    assert question_id("c1") == "approval::c1"
    assert question_id("c1", NOON) == f"approval:{int(NOON.timestamp())}:c1"


@pytest.mark.parametrize("second", [no, lambda interrupt: entry(interrupt, "cancelled"), yes])
async def test_a_repeated_resume_gets_the_first_result_whatever_it_says(second, caplog):
    agent = worker()
    history, (interrupt,) = await asked()
    first = results_of(await ask(agent, history, resume=[yes(interrupt, editedArgs=EDITED)]))
    again = results_of(await ask(agent, history, runId="run-3", resume=[second(interrupt)]))
    assert first == again
    assert first[interrupt["toolCallId"]]["amount"] == 90
    assert "the first answer stands" in caplog.text


async def test_a_repeated_resume_needs_no_answer_that_could_be_used():
    agent = worker()
    history, (interrupt,) = await asked()
    await ask(agent, history, resume=[no(interrupt)])
    again = await ask(agent, history, runId="run-3", resume=[entry(interrupt, payload="?")])
    assert results_of(again)[interrupt["toolCallId"]]["status"] == "rejected"


async def test_an_answer_given_in_time_stands_after_the_time_is_over():
    clock = Clock()
    agent = worker(clock=clock)
    history, (interrupt,) = await asked("Refund order T-1042 within 30 seconds", clock=clock)
    first = results_of(await ask(agent, history, resume=[yes(interrupt)]))
    clock.forward(60)
    assert results_of(await ask(agent, history, runId="run-3", resume=[yes(interrupt)])) == first


async def test_the_first_answers_of_other_threads_are_their_own():
    agent = worker()
    history, (interrupt,) = await asked()
    await ask(agent, history, resume=[no(interrupt)])
    elsewhere = await ask(agent, history, threadId="other", resume=[yes(interrupt)])
    assert results_of(elsewhere)[interrupt["toolCallId"]]["status"] == "refunded"


async def test_edited_arguments_are_told_as_edited():
    history, (interrupt,) = await asked()
    edited = results_of(await play(history, resume=[yes(interrupt, editedArgs=EDITED)]))
    plain = results_of(await play(history, resume=[yes(interrupt)]))
    assert "changed the arguments" in edited[interrupt["toolCallId"]]["message"]
    assert "message" not in plain[interrupt["toolCallId"]]
