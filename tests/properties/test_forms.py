"""Any schema, any value that fits it: the form gives it back, and what a form calls ready does fit."""

import json

from hypothesis import assume, given
from hypothesis import strategies as st

from chat_app.agui import Interrupt, misfit
from chat_app.services.changes import written
from chat_app.services.forms import Draft
from chat_app.services.forms.fields import Absent
from chat_app.services.forms.filling import Asked, form_of

NAMES = st.text("ab/~|0é ", min_size=1, max_size=4)
LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 2, "maxLength": 5},
        {"type": "string", "format": "date"},
        {"type": ["string", "null"]},
        {"type": "integer"},
        {"type": "integer", "minimum": -5, "maximum": 5},
        {"type": "number"},
        {"type": "number", "exclusiveMinimum": 0},
        {"type": "boolean"},
        {"enum": ["1", 1, True, None]},
        {"const": "fixed"},
        {},
    ]
)


def grouped(schemas):
    members = st.dictionaries(NAMES, schemas, min_size=1, max_size=4)
    return members.flatmap(
        lambda found: st.sets(st.sampled_from(sorted(found))).map(
            lambda required: {"type": "object", "properties": found, "required": sorted(required)}
        )
    )


def larger(schemas):
    return (
        grouped(schemas)
        | schemas.map(lambda one: {"type": "array", "items": one})
        | st.lists(schemas, min_size=2, max_size=3).map(lambda some: {"oneOf": some})
        | st.lists(schemas, min_size=1, max_size=2).map(lambda some: {"anyOf": [*some, {"type": "null"}]})
    )


SCHEMAS = st.recursive(LEAVES, larger, max_leaves=8)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)


def texts(form):
    return {one.key: one.text for one in form.fields}


@given(schema=SCHEMAS | st.none(), value=VALUES)
def test_a_form_left_as_it_is_changes_nothing(schema, value):
    asked = Asked("respond", schema, value)
    first = form_of(asked)
    again = form_of(asked, Draft(raw=first.form.raw, json=first.form.json, entries=texts(first.form)))
    for filling in (first, again):
        assert filling.form.changes == []
        if not isinstance(filling.value, Absent):
            assert written(filling.value) == written(value)


@given(schema=grouped(SCHEMAS), data=st.data())
def test_what_a_form_calls_ready_fits_the_schema(schema, data):
    keys = list(texts(form_of(Asked("respond", schema)).form))
    assume(keys)
    typed = st.sampled_from(["", "0", "1", "2", "abc", "true", "null", '"fixed"', "2026-12-01", "1.5", "{}"])
    entries = data.draw(st.dictionaries(st.sampled_from(keys), typed))
    filling = form_of(Asked("respond", schema), Draft(entries=entries))
    if filling.form.ready:
        json.dumps(filling.value, allow_nan=False)
        assert misfit(Interrupt(id="q", reason="form", response_schema=schema), filling.value) == ""


@given(
    schema=SCHEMAS,
    entries=st.dictionaries(st.text("/01|ab", max_size=6), st.text(max_size=6)),
    act=st.text(max_size=6),
)
def test_no_filled_in_form_breaks(schema, entries, act):
    for does in ("", "add", "remove", "json", "form"):
        form_of(Asked("respond", schema), Draft(entries=entries, json=act), act=does, key=act)
        form_of(Asked("respond", schema), Draft(raw=True, entries=entries, json=act), act=does, key=act)
