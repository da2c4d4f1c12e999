"""One input and the value it stands for: the text as typed ⇄ the JSON value, or what is wrong with the text."""

import json
import math
import re
from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from pydantic import JsonValue

from chat_app.services.forms.fields import Absent, Trouble, Value
from chat_app.services.forms.shapes import Kind, Limits, Shape

Read = JsonValue | Trouble

_NUMBER: Final = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?", re.ASCII)
_MOST_DIGITS: Final = 4_000  # Python reads no longer whole numbers
_LONGEST_PATTERN: Final = 200
_PATTERN_TEXT: Final = 2_000  # a longer text is judged by the schema alone


def text_of(shape: Shape, value: Value) -> str:
    """Return what the input of a leaf holds for a value; empty when there is none."""
    if isinstance(value, Absent):
        return ""
    if shape.kind in ("choice", "json"):
        return dumped(value)
    if value is None:
        return ""
    return value if isinstance(value, str) else dumped(value)


def dumped(value: JsonValue, *, indent: int | None = None) -> str:
    """Return a value as JSON that a person reads."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def parsed(text: str) -> Read:
    """Return the JSON value of a text; a number must keep what it says, and NaN is none."""
    try:
        return _loaded(text)
    except json.JSONDecodeError as error:
        return Trouble("json_at", str(error.lineno))
    except OverflowError:
        return Trouble("exact")
    except (ValueError, RecursionError):
        return Trouble("json")


def value_of(shape: Shape, text: str) -> Read:
    """Return the value a filled-in input stands for, or what is wrong with it."""
    read = _READERS[shape.kind](shape, text)
    return read if isinstance(read, Trouble) else _within(shape.limits, read) or read


def _loaded(text: str) -> JsonValue:
    value: JsonValue = json.loads(text, parse_float=_float, parse_constant=_refuse)
    return value


def _float(text: str) -> float:
    """Return the number; refuse one that a float would change."""
    number = float(text)
    if math.isinf(number) or Decimal(repr(number)) != Decimal(text):
        raise OverflowError(text)
    return number


def _refuse(name: str) -> JsonValue:
    raise ValueError(f"{name} is not JSON")


def _number(_shape: Shape, text: str) -> Read:
    text = text.strip()
    if not _NUMBER.fullmatch(text) or len(text) > _MOST_DIGITS:
        return Trouble("number")
    return parsed(text)


def _integer(shape: Shape, text: str) -> Read:
    read = _number(shape, text)
    if isinstance(read, Trouble):
        return Trouble("integer") if read.code == "number" else read
    return Trouble("integer") if isinstance(read, float) and not read.is_integer() else read


def _boolean(_shape: Shape, text: str) -> Read:
    return {"true": True, "false": False}.get(text, Trouble("choice"))


def _choice(shape: Shape, text: str) -> Read:
    """Take a value only as the type it was offered with: 1 is not true, and neither is "1"."""
    return next((value for value in shape.choices if dumped(value) == text), Trouble("choice"))


def _date(_shape: Shape, text: str) -> Read:
    try:
        date.fromisoformat(text)
    except ValueError:
        return Trouble("date")
    return text if len(text) == len("2026-12-01") else Trouble("date")


def _time(_shape: Shape, text: str) -> Read:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return Trouble("time")
    return text if moment.tzinfo is not None else Trouble("time")


def _text(_shape: Shape, text: str) -> Read:
    return text


def _json(_shape: Shape, text: str) -> Read:
    return parsed(text)


_READERS: Final[Mapping[Kind, Callable[[Shape, str], Read]]] = {
    "text": _text,
    "number": _number,
    "integer": _integer,
    "boolean": _boolean,
    "choice": _choice,
    "date": _date,
    "time": _time,
    "json": _json,
}


def _within(limits: Limits, value: JsonValue) -> Trouble | None:
    if isinstance(value, str):
        return _text_within(limits, value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _number_within(limits, value)
    return None


def _text_within(limits: Limits, value: str) -> Trouble | None:
    if limits.shortest is not None and len(value) < limits.shortest:
        return Trouble("short", str(limits.shortest)) if limits.shortest > 1 or value else Trouble("required")
    if limits.longest is not None and len(value) > limits.longest:
        return Trouble("long", str(limits.longest))
    return Trouble("pattern", limits.pattern or "") if _misses(limits.pattern, value) else None


def _misses(pattern: str | None, value: str) -> bool:
    """Whether a text is not of a pattern; one that is broken, or could take for ever, judges nothing here."""
    if pattern is None or len(pattern) > _LONGEST_PATTERN or len(value) > _PATTERN_TEXT:
        return False
    if re.search(r"[*+}]\)?[*+{]|\([^)]*[*+][^)]*\)[*+{]", pattern):
        return False
    try:
        return re.search(pattern, value) is None
    except re.error:
        return False


def _number_within(limits: Limits, value: float) -> Trouble | None:
    checks = (
        ("min", limits.minimum, lambda bound: value >= bound),
        ("max", limits.maximum, lambda bound: value <= bound),
        ("above", limits.above, lambda bound: value > bound),
        ("below", limits.below, lambda bound: value < bound),
        ("multiple", limits.multiple, lambda step: _is_multiple(value, step)),
    )
    failed = ((code, bound) for code, bound, holds in checks if bound is not None and not holds(bound))
    return next((Trouble(code, dumped(bound)) for code, bound in failed), None)


def _is_multiple(value: float, step: float) -> bool:
    return step <= 0 or Decimal(str(value)) % Decimal(str(step)) == 0
