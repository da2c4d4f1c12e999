"""From a value to the texts of the inputs that show it."""

from collections.abc import Iterator

from pydantic import JsonValue

from chat_app.services.changes import written
from chat_app.services.forms.fields import ABSENT, Absent, Value
from chat_app.services.forms.leaves import text_of
from chat_app.services.forms.reading import inner, member, read, variant
from chat_app.services.forms.shapes import Shape


def entries_of(shape: Shape, value: Value) -> dict[str, str]:
    """Return the text of every input of a form that shows `value`; where there is none, none."""
    return dict(_entries(shape, value, ""))


def gives_back(shape: Shape, value: JsonValue) -> bool:
    """Whether a form of this shape, left as it is, makes the very value it was made from."""
    filled = read(shape, entries_of(shape, value), value)
    if filled.problems or isinstance(filled.value, Absent):
        return False
    return written(filled.value) == written(value)


def _entries(shape: Shape, value: Value, key: str) -> Iterator[tuple[str, str]]:
    if shape.kind == "group":
        yield from _group(shape, value, key)
    elif shape.kind == "list":
        yield from _list(shape, value, key)
    elif shape.kind == "variants":
        yield from _variants(shape, value, key)
    else:
        yield key, text_of(shape, value)


def _group(shape: Shape, value: Value, key: str) -> Iterator[tuple[str, str]]:
    members = value if isinstance(value, dict) else None
    yield key, "" if members is None else "1"
    for name, each in shape.properties.items():
        if members is not None:
            yield from _entries(each, members.get(name, ABSENT), member(key, name))


def _list(shape: Shape, value: Value, key: str) -> Iterator[tuple[str, str]]:
    yield key, str(len(value)) if isinstance(value, list) else ""
    for place, one in enumerate(value if isinstance(value, list) else ()):
        yield from _entries(shape.items or shape, one, inner(key, place))


def _variants(shape: Shape, value: Value, key: str) -> Iterator[tuple[str, str]]:
    chosen = None if isinstance(value, Absent) else _fitting(shape, value)
    yield key, "" if chosen is None else str(chosen)
    if chosen is not None:
        yield from _entries(shape.variants[chosen], value, variant(key, chosen))


def _fitting(shape: Shape, value: JsonValue) -> int | None:
    return next((place for place, each in enumerate(shape.variants) if gives_back(each, value)), None)
