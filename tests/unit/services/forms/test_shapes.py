import pytest

from chat_app.services.forms.shapes import DEPTH, shape_of, shape_of_value, widened


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, "text"),
        ({"type": "string", "format": "date"}, "date"),
        ({"type": "string", "format": "date-time"}, "time"),
        ({"type": "integer"}, "integer"),
        ({"type": "number"}, "number"),
        ({"type": "boolean"}, "boolean"),
        ({"enum": [1, "1"]}, "choice"),
        ({"const": "x"}, "choice"),
        ({"type": "array", "items": {"type": "string"}}, "list"),
        ({"type": "array"}, "list"),
        ({"type": "object", "properties": {"a": {"type": "string"}}}, "group"),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, "variants"),
        ({"oneOf": [{"const": 1}, {"const": 2}]}, "choice"),
        ({"type": "object"}, "json"),
        ({"type": ["string", "integer"]}, "json"),
        ({"type": "array", "prefixItems": [{}]}, "json"),
        ({"oneOf": [{"type": "null"}]}, "json"),
        ({"anyOf": [{"type": "string"}], "properties": {}}, "json"),
        ({"type": "surprise"}, "json"),
        ({"type": {}}, "json"),
        ({}, "json"),
        (True, "json"),
        ({"allOf": "broken"}, "json"),
        ({"$ref": "https://elsewhere.example/schema"}, "json"),
        ({"$ref": "#/$defs/missing"}, "json"),
        ({"$ref": 3}, "json"),
    ],
)
def test_a_schema_has_the_kind_it_can_be_drawn_as(schema, kind):
    assert shape_of(schema).kind == kind


def test_null_beside_a_kind_makes_it_optional_to_say():
    for schema in ({"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}):
        shape = shape_of(schema)
        assert (shape.kind, shape.nullable) == ("text", True)


def test_references_are_followed_within_the_schema():
    schema = {
        "type": "object",
        "properties": {"pay": {"$ref": "#/$defs/Pay~1ment"}},
        "required": ["pay", "missing"],
        "$defs": {"Pay/ment": {"title": "Payment", "type": "integer", "minimum": 1, "maximum": True}},
    }
    shape = shape_of(schema)
    assert shape.required == {"pay"}
    pay = shape.properties["pay"]
    assert (pay.kind, pay.title, pay.limits.minimum, pay.limits.maximum) == ("integer", "Payment", 1, None)


def test_all_of_joins_members():
    first = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    shape = shape_of({"allOf": [first], "properties": {"b": {"type": "integer"}}, "required": ["b"]})
    assert set(shape.properties) == shape.required == {"a", "b"}


def test_a_schema_that_holds_itself_ends_as_json():
    tree = {"type": "object", "properties": {"child": {"$ref": "#/$defs/tree"}}}
    shape, depth = shape_of({"$ref": "#/$defs/tree", "$defs": {"tree": tree}}), 0
    while shape.kind == "group":
        shape, depth = shape.properties["child"], depth + 1
    assert depth == DEPTH + 1
    assert shape.kind == "json"
    assert shape_of({"$ref": "#/$defs/x", "$defs": {"x": {"$ref": "#/$defs/x"}}}).kind == "json"
    assert shape_of({"allOf": [{"$ref": "#/$defs/x"}], "$defs": {"x": {"$ref": "#/$defs/y"}}}).kind == "json"


def test_a_value_without_a_schema_gives_its_own_shape():
    shape = shape_of_value({"a": 1, "b": "x", "c": True, "d": [1.5, 2], "e": [1, "x"], "f": {}, "g": None})
    kinds = {name: one.kind for name, one in shape.properties.items()}
    assert kinds == {
        "a": "number",
        "b": "text",
        "c": "boolean",
        "d": "list",
        "e": "json",
        "f": "json",
        "g": "json",
    }


def test_a_value_too_deep_is_json():
    value = 1
    for _ in range(DEPTH + 2):
        value = {"a": value}
    shape = shape_of_value(value)
    while shape.kind == "group":
        shape = shape.properties["a"]
    assert shape.kind == "json"


def test_members_that_the_schema_does_not_name_are_kept():
    shape = shape_of({"type": "object", "properties": {"a": {"type": "string"}}})
    wider = widened(shape, {"a": "x", "more": 3})
    assert wider.properties["more"].kind == "number"
    assert wider.required == {"more"}
    assert widened(shape, "x") is shape
    assert widened(shape_of({"type": "string"}), {"a": 1}).kind == "text"
