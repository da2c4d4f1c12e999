"""From the texts of the inputs to the fields that are drawn, the value they make, and what is wrong with them.

An input that nobody touched may have no text at all: then the default of the schema counts. An empty one is what it
was when it was empty before (`base`), else it is left out, and a fault where it is required.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from pydantic import JsonValue

from chat_app.services.forms.fields import ABSENT, Absent, Choice, Field, FieldKind, Trouble, Value
from chat_app.services.forms.leaves import dumped, text_of, value_of
from chat_app.services.forms.shapes import Kind, Shape

MOST_ITEMS: Final = 100
_LONG_TEXT: Final = 80
_DRAWN: Final[Mapping[Kind, FieldKind]] = {
    "text": "text",
    "time": "text",
    "number": "number",
    "integer": "number",
    "date": "date",
    "choice": "choice",
    "json": "json",
}


@dataclass(slots=True)
class Filled:
    """What reading the inputs gave."""

    fields: list[Field] = field(default_factory=list)
    value: Value = ABSENT

    @property
    def problems(self) -> int:
        """How many inputs have something wrong with them."""
        return sum(bool(one.code) for one in self.fields)


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a value stands in the form: its key, what it is called, and what it was (`base`)."""

    key: str = ""
    name: str = ""
    depth: int = 0
    required: bool = True
    item: bool = False
    base: Value = ABSENT


def member(key: str, name: str) -> str:
    """Return the key of a member of the group at `key`."""
    return f"{key}/{name.replace('~', '~0').replace('/', '~1').replace('|', '~2')}"


def inner(key: str, place: int) -> str:
    """Return the key of an item of the list at `key`."""
    return f"{key}/{place}"


def variant(key: str, place: int) -> str:
    """Return the key of one of the alternatives at `key`."""
    return f"{key}|{place}"


def read(shape: Shape, entries: Mapping[str, str], base: Value = ABSENT) -> Filled:
    """Return the fields of a form as filled in, and the value they make; whole only without problems."""
    filled = Filled()
    filled.value = _read(shape, _Spot(base=base), entries, filled.fields)
    return filled


def _read(shape: Shape, spot: _Spot, entries: Mapping[str, str], fields: list[Field]) -> Value:
    if shape.kind == "group":
        return _group(shape, spot, entries, fields)
    if shape.kind == "list":
        return _list(shape, spot, entries, fields)
    if shape.kind == "variants":
        return _variants(shape, spot, entries, fields)
    return _leaf(shape, spot, entries, fields)


def _leaf(shape: Shape, spot: _Spot, entries: Mapping[str, str], fields: list[Field]) -> Value:
    text = entries.get(spot.key, _untouched(shape, spot))
    value = value_of(shape, text) if text else _emptied(shape, spot)
    drawn = replace(_drawn(shape, spot, _kind(shape, spot)), text=text, choices=_choices(shape))
    fields.append(_marked(drawn, value))
    return ABSENT if isinstance(value, Trouble) else value


def _untouched(shape: Shape, spot: _Spot) -> str:
    if shape.has_default:
        return text_of(shape, shape.default)
    only = shape.choices if spot.required and len(shape.choices) == 1 else ()
    return dumped(only[0]) if only else ""


def _emptied(shape: Shape, spot: _Spot) -> Value | Trouble:
    if spot.base is None and shape.nullable:
        return None
    if shape.kind == "text" and (spot.required or spot.base == "") and not shape.nullable:
        return value_of(shape, "")
    if spot.required:
        return None if shape.nullable else Trouble("required")
    return ABSENT


def _group(shape: Shape, spot: _Spot, entries: Mapping[str, str], fields: list[Field]) -> Value:
    nested = bool(spot.key)
    there = not nested or entries.get(spot.key, "1" if spot.required else "") == "1"
    if nested:
        fields.append(replace(_drawn(shape, spot, "group"), text="1" if there else ""))
    if not there:
        return _left_out(shape, spot, fields)
    before = spot.base if isinstance(spot.base, dict) else {}
    made: dict[str, JsonValue] = {}
    for name, each in shape.properties.items():
        at = _Spot(
            member(spot.key, name),
            name,
            spot.depth + nested,
            name in shape.required,
            base=before.get(name, ABSENT),
        )
        value = _read(each, at, entries, fields)
        if not isinstance(value, Absent):
            made[name] = value
    return made


