import pytest

from chat_app.services.forms.fields import ABSENT
from chat_app.services.forms.reading import MOST_ITEMS, member, read
from chat_app.services.forms.shapes import shape_of


def group(required=(), **members):
    return shape_of({"type": "object", "properties": members, "required": list(required)})


def codes(filled):
    return {one.key: one.code for one in filled.fields if one.code}


def kinds(filled):
    return {one.key: one.kind for one in filled.fields}


def test_an_optional_input_left_empty_is_left_out():
    filled = read(group(a={"type": "string"}, b={"type": "integer"}), {"/a": "", "/b": ""})
    assert filled.value == {}
    assert filled.problems == 0


def test_an_empty_input_is_what_it_was_when_it_was_empty():
    shape = group(a={"type": "string"}, b={"type": ["integer", "null"]})
    assert read(shape, {"/a": "", "/b": ""}, {"a": "", "b": None}).value == {"a": "", "b": None}
    assert read(shape, {"/a": "", "/b": ""}, {"a": "x", "b": 1}).value == {}


def test_what_is_needed_and_empty_is_marked():
    members = {"n": {"type": "number"}, "c": {"enum": ["a", "b"]}, "t": {"type": "string", "minLength": 1}}
    assert codes(read(group(members, **members), {})) == {
        "/n": "required",
        "/c": "required",
        "/t": "required",
    }


def test_a_needed_value_that_may_be_null_is_null_when_empty():
    members = {"n": {"type": ["number", "null"]}, "o": {"anyOf": [{"$ref": "#/x"}, {"type": "null"}]}}
    assert read(group(["n"], **members), {"/n": ""}).value == {"n": None}
    box = {"type": ["object", "null"], "properties": {"w": {"type": "number"}}}
    assert read(group(["b"], b=box), {"/b": ""}).value == {"b": None}
    assert read(group(b=box), {"/b": ""}, {"b": None}).value == {"b": None}


def test_defaults_count_until_somebody_types():
    shape = group(
        a={"type": "string", "default": "x"}, b={"type": "boolean", "default": False}, c={"const": 7}
    )
    assert read(shape, {}).value == {"a": "x", "b": False}
    assert read(group(["c"], c={"const": 7}), {}).value == {"c": 7}
    assert read(shape, {"/a": "y", "/b": "true", "/c": ""}).value == {"a": "y", "b": True}


def test_a_yes_or_no_that_nobody_gave_is_not_taken_for_a_no():
    shape = group(["sure"], sure={"type": "boolean"})
    filled = read(shape, {})
    assert kinds(filled) == {"/sure": "maybe"}
    assert codes(filled) == {"/sure": "required"}
    assert kinds(read(shape, {}, {"sure": True})) == {"/sure": "boolean"}


def test_an_optional_group_is_there_only_when_asked_for():
    shape = group(box={"type": "object", "properties": {"w": {"type": "number"}}, "required": ["w"]})
    assert read(shape, {}).value == {}
    assert codes(read(shape, {"/box": "1"})) == {"/box/w": "required"}
    assert read(shape, {"/box": "1", "/box/w": "2"}).value == {"box": {"w": 2}}


def test_a_list_has_as_many_items_as_its_count_says():
    shape = group(tags={"type": "array", "items": {"type": "integer"}})
    assert read(shape, {"/tags": "2", "/tags/0": "1", "/tags/1": "2"}).value == {"tags": [1, 2]}
    assert read(shape, {"/tags": "0"}).value == {"tags": []}
    assert read(shape, {"/tags": ""}).value == {}
    assert len(read(shape, {"/tags": "999999999"}).fields) == MOST_ITEMS + 1


def test_a_list_says_how_many_it_wants():
    items = {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 1}
    shape = group(["tags"], tags=items)
    assert codes(read(shape, {})) == {"/tags": "few"}
    assert codes(read(shape, {"/tags": "2", "/tags/0": "1", "/tags/1": "1"})) == {"/tags": "many"}


def test_one_of_several_is_read_as_the_chosen_one():
    options = {"oneOf": [{"type": "string", "title": "Name"}, {"type": "integer"}]}
    shape = group(["pay"], pay=options)
    filled = read(shape, {"/pay": "1", "/pay|1": "5"})
    assert filled.value == {"pay": 5}
    assert [one.label for one in filled.fields[0].choices] == ["Name", "integer"]
    assert read(shape, {"/pay|0": "x"}).value == {"pay": "x"}
    assert codes(read(shape, {"/pay": "7"})) == {"/pay": "required"}
    assert read(group(pay=options), {}).value == {}


@pytest.mark.parametrize(("limit", "kind"), [(500, "long"), (20, "text"), (None, "text")])
def test_a_long_text_gets_a_large_box(limit, kind):
    schema = {"type": "string"} | ({"maxLength": limit} if limit else {})
    assert kinds(read(group(a=schema), {})) == {"/a": kind}


def test_a_text_of_many_lines_gets_a_large_box():
    assert kinds(read(group(a={"type": "string"}), {}, {"a": "x\ny"})) == {"/a": "long"}


def test_keys_of_members_are_never_taken_for_one_another():
    names = ["a/b", "a~1b", "a|b", "a~2b", "a"]
    assert len({member("", name) for name in names}) == len(names)


def test_a_bare_value_is_a_form_of_one_input():
    assert read(shape_of({"type": "string"}), {"": "x"}).value == "x"
    assert read(shape_of({"enum": ["a", "b"]}), {}).value is ABSENT
