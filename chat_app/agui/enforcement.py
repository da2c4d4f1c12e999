"""Enforcement: what the protocol does not describe is removed, what it describes wrongly is fatal.

Nothing is coerced, defaulted or repaired. A removed part leaves a diagnostic that names its path; an
event of an unknown type is dropped whole. See the protocol's page on processing.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from types import NoneType
from typing import TypeAlias, TypeVar, cast

from ag_ui.core import RunAgentInput
from pydantic import BaseModel, JsonValue, ValidationError

from chat_app.agui.errors import BadEvent
from chat_app.agui.events import WIRE_MODELS, WireEvent, pointer
from chat_app.agui.shapes import DROPPED, Closed, Dropped, Path, Walk, Whole, shape_of
from chat_app.agui.updates import Diagnostic

Report: TypeAlias = Callable[[Diagnostic], None]
ModelT = TypeVar("ModelT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class _Described:
    """An event type: its model, its shape, and the members that need no look inside."""

    model: type[WireEvent]
    shape: Closed
    plain: frozenset[str]

    def is_clean(self, raw: dict[str, JsonValue]) -> bool:
        """Say at a glance whether there is nothing to remove: true of nearly every fragment of text."""
        return (
            raw.keys() <= self.plain
            and self.shape.required <= raw.keys()
            and None not in raw.values()
            and not isinstance(raw.get("timestamp"), float)
        )


def _described(model: type[WireEvent]) -> _Described:
    shape = shape_of(model)
    looked_into = {
        name for name, field in shape.fields.items() if not isinstance(field.shape, Whole | NoneType)
    }
    nullable = {name for name, field in shape.fields.items() if field.nullable}
    return _Described(model, shape, frozenset(shape.fields) - looked_into - nullable)


_EVENTS = {name: _described(model) for name, model in WIRE_MODELS.items()}


class Enforcer:
    """Turns raw frames into events.

    ``drop_nulls`` reads null in an optional field as absent; the pipeline switches it off when the
    peer declares a protocol version, because such a peer knows better.
    """

    def __init__(self, report: Report, *, drop_nulls: bool = False) -> None:
        self.drop_nulls = drop_nulls
        self._report = report

    def enforce(self, raw: dict[str, JsonValue]) -> WireEvent | None:
        """Return the event in a frame; None when nobody here knows what it is.

        Raises:
            BadEvent: a described field is malformed.
        """
        name = str(raw["type"])
        known = _EVENTS.get(name)
        if known is None:
            self._report(Diagnostic("unknown-event", f"No event is called {name!r}; it was dropped", name))
            return None
        if known.is_clean(raw):
            return validated(known.model, raw, name)
        cleaned = known.shape.clean(raw, (), Walk(name, self._removed(name), self.drop_nulls))
        return None if cleaned is DROPPED else validated(known.model, cleaned, name)

    def _removed(self, name: str) -> Callable[[str, Path], None]:
        def report(reason: str, path: Path) -> None:
            place = pointer(path)
            self._report(Diagnostic("removed", f"{name}{place}: {reason}; it was removed", name, place))

        return report


def enforce_model(model: type[ModelT], value: JsonValue, *, name: str, report: Report) -> ModelT | None:
    """Return ``value`` as the protocol object ``model``, cleaned and checked like an event.

    None when the whole value is of a kind nobody here knows.

    Raises:
        BadEvent: a described field is malformed; ``name`` stands for the event's type in it.
    """

    def removed(reason: str, path: Path) -> None:
        report(Diagnostic("removed", f"{name}{pointer(path)}: {reason}; it was removed", name, pointer(path)))

    cleaned = shape_of(model).clean(value, (), Walk(name, removed))
    return None if cleaned is DROPPED else validated(model, cleaned, name)


def enforce_input(run_input: RunAgentInput, report: Report) -> RunAgentInput:
    """Return the request as it may be sent: what the protocol does not describe is removed.

    Raises:
        BadEvent: a field is malformed, so that nothing may be sent.
    """
    value = cast("JsonValue", run_input.model_dump(mode="json", by_alias=True))
    checked = enforce_model(RunAgentInput, value, name="RunAgentInput", report=report)
    assert checked is not None  # a request holds no member whose loss would take it along
    return checked


def validated(model: type[ModelT], value: JsonValue | Dropped, name: str) -> ModelT:
    """Return ``value`` as ``model``, in pydantic's strict mode.

    Raises:
        BadEvent: a field has the wrong type or range.
    """
    try:
        # The validator itself: model_validate costs a third more, and this is the hot path.
        return cast("ModelT", model.__pydantic_validator__.validate_python(value, strict=True))
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        # Of a union every member complains; the one that came furthest is the one that was meant.
        path, reason = max(((_path_in(value, item["loc"]), item["msg"]) for item in found), key=_depth)
        raise BadEvent(name, pointer(path), reason) from error


def _depth(complaint: tuple[Path, str]) -> int:
    return len(complaint[0])


def _path_in(value: object, location: tuple[int | str, ...]) -> Path:
    """Return the steps of a pydantic location that lead into ``value``, without the tags of unions."""
    path: list[str | int] = []
    for step in location:
        if step in _steps(value):
            value = cast("dict[int | str, object]", value)[step]
            path.append(step)
    return tuple(path)


def _steps(value: object) -> Collection[int | str]:
    """Return the keys or indexes that lead one step into ``value``."""
    if isinstance(value, dict):
        return value.keys()
    return range(len(value)) if isinstance(value, list) else ()
