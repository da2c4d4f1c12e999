"""Settings that people write as text: lists of names and headers."""

import json


def listed_names(value: object) -> object:
    """Split "a, b" into ("a", "b"); anything but text is left to the type to judge."""
    if isinstance(value, str):
        return tuple(name.strip() for name in value.split(",") if name.strip())
    return value


def header_lines(value: object) -> object:
    """Read headers from a JSON object or from lines "Name: value".

    Raises:
        ValueError: for a line without a colon or broken JSON.
    """
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("{"):
        return json.loads(value)
    pairs = [line.partition(":") for line in value.splitlines() if line.strip()]
    if not all(colon and name.strip() for name, colon, _ in pairs):
        raise ValueError('must be lines "Name: value" or a JSON object')
    return {name.strip(): text.strip() for name, _, text in pairs}
