"""What differs between two values, as lines a person reads: every leaf that changed, came or went. Pure."""

import json
from collections.abc import Mapping

from pydantic import JsonValue

from chat_app.services.rows import Change


def changes(before: JsonValue, after: JsonValue, *, path: str = "") -> list[Change]:
    """Return one line for each value that is not the same in both, in the order of `before`, new ones last."""
    old, new = _members(before), _members(after)
    if old is None or new is None or isinstance(before, dict) != isinstance(after, dict):
        return [] if written(before) == written(after) else [_line(path, before, after)]
    return [
        line
        for name in {**old, **new}
        for line in _member(old, new, name, f"{path}/{name}" if path else name)
    ]


def written(value: JsonValue) -> str:
    """Return a value as JSON in which its type can be seen, whatever the order of its members."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def sendable(text: str) -> str:
    """Return a text that can be sent: half characters are shown as the escapes they were written with."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _members(value: JsonValue) -> Mapping[str, JsonValue] | None:
    if isinstance(value, list):
        return {str(place): one for place, one in enumerate(value)}
    return value if isinstance(value, dict) else None


def _member(old: Mapping[str, JsonValue], new: Mapping[str, JsonValue], name: str, path: str) -> list[Change]:
    if name in old and name in new:
        return changes(old[name], new[name], path=path)
    if name in old:
        return [Change(sendable(path), before=_text(old[name]), was=True)]
    return [Change(sendable(path), after=_text(new[name]), now=True)]


def _line(path: str, before: JsonValue, after: JsonValue) -> Change:
    old, new = _text(before), _text(after)
    if old == new:  # "5" and 5 read alike
        old, new = sendable(written(before)), sendable(written(after))
    return Change(sendable(path), before=old, after=new, was=True, now=True)


def _text(value: JsonValue) -> str:
    return sendable(value if isinstance(value, str) else written(value))
