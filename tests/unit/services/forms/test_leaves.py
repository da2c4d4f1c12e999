import pytest

from chat_app.services.forms.fields import ABSENT, Trouble
from chat_app.services.forms.leaves import parsed, text_of, value_of
from chat_app.services.forms.shapes import Shape, shape_of


def told(schema, text):
    return value_of(shape_of(schema), text)


@pytest.mark.parametrize(
    ("schema", "text", "value"),
    [
        ({"type": "number"}, "1240.50", 1240.5),
        ({"type": "number"}, " 1240.0 ", 1240.0),
        ({"type": "number"}, "5", 5),
        ({"type": "integer"}, "9007199254740993", 9007199254740993),
        ({"type": "integer"}, "5.0", 5.0),
        ({"type": "string"}, "00123", "00123"),
        ({"type": "boolean"}, "false", False),
        ({"enum": [1, "1", True]}, "true", True),
        ({"enum": [1, "1", True]}, '"1"', "1"),
        ({"type": "string", "format": "date"}, "2026-12-01", "2026-12-01"),
        ({"type": "string", "format": "date-time"}, "2026-12-01T10:00:00Z", "2026-12-01T10:00:00Z"),
        ({}, '{"a": [1, null]}', {"a": [1, None]}),
    ],
)
def test_a_text_is_read_as_the_type_that_is_asked_for(schema, text, value):
    read = told(schema, text)
    assert read == value
    assert type(read) is type(value)


@pytest.mark.parametrize(
    ("schema", "text", "code", "limit"),
    [
        ({"type": "number"}, "abc", "number", ""),
        ({"type": "number"}, "1,240.50", "number", ""),
        ({"type": "number"}, "NaN", "number", ""),
        ({"type": "number"}, "٣", "number", ""),
        ({"type": "number"}, "1e400", "exact", ""),
        ({"type": "number"}, "0.12345678901234567890", "exact", ""),
        ({"type": "integer"}, "1.5", "integer", ""),
        ({"type": "integer"}, "abc", "integer", ""),
        ({"type": "integer"}, "1e400", "exact", ""),
        ({"type": "integer"}, "9" * 5000, "integer", ""),
        ({"type": "boolean"}, "yes", "choice", ""),
        ({"enum": ["a"]}, "a", "choice", ""),
        ({"type": "string", "format": "date"}, "2026-11-31", "date", ""),
        ({"type": "string", "format": "date"}, "20261130", "date", ""),
        ({"type": "string", "format": "date-time"}, "2026-12-01T10:00:00", "time", ""),
        ({"type": "string", "format": "date-time"}, "tomorrow", "time", ""),
        ({}, '{"a": }', "json_at", "1"),
        ({}, "[" * 100_000, "json", ""),
        ({}, "NaN", "json", ""),
        ({"type": "integer", "minimum": 1}, "0", "min", "1"),
        ({"type": "number", "maximum": 2.5}, "3", "max", "2.5"),
        ({"type": "number", "exclusiveMinimum": 0}, "0", "above", "0"),
        ({"type": "number", "exclusiveMaximum": 1}, "1", "below", "1"),
        ({"type": "number", "multipleOf": 0.01}, "0.123", "multiple", "0.01"),
        ({"type": "string", "minLength": 3}, "ab", "short", "3"),
        ({"type": "string", "minLength": 1}, "", "required", ""),
        ({"type": "string", "maxLength": 2}, "abc", "long", "2"),
        ({"type": "string", "pattern": "^[A-Z]{3}$"}, "eur", "pattern", "^[A-Z]{3}$"),
    ],
)
def test_what_is_wrong_with_a_text_has_a_code_and_a_figure(schema, text, code, limit):
    assert told(schema, text) == Trouble(code, limit)


@pytest.mark.parametrize("pattern", ["(a+)+$", "(", "x" * 300, "(a*)*"])
def test_a_pattern_that_is_broken_or_dangerous_is_left_to_the_schema(pattern):
    assert told({"type": "string", "pattern": pattern}, "a" * 40 + "!") == "a" * 40 + "!"


def test_a_multiple_that_floats_cannot_tell_is_one():
    assert told({"type": "number", "multipleOf": 0.01}, "1240.10") == 1240.1
    assert told({"type": "number", "multipleOf": 0}, "7") == 7


def test_the_text_of_a_value_gives_it_back():
    assert text_of(Shape("number"), 1240.0) == "1240.0"
    assert text_of(Shape("text"), "x") == "x"
    assert text_of(Shape("text"), None) == ""
    assert text_of(Shape("choice"), "x") == '"x"'
    assert text_of(Shape("json"), None) == "null"
    assert text_of(Shape("json"), ABSENT) == ""


def test_a_number_in_json_keeps_what_it_says():
    assert parsed('{"id": 9007199254740993, "t": 0.1}') == {"id": 9007199254740993, "t": 0.1}
    assert parsed('{"t": 0.10000000000000000001}') == Trouble("exact")
