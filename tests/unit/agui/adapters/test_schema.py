import pytest

from chat_app.agui.adapters.schema import BOOLEAN, KEYED, OPEN, PLAIN
from chat_app.agui.events import Interrupt


def question(schema=None, reason="tool_call"):
    return Interrupt(id="i", reason=reason, response_schema=schema)


def verdict(key, **more):
    return {"type": "object", "properties": {key: {"type": "boolean"}, **more}}


@pytest.mark.parametrize("key", ["approved", "accepted", "confirmed"])
def test_a_verdict_goes_under_the_key_the_schema_has(key):
    asked = question(verdict(key))
    assert KEYED.fits(asked)
    assert KEYED.approve(asked, None, "") == {key: True}
    assert KEYED.reject(asked, "") == {key: False}
    assert not KEYED.edit(asked)


def test_approved_comes_before_its_aliases():
    asked = question(verdict("accepted", approved={"type": "boolean"}))
    assert KEYED.approve(asked, None, "") == {"approved": True}


@pytest.mark.parametrize("key", ["reason", "note", "feedback", "comment", "message"])
def test_a_note_goes_under_the_name_the_schema_gives_it(key):
    asked = question(verdict("approved", **{key: {"type": "string"}}))
    assert KEYED.reject(asked, "no") == {"approved": False, key: "no"}
    assert KEYED.reject(asked, "") == {"approved": False}


def test_edits_go_whole_where_the_schema_has_them():
    asked = question(verdict("approved", editedArgs={"type": "object"}))
    assert KEYED.edit(asked)
    assert KEYED.approve(asked, {"n": 1}, "") == {"approved": True, "editedArgs": {"n": 1}}


@pytest.mark.parametrize(
    "schema", [None, {"type": "string"}, {"properties": []}, {"properties": {"approved": True}}]
)
def test_other_schemas_have_no_verdict(schema):
    assert not KEYED.fits(question(schema))


def test_a_bare_boolean_is_a_verdict():
    asked = question({"type": "boolean"})
    assert BOOLEAN.fits(asked)
    assert (BOOLEAN.approve(asked, None, ""), BOOLEAN.reject(asked, "")) == (True, False)
    assert not BOOLEAN.fits(question())


@pytest.mark.parametrize(
    ("reason", "fits"), [("tool_call", True), ("confirmation", True), ("input_required", False)]
)
def test_without_a_schema_the_reason_decides(reason, fits):
    asked = question(reason=reason)
    assert PLAIN.fits(asked) is fits
    assert not PLAIN.fits(question({}, reason))
    assert (PLAIN.approve(asked, None, ""), PLAIN.reject(asked, "")) == (
        {"approved": True},
        {"approved": False},
    )


def test_anything_can_be_answered_in_words():
    assert OPEN.fits(question(reason="strange"))
    assert OPEN.approve is OPEN.reject is None
    assert not OPEN.edit(question())
