"""Settings that people write as text: lists of names and headers."""

import json
import re

RATE = re.compile(r"[1-9][0-9]* per (?:[1-9][0-9]* )?(?:second|minute|hour|day)s?")


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


def json_object(value: object) -> object:
    """Read a JSON object from text; anything else is left to the type to judge.

    Raises:
        ValueError: for broken JSON.
    """
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise ValueError('must be a JSON object like {"name": "value"}') from error


def rate(value: str) -> str:
    """Return a rate like "10 per 15 minutes"; empty: no limit.

    Raises:
        ValueError: it is something else.
    """
    if value and not RATE.fullmatch(value):
        raise ValueError('must be like "10 per 15 minutes", or empty for no limit')
    return value


LONGEST_ADDRESS = 254
ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")


def is_mail_address(text: str) -> bool:
    r"""Return whether a text is one plain mail address, and nothing that a header could be made of.

    >>> [is_mail_address(one) for one in ("ada@example.org", "ada", "a@b\nBcc: c@d", "Ada <a@b.c>", "a@b, c@d")]
    [True, False, False, False, False]
    """
    dotted = text.startswith(".") or ".." in text or ".@" in text
    return len(text) <= LONGEST_ADDRESS and not dotted and ADDRESS.fullmatch(text) is not None
