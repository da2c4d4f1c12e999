"""The fingerprint of a call's arguments: what an approval covers, type-sensitive and independent of key order.

SHA-256 over the argument text parsed with numbers kept as written, keys sorted and no spaces; over the raw text when
it is not JSON. An object that names a key twice counts as not JSON: readers disagree which value
holds, so a person must see both. Nesting too deep to be read is not JSON either.
"""

import json
from hashlib import sha256

from pydantic import JsonValue

from chat_app.services.rows import Fact

UNREADABLE = (ValueError, RecursionError)


class _AsWritten(str):
    """A JSON number, kept as the characters it was written with."""

    __slots__ = ()


def fingerprint(arguments: str) -> str:
    """Return the SHA-256 (64 hex digits) of the canonical form of `arguments`."""
    try:
        text = _canonical(_parse(arguments))
    except UNREADABLE:
        text = arguments
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def read(arguments: str) -> JsonValue:
    """Return the arguments as rules judge them; None when they are not JSON, or two readers would differ."""
    try:
        found: JsonValue = json.loads(arguments, object_pairs_hook=_object, parse_constant=_refuse)
    except UNREADABLE:
        return None
    return found


def facts(arguments: str) -> list[Fact]:
    """Return every value of the argument text, complete; one nameless fact when it is not a JSON object."""
    try:
        return _facts(_parse(arguments))
    except UNREADABLE:
        return [_fact("", arguments, raw=True)] if arguments else []


def proposal(arguments: str) -> JsonValue:
    """Return the argument text as the value it stands for; the text itself when it cannot be read."""
    try:
        _parse(arguments)
        read: JsonValue = json.loads(arguments)
    except UNREADABLE:
        return arguments
    return read


def _facts(parsed: object) -> list[Fact]:
    if not isinstance(parsed, dict):
        return [_fact("", _canonical(parsed), raw=True)]
    return [
        _fact(name, value if _is_text(value) else _canonical(value), raw=not _is_text(value))
        for name, value in parsed.items()
    ]


def _fact(name: str, value: str, *, raw: bool) -> Fact:
    """Return a fact that can be sent: half characters are shown as the escapes they were written with."""
    return Fact(_sendable(name), _sendable(value), raw=raw)


def _sendable(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, _AsWritten)


def _parse(text: str) -> object:
    loaded: object = json.loads(
        text,
        object_pairs_hook=_object,
        parse_int=_AsWritten,
        parse_float=_AsWritten,
        parse_constant=_refuse,
    )
    return loaded


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key is named twice")
    return found


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
