import pytest

from chat_app.agui.adapters import Delivery, delivery_of, on_interrupt
from chat_app.agui.adapters.base import RunRecord
from chat_app.agui.events import parse_stored


def found(*values, ids=()):
    events = [{"type": "CUSTOM", "name": "on_interrupt", "value": value} for value in values]
    named = [{**event, "rawEvent": {"id": name}} for event, name in zip(events, ids, strict=False)]
    noise = {"type": "CUSTOM", "name": "usage", "value": 1}
    customs = [parse_stored(event) for event in [noise, *named, *events[len(named) :]]]
    return on_interrupt.find(RunRecord("r1", customs))


def test_nothing_asked_is_nothing_found():
    assert found() == []


def test_a_value_of_todays_form_is_that_interrupt():
    [question] = found({"id": "flow", "reason": "crewai:human_feedback", "message": "OK?"})
    assert (question.id, question.reason, question.message) == ("flow", "crewai:human_feedback", "OK?")
    assert delivery_of(question) is Delivery.RESUME


@pytest.mark.parametrize(
    ("value", "reason", "message"),
    [
        ("Delete it?", "langgraph:interrupt", "Delete it?"),
        ('{"question": "Delete it?"}', "langgraph:interrupt", "Delete it?"),
        ({"reason": "tool_call", "message": "Delete it?"}, "tool_call", "Delete it?"),
        (5, "langgraph:interrupt", None),
        ({"id": "x", "reason": "y", "expiresAt": 5}, "y", None),
    ],
)
def test_any_other_value_is_shown_and_answered_by_command(value, reason, message):
    [question] = found(value)
    assert (question.id, question.reason, question.message) == ("on_interrupt:r1", reason, message)
    assert delivery_of(question) is Delivery.COMMAND


def test_several_questions_need_ids_of_their_own_to_be_answered_apart():
    assert [question.id for question in found("A?", "B?", ids=("a", "b"))] == ["a", "b"]
    assert [question.message for question in found("A?", "B?")] == ["B?"]
