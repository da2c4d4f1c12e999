from datetime import UTC, datetime, timedelta, timezone

import pytest

from chat_app.agui.errors import (
    DuplicateAnswer,
    InterruptExpired,
    NotInterrupted,
    UncoveredInterrupts,
    UnknownInterrupt,
    UsageError,
)
from chat_app.agui.events import Interrupt, ResumeEntry
from chat_app.agui.interrupts import (
    Actions,
    ResumeBuilder,
    actions_of,
    check_answers,
    expires_at,
    is_expired,
    misfit,
)

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
APPROVAL = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "reason": {"type": "string"}},
    "required": ["approved"],
}


def question(interrupt_id="i1", **fields):
    return Interrupt(id=interrupt_id, **{"reason": "tool_call", **fields})


def entry(interrupt_id="i1", status="cancelled", payload=None):
    return ResumeEntry(interrupt_id=interrupt_id, status=status, payload=payload)


# ------------------------------------------------------------------ checking


def test_a_whole_list_of_answers_in_any_order_may_be_sent():
    pending = [question("i1"), question("i2", response_schema=APPROVAL)]
    check_answers([entry("i2", "resolved", {"approved": False}), entry("i1")], pending, NOON)


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        ([], UncoveredInterrupts),
        ([entry("i1")], UncoveredInterrupts),
        ([entry("i1"), entry("i2"), entry("i3")], UnknownInterrupt),
        ([entry("i1"), entry("i1")], DuplicateAnswer),
        ([entry("i1"), entry("i2", "resolved", {"approved": "yes"})], UsageError),
    ],
)
def test_a_list_that_is_not_whole_is_refused(answers, error):
    with pytest.raises(error) as caught:
        check_answers(answers, [question("i1"), question("i2", response_schema=APPROVAL)], NOON)
    assert caught.type is error


def test_what_is_missing_is_named():
    with pytest.raises(UncoveredInterrupts) as caught:
        check_answers([entry("i1")], [question("i1"), question("i2")], NOON)
    assert caught.value.missing == ("i2",)
    assert "'i2'" in caught.value.message


def test_nothing_open_is_nothing_to_answer():
    with pytest.raises(NotInterrupted):
        check_answers([entry()], [], NOON)


def test_an_expired_question_can_only_be_cancelled():
    late = question(expires_at="2026-11-30T12:00:00Z")
    check_answers([entry()], [late], NOON)
    with pytest.raises(InterruptExpired, match="2026-11-30T12:00:00Z"):
        check_answers([entry(status="resolved")], [late], NOON)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        (None, None),
        ("in five minutes", None),
        ("1700000000000", None),
        ("2026-11-30T12:00:00", NOON),
        (" 2026-11-30T21:00:00+09:00 ", datetime(2026, 11, 30, 21, tzinfo=timezone(timedelta(hours=9)))),
    ],
)
def test_a_time_is_read_with_its_zone_or_not_at_all(text, at):
    assert expires_at(question(expires_at=text)) == at
    assert is_expired(question(expires_at=text), NOON) is (at is not None)


def test_a_question_is_open_until_its_time():
    assert not is_expired(question(expires_at="2026-11-30T12:00:01Z"), NOON)


@pytest.mark.parametrize(
    ("schema", "payload", "complaint"),
    [
        (None, "anything", ""),
        (APPROVAL, {"approved": True}, ""),
        (APPROVAL, {"approved": "yes"}, "approved: "),
        (APPROVAL, None, "None is not"),
        ({"type": "strange"}, 1, ""),
        ({"$ref": "https://example.test/schema"}, 1, ""),
    ],
)
def test_an_answer_is_held_to_a_schema_that_can_be_judged(schema, payload, complaint):
    found = misfit(question(response_schema=schema), payload)
    assert found.startswith(complaint)
    assert bool(found) is bool(complaint)


# ------------------------------------------------------------------ building


def test_answers_are_collected_in_the_order_they_were_first_given():
    builder = ResumeBuilder([question("a"), question("b"), question("c", reason="input_required")])
    built = builder.cancel("c").approve("a").reject("b").approve("b").build()
    assert [(one.interrupt_id, one.status, one.payload) for one in built] == [
        ("c", "cancelled", None),
        ("a", "resolved", {"approved": True}),
        ("b", "resolved", {"approved": True}),
    ]


def test_what_is_missing_is_told_and_never_built():
    builder = ResumeBuilder([question("a"), question("b")]).approve("b")
    assert [one.id for one in builder.missing()] == ["a"]
    with pytest.raises(UncoveredInterrupts):
        builder.build()


@pytest.mark.parametrize("act", ["resolve", "approve", "reject", "cancel"])
def test_an_unknown_question_is_refused_at_once(act):
    with pytest.raises(UnknownInterrupt):
        getattr(ResumeBuilder([question()]), act)("ghost")


def test_a_note_goes_where_the_schema_has_a_place_for_it():
    builder = ResumeBuilder([question(response_schema=APPROVAL)])
    assert builder.reject("i1", note="too dear").build()[0].payload == {
        "approved": False,
        "reason": "too dear",
    }
    assert builder.approve("i1", note="fine").build()[0].payload == {"approved": True, "reason": "fine"}


def test_edits_replace_all_arguments_where_they_are_taken():
    schema = {"type": "object", "properties": {"approved": {"type": "boolean"}, "editedArgs": {}}}
    taking = ResumeBuilder([question(response_schema=schema)])
    assert taking.approve("i1", edited={"n": 5}).build()[0].payload == {
        "approved": True,
        "editedArgs": {"n": 5},
    }
    with pytest.raises(UsageError, match="takes no edited"):
        ResumeBuilder([question(response_schema=APPROVAL)]).approve("i1", edited={})


@pytest.mark.parametrize("act", ["approve", "reject"])
def test_a_question_that_wants_words_takes_no_yes_or_no(act):
    with pytest.raises(UsageError, match="wants an answer"):
        getattr(ResumeBuilder([question(reason="input_required")]), act)("i1")


def test_an_answer_that_does_not_fit_is_refused_where_it_is_given():
    with pytest.raises(UsageError, match="does not fit"):
        ResumeBuilder([question(response_schema=APPROVAL)]).resolve("i1", {"approved": "abc"})


def test_what_can_be_done_follows_from_the_question():
    assert actions_of(question()) == Actions(
        approve=True, reject=True, edit=False, respond=False, cancel_is_safe=True
    )
    assert actions_of(question(reason="crewai:human_feedback")) == Actions(
        approve=False, reject=False, edit=False, respond=True, cancel_is_safe=False
    )
