"""Reads a JSON Schema, or a value that has none, as the shape of a form.

Understood are objects, lists, texts, numbers, booleans, dates, fixed sets of values, and alternatives; references
within the schema are followed. Whatever else a schema says, or says too deep, is one input for JSON: `kind` json.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from pydantic import JsonValue

Kind: TypeAlias = Literal[
    "text", "number", "integer", "boolean", "choice", "date", "time", "list", "group", "variants", "json"
]
Schema: TypeAlias = Mapping[str, JsonValue]

DEPTH: Final = 6
"""How deep objects and lists are drawn as inputs."""

_HOPS: Final = 16  # references followed in a row, so that one to itself ends


@dataclass(frozen=True, slots=True)
class Limits:
    """What a schema asks of a value besides its kind; None asks nothing."""

    minimum: float | None = None
    maximum: float | None = None
    above: float | None = None
    below: float | None = None
    multiple: float | None = None
    shortest: int | None = None
    longest: int | None = None
    pattern: str | None = None
    fewest: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Shape:
    """What one value may be.

    `choices` are the values a choice offers, `properties` the members of a group, `items` what a list holds, and
    `variants` the alternatives to choose from. `default` counts where `has_default` is set.
    """

    kind: Kind
    title: str = ""
    hint: str = ""
    nullable: bool = False
    default: JsonValue = None
    has_default: bool = False
    choices: tuple[JsonValue, ...] = ()
    properties: Mapping[str, "Shape"] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    items: "Shape | None" = None
    variants: tuple["Shape", ...] = ()
    limits: Limits = field(default_factory=Limits)


JSON: Final = Shape("json")


def shape_of(schema: JsonValue, *, within: Schema | None = None, depth: int = 0) -> Shape:
    """Return the shape that `schema` describes; references are looked up in it, then in `within`."""
    if not isinstance(schema, dict):
        return JSON
    root = {**(within or {}), **_definitions(within or {}, schema)}
    whole = _merged(schema, root)
    if depth > DEPTH or whole is None:
        return JSON
    return _described(_kinds(whole, root, depth), whole)


def shape_of_value(value: JsonValue, *, depth: int = 0) -> Shape:
    """Return the shape of a value that no schema describes."""
    if isinstance(value, bool):
        return Shape("boolean")
    if isinstance(value, int | float):
        return Shape("number")
    if isinstance(value, str):
        return Shape("text")
    if depth >= DEPTH or not value:
        return JSON
    if isinstance(value, dict):
        known = {name: shape_of_value(one, depth=depth + 1) for name, one in value.items()}
        return Shape("group", properties=known, required=frozenset(known))
    shapes = [shape_of_value(one, depth=depth + 1) for one in value]
    return Shape("list", items=shapes[0]) if all(shape == shapes[0] for shape in shapes) else JSON


def widened(shape: Shape, value: JsonValue) -> Shape:
    """Return the shape with inputs for the members of `value` that it does not name, so that none is lost."""
    if shape.kind != "group" or not isinstance(value, dict):
        return shape
    known = {name: widened(one, value.get(name)) for name, one in shape.properties.items()}
    more = {name: shape_of_value(one, depth=1) for name, one in value.items() if name not in known}
    return replace(shape, properties={**known, **more}, required=shape.required | more.keys())


def _definitions(outer: Schema, schema: Schema) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {}
    for name in ("$defs", "definitions"):
        older, newer = outer.get(name), schema.get(name)
        if isinstance(newer, dict):
            found[name] = {**older, **newer} if isinstance(older, dict) else newer
    return found


def _merged(schema: Schema, root: Schema, hops: int = _HOPS) -> dict[str, JsonValue] | None:
    """Return the schema with its reference and its `allOf` put into it; None when that leads nowhere."""
    whole = dict(schema)
    pieces = [whole.pop("$ref", None)] if "$ref" in whole else []
    parts = whole.pop("allOf", [])
    for piece in [*pieces, *(parts if isinstance(parts, list) else [None])]:
        found = _looked_up(piece, root) if isinstance(piece, str) else piece
        if not isinstance(found, dict) or not hops:
            return None
        added = _merged(found, root, hops - 1)
        if added is None:
            return None
        whole = _joined(added, whole)
    return whole


def _joined(first: dict[str, JsonValue], second: dict[str, JsonValue]) -> dict[str, JsonValue]:
    joined = {**first, **second}
    members, more = first.get("properties"), second.get("properties")
    if isinstance(members, dict) and isinstance(more, dict):
        joined["properties"] = {**members, **more}
    needed, also = first.get("required"), second.get("required")
    if isinstance(needed, list) and isinstance(also, list):
        joined["required"] = [*needed, *also]
    return joined


def _looked_up(reference: str, root: Schema) -> JsonValue:
    found: JsonValue = dict(root)
    for step in reference.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found if reference.startswith("#/") else None


def _described(shape: Shape, schema: Schema) -> Shape:
    title, hint = schema.get("title"), schema.get("description")
    return replace(
        shape,
        title=title if isinstance(title, str) else shape.title,
        hint=hint if isinstance(hint, str) else shape.hint,
        default=schema.get("default"),
        has_default="default" in schema,
    )


def _kinds(schema: Schema, root: Schema, depth: int) -> Shape:
    choices = [schema["const"]] if "const" in schema else schema.get("enum")
    if isinstance(choices, list) and choices:
        return Shape("choice", choices=tuple(choices))
    for name in ("oneOf", "anyOf"):
        options = schema.get(name)
        if isinstance(options, list) and options:
            return _alternatives(options, schema, root, depth)
    return _typed(schema, root, depth)


def _alternatives(options: list[JsonValue], schema: Schema, root: Schema, depth: int) -> Shape:
    shapes = [shape_of(one, within=root, depth=depth) for one in options if one != {"type": "null"}]
    nullable = len(shapes) < len(options)
    if "properties" in schema or not shapes:
        return JSON  # members and alternatives at once
    if len(shapes) == 1:
        return replace(shapes[0], nullable=nullable or shapes[0].nullable)
    labels = [_choice_of(one) for one in options]
    if all(labels):
        return Shape("choice", choices=tuple(label[0] for label in labels if label))
    return Shape("variants", variants=tuple(shapes), nullable=nullable)


def _choice_of(option: JsonValue) -> tuple[JsonValue] | None:
    return (option["const"],) if isinstance(option, dict) and "const" in option else None


def _typed(schema: Schema, root: Schema, depth: int) -> Shape:
    named = schema.get("type")
    names = named if isinstance(named, list) else [named]
    kinds = [name for name in names if name != "null"]
    if len(kinds) != 1:
        return JSON
    return replace(_plain(kinds[0], schema, root, depth), nullable="null" in names, limits=_limits(schema))


def _plain(kind: JsonValue, schema: Schema, root: Schema, depth: int) -> Shape:
    if kind == "object":
        return _group(schema, root, depth)
    if kind == "array":
        items = schema.get("items")
        held = shape_of(items, within=root, depth=depth + 1) if isinstance(items, dict) else JSON
        return JSON if "prefixItems" in schema else Shape("list", items=held)
    if kind == "string":
        return Shape({"date": "date", "date-time": "time"}.get(str(schema.get("format")), "text"))  # type: ignore[arg-type]  # the three kinds above
    plain: dict[JsonValue, Kind] = {"number": "number", "integer": "integer", "boolean": "boolean"}
    return Shape(plain.get(kind, "json")) if isinstance(kind, str) else JSON


def _group(schema: Schema, root: Schema, depth: int) -> Shape:
    members, required = schema.get("properties"), schema.get("required")
    if not isinstance(members, dict) or not members:
        return JSON
    shapes = {name: shape_of(one, within=root, depth=depth + 1) for name, one in members.items()}
    needed = frozenset(map(str, required)) if isinstance(required, list) else frozenset()
    return Shape("group", properties=shapes, required=needed & shapes.keys())


def _limits(schema: Schema) -> Limits:
    def number(name: str) -> float | None:
        found = schema.get(name)
        return found if isinstance(found, int | float) and not isinstance(found, bool) else None

    def count(name: str) -> int | None:
        found = number(name)
        return int(found) if found is not None else None

    pattern = schema.get("pattern")
    return Limits(
        minimum=number("minimum"),
        maximum=number("maximum"),
        above=number("exclusiveMinimum"),
        below=number("exclusiveMaximum"),
        multiple=number("multipleOf"),
        shortest=count("minLength"),
        longest=count("maxLength"),
        pattern=pattern if isinstance(pattern, str) else None,
        fewest=count("minItems"),
        most=count("maxItems"),
    )
