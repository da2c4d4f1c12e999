"""Reading values that a framework may have sent as an object, as JSON text, or not at all."""

import json
from contextlib import suppress

from pydantic import JsonValue


def decoded(value: JsonValue) -> JsonValue:
    """Return what a string holds as JSON, or the value as it is."""
    if isinstance(value, str):
        with suppress(ValueError, RecursionError):
            parsed: JsonValue = json.loads(value)
            return parsed
    return value


def json_object(text: str) -> dict[str, JsonValue]:
    """Return the JSON object in ``text``, an empty one when it holds none."""
    value = decoded(text)
    return value if isinstance(value, dict) else {}


def object_at(value: JsonValue, key: str) -> dict[str, JsonValue]:
    """Return the object at ``key``, an empty one when there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def text_at(value: JsonValue, key: str) -> str:
    """Return the text at ``key``, ``""`` when there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, str) else ""
