import pytest

from chat_app.services.forms.entries import entries_of, gives_back
from chat_app.services.forms.fields import ABSENT
from chat_app.services.forms.shapes import shape_of

SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "string"},
        "n": {"type": ["integer", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "box": {"type": "object", "properties": {"w": {"type": "number"}}, "required": ["w"]},
        "pay": {"oneOf": [{"type": "string", "title": "By name"}, {"type": "integer"}]},
    },
    "required": ["to"],
}


def test_every_input_has_the_text_of_its_value():
    value = {"to": "x", "n": None, "tags": ["a", "b"], "box": {"w": 1.5}, "pay": 7}
    assert entries_of(shape_of(SCHEMA), value) == {
        "": "1",
        "/to": "x",
        "/n": "",
        "/tags": "2",
        "/tags/0": "a",
        "/tags/1": "b",
        "/box": "1",
        "/box/w": "1.5",
        "/pay": "1",
        "/pay|1": "7",
    }


@pytest.mark.parametrize(
    "value",
    [
        {"to": "x"},
        {"to": ""},
        {"to": "x", "n": None},
        {"to": "x", "n": 3, "tags": [], "box": {"w": 1}},
        {"to": "x", "tags": ["", "b"], "pay": "cash"},
    ],
)
def test_a_form_left_as_it_is_gives_the_value_back(value):
    assert gives_back(shape_of(SCHEMA), value)


@pytest.mark.parametrize(
    "value", [{"to": 5}, {"to": "x", "tags": "y"}, {"to": "x", "pay": {}}, {}, {"to": "x", "more": 1}, "x"]
)
def test_a_form_that_would_lose_something_says_so(value):
    assert not gives_back(shape_of(SCHEMA), value)


def test_a_form_of_nothing_has_empty_inputs():
    assert entries_of(shape_of(SCHEMA), ABSENT) == {"": ""}
    assert entries_of(shape_of({"oneOf": [{"type": "string"}, {"type": "integer"}]}), ABSENT) == {"": ""}
