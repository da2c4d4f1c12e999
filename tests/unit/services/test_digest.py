from hashlib import sha256

import pytest

from chat_app.services.digest import facts, fingerprint, proposal
from chat_app.services.rows import Fact

DEEP = "[" * 100_000


def test_the_fingerprint_is_of_the_canonical_text():
    assert fingerprint('{"b": [1, true], "a": "ü"}') == sha256('{"a":"ü","b":[1,true]}'.encode()).hexdigest()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a":1,"b":2}', '{ "b" : 2, "a" : 1 }'),
        ('{"a":{"y":1,"x":2}}', '{"a":{"x":2,"y":1}}'),
        ('"\\u00fc"', '"ü"'),
    ],
)
def test_order_and_spelling_change_no_fingerprint(one, other):
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('{"a":1}', '{"a":"1"}'),
        ('{"a":1}', '{"a":1.0}'),
        ('{"a":1e2}', '{"a":100}'),
        ('{"a":true}', '{"a":1}'),
        ('{"a":null}', '{"a":"null"}'),
        ("[1,2]", "[2,1]"),
        ('{"a":[1,2]}', '{"a":"[1,2]"}'),
        ('{"a":1,"a":2}', '{"a":2}'),
        ("not json", "not  json"),
    ],
)
def test_another_type_or_value_changes_the_fingerprint(one, other):
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("text", ["", "rm -rf /", '{"a":NaN}', '{"a":1,"a":2}', DEEP])
def test_what_is_no_json_is_digested_as_it_is(text):
    assert fingerprint(text) == sha256(text.encode()).hexdigest()


def test_half_characters_can_be_digested():
    assert fingerprint('"\\ud800"') != fingerprint('"\\ud801"')
    assert len(fingerprint("\ud800")) == 64


def test_every_value_of_an_object_is_a_fact():
    text = '{"to": "a@b.c", "copies": 2.50, "tags": ["x", {"y": null}], "urgent": true, "empty": ""}'
    assert facts(text) == [
        Fact("to", "a@b.c"),
        Fact("copies", "2.50", raw=True),
        Fact("tags", '["x",{"y":null}]', raw=True),
        Fact("urgent", "true", raw=True),
        Fact("empty", ""),
    ]


def test_text_that_looks_like_a_number_is_told_from_one():
    assert facts('{"a":"1","b":1}') == [Fact("a", "1"), Fact("b", "1", raw=True)]


@pytest.mark.parametrize(
    ("text", "value"), [("[1, 2]", "[1,2]"), ('"hi"', '"hi"'), ("3.0", "3.0"), ("rm -rf /", "rm -rf /")]
)
def test_what_is_no_object_is_one_nameless_fact(text, value):
    assert facts(text) == [Fact("", value, raw=True)]


def test_no_arguments_are_no_facts():
    assert facts("") == []
    assert facts("{}") == []


def test_a_key_named_twice_is_shown_as_it_was_written():
    text = '{"path": "/tmp/x", "path": "/"}'
    assert facts(text) == [Fact("", text, raw=True)]


def test_nesting_too_deep_to_read_is_shown_as_it_is():
    assert facts(DEEP) == [Fact("", DEEP, raw=True)]


def test_half_characters_are_shown_as_escapes_that_can_be_sent():
    shown = facts('{"a\\udc00": "x\\ud800y", "b": ["\\ud800"]}')
    assert shown == [Fact("a\\udc00", "x\\ud800y"), Fact("b", '["\\ud800"]', raw=True)]


@pytest.mark.parametrize("arguments", ['{"a":', '{"a":1,"a":2}', "[NaN]"])
def test_a_proposal_that_cannot_be_read_is_its_text(arguments):
    assert proposal(arguments) == arguments


def test_a_proposal_keeps_its_types():
    assert proposal('{"id": 9007199254740993, "t": 1.0}') == {"id": 9007199254740993, "t": 1.0}
