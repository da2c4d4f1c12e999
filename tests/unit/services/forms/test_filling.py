import json

import pytest

from chat_app.services.digest import fingerprint
from chat_app.services.forms import Draft
from chat_app.services.forms.fields import ABSENT, Absent
from chat_app.services.forms.filling import LONGEST, MOST_FIELDS, Asked, form_of

REPORT = {
    "to": "team@example.com",
    "copies": 3,
    "ratio": 0.5,
    "urgent": False,
    "tags": ["x", "y"],
    "note": None,
    "meta": {"k": 1, "zip": "00123"},
}
SCHEMA = {
    "type": "object",
    "properties": {
        "to": {"type": "string"},
        "copies": {"type": "integer", "minimum": 1},
        "ratio": {"type": "number"},
        "urgent": {"type": "boolean"},
    },
}
EDIT = Asked("edit", SCHEMA, REPORT, fingerprint(json.dumps(REPORT)))
SLOT = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "format": "date"},
        "ring": {"type": "boolean", "default": False},
    },
    "required": ["day"],
}


def entries(form, **typed):
    return {one.key: one.text for one in form.fields} | {f"/{name}": text for name, text in typed.items()}


def test_one_edited_value_leaves_all_others_as_they_were():
    shown = form_of(EDIT).form
    assert not shown.ready
    filling = form_of(EDIT, Draft(entries=entries(shown, copies="5")))
    assert filling.value == {**REPORT, "copies": 5}
    assert [(one.name, one.before, one.after) for one in filling.form.changes] == [("copies", "3", "5")]
    assert filling.form.ready
    assert filling.form.before == EDIT.digest
    assert filling.form.after == fingerprint(json.dumps(filling.value))


def test_a_wrong_value_blocks_the_form_and_stands_at_its_input():
    filling = form_of(EDIT, Draft(entries=entries(form_of(EDIT).form, copies="abc")))
    assert isinstance(filling.value, Absent)
    assert [(one.key, one.code) for one in filling.form.fields if one.code] == [("/copies", "integer")]
    assert not filling.form.ready


def test_nothing_is_missing_before_somebody_has_begun():
    asked = Asked("respond", SLOT)
    assert [one.code for one in form_of(asked).form.fields] == ["", ""]
    assert form_of(asked).form.problems == 1
    assert [one.code for one in form_of(asked, Draft()).form.fields] == ["required", ""]


def test_an_answer_is_ready_when_it_fits():
    filling = form_of(Asked("respond", SLOT), Draft(entries={"/day": "2026-12-01", "/ring": "true"}))
    assert filling.value == {"day": "2026-12-01", "ring": True}
    assert filling.form.ready


def test_what_only_the_schema_can_judge_is_its_complaint():
    asked = Asked("respond", {**SLOT, "not": {"properties": {"day": {"const": "2026-12-01"}}}})
    filling = form_of(asked, Draft(entries={"/day": "2026-12-01"}))
    assert "should not be valid" in filling.form.complaint
    assert filling.value is ABSENT


def test_the_json_shows_what_was_filled_in_and_comes_back():
    draft = Draft(entries=entries(form_of(EDIT).form, copies="5"))
    written = form_of(EDIT, draft, act="json")
    assert json.loads(written.form.json) == {**REPORT, "copies": 5}
    assert written.form.ready
    back = form_of(EDIT, Draft(raw=True, json=written.form.json), act="form")
    assert not back.form.raw
    assert back.value == written.value


def test_the_json_shows_the_proposal_while_an_input_is_wrong():
    draft = Draft(entries=entries(form_of(EDIT).form, copies="abc"))
    assert json.loads(form_of(EDIT, draft, act="json").form.json) == REPORT
    assert form_of(Asked("respond", SLOT), Draft(), act="json").form.json == "{}"


@pytest.mark.parametrize(
    ("text", "code"), [("{", "json_at"), ("", "required"), ("[1]", "object"), ('{"a": NaN}', "json")]
)
def test_json_that_cannot_be_sent_says_why_and_stays(text, code):
    for act in ("", "form"):
        form = form_of(EDIT, Draft(raw=True, json=text), act=act).form
        assert form.raw
        assert form.code == code
        assert form.json == text


def test_json_with_what_the_inputs_have_no_place_for_stays_json():
    text = json.dumps({**REPORT, "more": 1})
    assert form_of(EDIT, Draft(raw=True, json=text), act="form").form.raw


@pytest.mark.parametrize(
    "proposed",
    [
        {"copies": "three"},
        {"a": "x" * (LONGEST + 1)},
        {f"m{number}": number for number in range(MOST_FIELDS + 1)},
    ],
)
def test_a_proposal_that_inputs_would_spoil_is_shown_as_json(proposed):
    form = form_of(Asked("edit", SCHEMA, proposed)).form
    assert form.only_json
    assert json.loads(form.json) == proposed


def test_without_a_schema_the_proposal_says_what_its_values_are():
    filling = form_of(
        Asked("edit", None, {"id": 2**60, "on": True}), Draft(entries={"/id": "1", "/on": "true"})
    )
    assert filling.value == {"id": 1, "on": True}


def test_a_question_without_a_form_is_answered_in_json():
    assert form_of(Asked("respond")).form.only_json
    assert form_of(Asked("respond", {}), Draft(raw=True, json="[1]")).value == [1]


def test_items_come_and_go():
    more = form_of(EDIT, Draft(entries=entries(form_of(EDIT).form)), act="add", key="/tags")
    assert more.value == {**REPORT, "tags": ["x", "y", ""]}
    less = form_of(EDIT, Draft(entries=entries(form_of(EDIT).form)), act="remove", key="/tags/0")
    assert less.value == {**REPORT, "tags": ["y"]}
