"""How deep a JSON value nests, and how deep it may: what every later stage and reader can follow."""

import json
from collections.abc import Callable, Iterable
from typing import Final

from pydantic import JsonValue

DEPTH_CAP: Final = 200
"""Levels of arrays and objects a value may have, counted from the document's root."""

to_text: Callable[[object], str] = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
"""Write a value as JSON text, at the speed of C."""


def too_deep(value: JsonValue, text: str, above: int = 0) -> bool:
    """Say whether ``value``, written as ``text`` and standing ``above`` levels down, nests too deep.

    Counting brackets is cheap and clears almost every value; only the rest are walked.
    """
    return text.count("[") + text.count("{") + above > DEPTH_CAP and depth_of(value) + above > DEPTH_CAP


def depth_of(value: JsonValue) -> int:
    """Return how many arrays and objects stand inside each other at most.

    >>> depth_of(1), depth_of([]), depth_of({"a": [{}]})
    (0, 1, 3)
    """
    depth, level = 0, [value]
    while containers := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        level = [child for item in containers for child in _children(item)]
    return depth


def _children(container: dict[str, JsonValue] | list[JsonValue]) -> Iterable[JsonValue]:
    return container.values() if isinstance(container, dict) else container
