"""Protocol versions: which one this client speaks, and what to say about another's.

A version is two numbers, compared one by one: 1.10 is newer than 1.9. No version ever fails a run.
"""

import re
from typing import Final

PROTOCOL_VERSION: Final = "1.0"
"""The version this client declares."""

_GRAMMAR = re.compile(r"(\d+)\.(\d+)", re.ASCII)


def parse_version(text: str) -> tuple[int, int] | None:
    """Return the two numbers of a version, or None when ``text`` is none."""
    match = _GRAMMAR.fullmatch(text)
    return (int(match[1]), int(match[2])) if match else None


def version_concern(declared: str) -> str | None:
    """Return what to warn of when a peer declares this version, or None when all is well."""
    theirs, ours = parse_version(declared), parse_version(PROTOCOL_VERSION)
    if theirs is None:
        return f"The agent declares a protocol version this client cannot interpret: {declared!r}"
    if ours is not None and theirs > ours:
        return f"The agent speaks protocol {declared}; this client speaks {PROTOCOL_VERSION}"
    return None
