"""The fingerprint of a call's arguments: what an approval covers, type-sensitive and independent of key order.

SHA-256 over the argument text parsed with numbers kept as written, keys sorted and no spaces; over the raw text when
it is not JSON (decisions, *digest*).
"""

import json
from hashlib import sha256
from typing import cast

from chat_app.services.rows import Fact


class _AsWritten(str):
    """A JSON number, kept as the characters it was written with."""

    __slots__ = ()


def fingerprint(arguments: str) -> str:
    """Return the SHA-256 (64 hex digits) of the canonical form of `arguments`."""
    try:
        text = _canonical(_parse(arguments))
    except ValueError:
        text = arguments
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def facts(arguments: str) -> list[Fact]:
    """Return every value of the argument text, complete; one nameless fact when it is not a JSON object."""
    try:
        parsed = _parse(arguments)
    except ValueError:
        return [Fact("", arguments, raw=True)] if arguments else []
    if not isinstance(parsed, dict):
        return [Fact("", _canonical(parsed), raw=True)]
    return [_fact(name, value) for name, value in parsed.items()]


def _fact(name: str, value: object) -> Fact:
    if isinstance(value, str) and not isinstance(value, _AsWritten):
        return Fact(name, value)
    return Fact(name, _canonical(value), raw=True)


def _parse(text: str) -> object:
    return cast(
        "object", json.loads(text, parse_int=_AsWritten, parse_float=_AsWritten, parse_constant=_refuse)
    )


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _canonical(value: object) -> str:
    if isinstance(value, _AsWritten):
        return str(value)
    if isinstance(value, dict):
        inner = ",".join(
            f"{json.dumps(key, ensure_ascii=False)}:{_canonical(value[key])}" for key in sorted(value)
        )
        return f"{{{inner}}}"
    if isinstance(value, list):
        return f"[{','.join(map(_canonical, value))}]"
    return json.dumps(value, ensure_ascii=False)