def _left_out(shape: Shape, spot: _Spot, fields: list[Field]) -> Value:
    """Return what stands for a group, list or alternative that is not there; mark it where it must be."""
    if shape.nullable and (spot.required or spot.base is None):
        return None
    if spot.required:
        fields[-1] = replace(fields[-1], code="required")
    return ABSENT


def _list(shape: Shape, spot: _Spot, entries: Mapping[str, str], fields: list[Field]) -> Value:
    count = _counted(entries.get(spot.key, "0" if spot.required else ""))
    fields.append(replace(_drawn(shape, spot, "list"), text="" if count is None else str(count)))
    if count is None:
        return _left_out(shape, spot, fields)
    fields[-1] = _numbered(shape, fields[-1], count)
    return [value for value in _items(shape, spot, entries, fields, count) if not isinstance(value, Absent)]


def _items(
    shape: Shape, spot: _Spot, entries: Mapping[str, str], fields: list[Field], count: int
) -> Iterator[Value]:
    before = spot.base if isinstance(spot.base, list) else []
    for place in range(count):
        base = before[place] if place < len(before) else ABSENT
        at = _Spot(inner(spot.key, place), str(place + 1), spot.depth + 1, item=True, base=base)
        yield _read(shape.items or shape, at, entries, fields)


def _counted(text: str) -> int | None:
    return min(int(text), MOST_ITEMS) if text.isascii() and text.isdigit() else None


def _numbered(shape: Shape, drawn: Field, count: int) -> Field:
    fewest, most = shape.limits.fewest or 0, shape.limits.most
    if count < fewest:
        return replace(drawn, code="few", limit=str(fewest))
    return replace(drawn, code="many", limit=str(most)) if most is not None and count > most else drawn


def _variants(shape: Shape, spot: _Spot, entries: Mapping[str, str], fields: list[Field]) -> Value:
    text = entries.get(spot.key, "0" if spot.required and not shape.nullable else "")
    chosen = _counted(text)
    known = chosen is not None and chosen < len(shape.variants)
    drawn = replace(_drawn(shape, spot, "variants"), text=text if known else "", choices=_labels(shape))
    fields.append(drawn)
    if chosen is None or not known:
        return _left_out(shape, spot, fields)
    at = replace(spot, key=variant(spot.key, chosen), depth=spot.depth + 1, item=False, required=True)
    return _read(shape.variants[chosen], at, entries, fields)


def _labels(shape: Shape) -> list[Choice]:
    return [Choice(str(place), each.title or each.kind) for place, each in enumerate(shape.variants)]


def _drawn(shape: Shape, spot: _Spot, kind: FieldKind) -> Field:
    return Field(
        key=spot.key,
        kind=kind,
        name=spot.name,
        title=shape.title,
        hint=shape.hint,
        depth=spot.depth,
        required=spot.required and not spot.item,
        item=spot.item,
    )


def _kind(shape: Shape, spot: _Spot) -> FieldKind:
    if shape.kind == "boolean":
        sure = (shape.has_default or isinstance(spot.base, bool)) and not shape.nullable
        return "boolean" if sure else "maybe"
    return "long" if shape.kind == "text" and _is_long(shape, spot) else _DRAWN[shape.kind]


def _is_long(shape: Shape, spot: _Spot) -> bool:
    text = spot.base if isinstance(spot.base, str) else ""
    return "\n" in text or max(len(text), shape.limits.longest or 0) > _LONG_TEXT


def _choices(shape: Shape) -> list[Choice]:
    return [Choice(dumped(one), one if isinstance(one, str) else dumped(one)) for one in shape.choices]


def _marked(drawn: Field, value: Value | Trouble) -> Field:
    return replace(drawn, code=value.code, limit=value.limit) if isinstance(value, Trouble) else drawn
