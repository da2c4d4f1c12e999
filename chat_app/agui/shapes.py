"""What the protocol describes, read off the ``ag_ui.core`` models: names, unions, what may be null.

The models keep unknown fields, take a field's Python name for its wire name, let null stand for
absent and fill in fixed values. A ``Shape`` knows better and says so before pydantic judges types:

- `Closed`: an object whose undescribed members are removed
- `Items`: a list; elements that nobody knows are removed
- `Tagged`: a union told apart by one member; an unknown tag removes the value
- `Choice`: a closed set of words; an unknown word removes the value
- `Whole`: an integer; ``5.0`` is one in JSON

A value that is removed takes its container along when the container needs it.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, Literal, Protocol, TypeAlias, Union, get_args, get_origin

from ag_ui._generated import models
from pydantic import BaseModel, JsonValue
from pydantic.fields import FieldInfo

from chat_app.agui.errors import BadEvent

Path: TypeAlias = tuple[str | int, ...]


class Dropped(Enum):
    """Stands for a value that was removed."""

    DROPPED = "dropped"


DROPPED: Final = Dropped.DROPPED


@dataclass(slots=True)
class Walk:
    """One pass over one document: what to do with nulls, and whom to tell of what was removed."""

    name: str
    report: Callable[[str, Path], None]
    drop_nulls: bool = False

    def malformed(self, path: Path, reason: str) -> BadEvent:
        """Return the error that names the place."""
        return BadEvent(self.name, _pointer(path), reason)


class Shape(Protocol):
    """Cleans a value of this shape; what is of another shape is left for the type check to refuse."""

    def clean(self, value: JsonValue, path: Path, walk: Walk) -> JsonValue | Dropped:
        """Return the value without what nobody described, or ``DROPPED``.

        Raises:
            BadEvent: a needed member is missing, or null stands where it may not.
        """
        ...


@dataclass(frozen=True, slots=True)
class Items:
    """A list of values of one shape."""

    shape: Shape

    def clean(self, value: JsonValue, path: Path, walk: Walk) -> JsonValue | Dropped:
        """Return the list without the elements that nobody knows."""
        if not isinstance(value, list):
            return value
        cleaned = (self.shape.clean(item, (*path, index), walk) for index, item in enumerate(value))
        return [item for item in cleaned if not isinstance(item, Dropped)]


@dataclass(frozen=True, slots=True)
class Choice:
    """One word of a closed set."""

    words: frozenset[str]

    def clean(self, value: JsonValue, path: Path, walk: Walk) -> JsonValue | Dropped:
        """Return the word, or ``DROPPED`` when it is of a later protocol."""
        if not isinstance(value, str) or value in self.words:
            return value
        walk.report(f"nobody here knows {value!r}", path)
        return DROPPED


@dataclass(frozen=True, slots=True)
class Whole:
    """An integer, however it is spelt."""

    def clean(self, value: JsonValue, path: Path, walk: Walk) -> JsonValue | Dropped:  # noqa: ARG002 - a Shape
        """Return ``5`` for ``5.0``; everything else as it is."""
        return int(value) if isinstance(value, float) and value.is_integer() else value


@dataclass(frozen=True, slots=True)
class Tagged:
    """A union of objects told apart by the member ``tag``."""

    tag: str
    members: Mapping[str, Shape]

    def clean(self, value: JsonValue, path: Path, walk: Walk) -> JsonValue | Dropped:
        """Return the object cleaned as the member its tag names, or ``DROPPED`` when none does."""
        name = value.get(self.tag) if isinstance(value, dict) else None
        if not isinstance(name, str):
            return value
        if shape := self.members.get(name):
            return shape.clean(value, path, walk)
        walk.report(f"nobody here knows {self.tag} {name!r}", path)
        return DROPPED


@dataclass(frozen=True, slots=True)
class Field:
    """One member of an object. ``shape`` is None when the type check says all there is to say."""

    shape: Shape | None
    required: bool
    nullable: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """An object. ``open`` ones keep what is not described."""

    fields: Mapping[str, Field]
    required: frozenset[str]
    open: bool = False

    def clean(self, value: JsonValue, path: Path, walk: Walk) -> JsonValue | Dropped:
        """Return the object with its own members only, each cleaned."""
        if not isinstance(value, dict):
            return value
        cleaned = self._members(value, path, walk)
        if cleaned is None:
            return DROPPED
        for name in self.required - cleaned.keys():
            raise walk.malformed((*path, name), "it is required")
        return cleaned

    def _members(self, value: dict[str, JsonValue], path: Path, walk: Walk) -> dict[str, JsonValue] | None:
        cleaned: dict[str, JsonValue] = {}
        for name, member in value.items():
            field = self.fields.get(name)
            if field is None:
                self._unknown(name, member, cleaned, path, walk)
                continue
            kept: JsonValue | Dropped = member
            if member is None and not field.nullable:
                kept = _null(field, (*path, name), walk)
            elif field.shape is not None:
                kept = field.shape.clean(member, (*path, name), walk)
            if not isinstance(kept, Dropped):
                cleaned[name] = kept
            elif field.required:
                return None
        return cleaned

    def _unknown(
        self, name: str, member: JsonValue, cleaned: dict[str, JsonValue], path: Path, walk: Walk
    ) -> None:
        if self.open:
            cleaned[name] = member
        else:
            walk.report("nobody here knows this member", (*path, name))


def _null(field: Field, path: Path, walk: Walk) -> Dropped:
    """Refuse the null, or read it as absent where this pass is lenient and the field may be absent."""
    if field.required or not walk.drop_nulls:
        raise walk.malformed(path, "it must not be null")
    walk.report("null was read as absent", path)
    return DROPPED


# ------------------------------------------------------------------ reading the models

_OPEN = frozenset(
    {
        models.AddOperation,
        models.RemoveOperation,
        models.ReplaceOperation,
        models.MoveOperation,
        models.CopyOperation,
        models.TestOperation,
    }
)
"""RFC 6902 §4: members an operation does not define are ignored, so they are kept and pass in silence."""

_ANY_JSON = frozenset({(models.RunAgentInput, "state")})
"""Optional members whose null is a value (run-input: a null state reads as absent)."""

_WORDS = (models.TextMessageRole, models.ReasoningEncryptedValueEvent.model_fields["subtype"].annotation)
"""The closed sets a later protocol may extend; the words of our own answers are not among them."""


@cache
def shape_of(model: type[BaseModel]) -> Closed:
    """Return what the protocol says of objects of ``model``."""
    fields = {str(info.alias or name): _field(model, name, info) for name, info in model.model_fields.items()}
    required = frozenset(name for name, field in fields.items() if field.required)
    return Closed(fields, required, open=model in _OPEN)


def _field(model: type[BaseModel], name: str, info: FieldInfo) -> Field:
    # A fixed value ("reasoning", "function") has a default in the models and none in the protocol.
    required = info.is_required() or info.default is not None
    nullable = (info.is_required() and info.annotation is Any) or (model, name) in _ANY_JSON
    return Field(_shape(info.annotation, info.discriminator), required, nullable)


def _shape(annotation: Any, discriminator: object = None) -> Shape | None:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _shape(arguments[0], _tag_in(arguments[1:]) or discriminator)
    if origin in {Union, types.UnionType}:
        return _union([item for item in arguments if item is not types.NoneType], discriminator)
    if origin is list:
        inner = _shape(arguments[0])
        return Items(inner) if inner else None
    return _leaf(annotation)


def _leaf(annotation: Any) -> Shape | None:
    if annotation in _WORDS:
        return Choice(frozenset(get_args(annotation)))
    if annotation is int:
        return Whole()
    is_model = isinstance(annotation, type) and issubclass(annotation, BaseModel)
    return shape_of(annotation) if is_model else None


def _union(members: list[Any], discriminator: object) -> Shape | None:
    """Return the shape of a union: told apart by tag, or the one member that has anything to clean."""
    if isinstance(discriminator, str):
        return Tagged(discriminator, {_word(member, discriminator): shape_of(member) for member in members})
    shapes = [shape for member in members if (shape := _shape(member)) is not None]
    return shapes[0] if shapes else None


def _tag_in(metadata: tuple[Any, ...]) -> object:
    return next((item.discriminator for item in metadata if isinstance(item, FieldInfo)), None)


def _word(member: type[BaseModel], tag: str) -> str:
    annotation = member.model_fields[tag].annotation
    assert get_origin(annotation) is Literal
    return str(get_args(annotation)[0])


def _pointer(path: Path) -> str:
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in path)
