from datetime import timedelta

import pytest

from chat_app.agui import UsageError, is_expired
from chat_app.data.records import DecisionRecord, InterruptRecord
from chat_app.services.answers import actions, entries_of, interrupt_of, is_over, response
from tests.fakes import NOON

YES_NO = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "reason": {"type": "string"},
        "editedArgs": {"type": "object"},
    },
    "required": ["approved"],
}


def question(key: str = "q1", **fields) -> InterruptRecord:
    base = {"thread": "t", "run": "r", "wire_id": f"wire-{key}", "position": 1, "reason": "tool_call"}
    return InterruptRecord(**{**base, "id": key, "args_digest": "", "created": NOON, **fields})


def decision(kind: str, key: str = "q1", **fields) -> DecisionRecord:
    return DecisionRecord(id=f"d-{key}", interrupt=key, by="ada", kind=kind, digest="", at=NOON, **fields)


def payloads(asked, decided, now=NOON):
    return [
        (entry.interrupt_id, entry.status, entry.payload) for entry in entries_of(asked, decided, now=now)
    ]


def test_a_stored_question_is_the_one_that_was_asked():
    until = NOON + timedelta(hours=1)
    asked = interrupt_of(
        question(
            message="May I?",
            tool_call="c1",
            response_schema=YES_NO,
            expires_at=until,
            metadata={"by": "an agent"},
        )
    )
    assert (asked.id, asked.reason, asked.message, asked.tool_call_id) == (
        "wire-q1",
        "tool_call",
        "May I?",
        "c1",
    )
    assert (asked.response_schema, asked.metadata) == (YES_NO, {"by": "an agent"})
    assert not is_expired(asked, NOON)
    assert is_expired(asked, until)


def test_a_bare_question_has_no_more_than_its_reason():
    asked = interrupt_of(question(response_schema=None, metadata=None))
    assert (asked.message, asked.tool_call_id, asked.response_schema, asked.expires_at, asked.metadata) == (
        None,
        None,
        None,
        None,
        None,
    )


@pytest.mark.parametrize(
    ("fields", "offered"),
    [
        ({}, ["approve", "reject", "cancel"]),
        ({"reason": "confirmation"}, ["approve", "reject", "cancel"]),
        ({"reason": "input_required"}, ["respond", "cancel"]),
        ({"reason": "input_required", "response_schema": YES_NO}, ["approve", "edit", "reject", "cancel"]),
        ({"kind": "ask", "reason": "ask"}, ["respond", "cancel"]),
        ({"kind": "ask", "reason": "consent"}, ["approve", "reject", "cancel"]),
        ({"response_schema": {"type": "boolean"}}, ["approve", "reject", "cancel"]),
        ({"response_schema": {"type": "string"}}, ["respond", "cancel"]),
    ],
)
def test_a_question_offers_the_answers_its_schema_or_reason_takes(fields, offered):
    assert actions(question(**fields)) == offered


@pytest.mark.parametrize(
    ("schema", "text", "answer"),
    [
        (None, "42", 42),
        (None, '{"a": 1}', {"a": 1}),
        (None, "plain words", "plain words"),
        (None, "null", "null"),
        (None, "[" * 100_000, "[" * 100_000),
        ({"type": "string"}, "42", "42"),
        ({"type": "integer"}, "42", 42),
    ],
)
def test_what_was_typed_is_text_or_json_as_the_question_wants(schema, text, answer):
    assert response(question(response_schema=schema), text) == answer


def test_an_approval_says_yes():
    assert payloads([question()], [decision("approve")]) == [("wire-q1", "resolved", {"approved": True})]


def test_an_edit_carries_the_arguments_that_hold():
    asked = question(response_schema=YES_NO)
    edited = decision("edit", edited_args={"to": "b@c.d"})
    assert payloads([asked], [edited]) == [
        ("wire-q1", "resolved", {"approved": True, "editedArgs": {"to": "b@c.d"}})
    ]


def test_a_rejection_says_no_and_why_where_the_schema_has_a_word_for_it():
    asked = question(response_schema=YES_NO)
    refused = decision("reject", note="too dear")
    assert payloads([asked], [refused]) == [
        ("wire-q1", "resolved", {"approved": False, "reason": "too dear"})
    ]
    assert payloads([question()], [refused]) == [("wire-q1", "resolved", {"approved": False})]


def test_a_response_is_sent_as_it_is():
    asked = question(reason="input_required")
    assert payloads([asked], [decision("respond", payload={"year": 2030})]) == [
        ("wire-q1", "resolved", {"year": 2030})
    ]


def test_a_cancelled_and_an_undecided_question_are_abandoned():
    asked = [question("q1"), question("q2")]
    assert payloads(asked, [decision("cancel", "q1")]) == [
        ("wire-q1", "cancelled", None),
        ("wire-q2", "cancelled", None),
    ]


def test_entries_follow_the_order_of_the_questions():
    asked = [question("q2"), question("q1")]
    decided = [decision("approve", "q1"), decision("reject", "q2")]
    assert [entry.interrupt_id for entry in entries_of(asked, decided, now=NOON)] == ["wire-q2", "wire-q1"]


def test_an_answer_to_a_question_that_expired_since_is_abandoned():
    late = question("q1", expires_at=NOON)
    assert payloads([late, question("q2")], [decision("approve", "q1"), decision("approve", "q2")]) == [
        ("wire-q1", "cancelled", None),
        ("wire-q2", "resolved", {"approved": True}),
    ]


def test_a_question_is_over_from_its_last_moment_on():
    asked = question(expires_at=NOON)
    assert is_over(asked, NOON)
    assert not is_over(asked, NOON - timedelta(microseconds=1))
    assert not is_over(question(), NOON)


@pytest.mark.parametrize("kind", ["approve", "reject"])
def test_a_yes_or_no_to_an_open_question_is_refused(kind):
    with pytest.raises(UsageError):
        entries_of([question(reason="input_required")], [decision(kind)], now=NOON)
