"""Values that open a door, taken out of what an agent sent before somebody else looks at it. Pure.

An agent's events are its own words: nobody can promise that no key is among them. What stands under a name that means a
secret is not shown; neither is what an agent encrypted for itself.
"""

import re
from typing import Final

from pydantic import JsonValue

MASK: Final = "•••"
_SECRET: Final = re.compile(
    r"(?i)authori[sz]ation|cookie|passw(or)?d|passphrase|secret|credential|api_?-?key|private_?-?key|encrypted_?value"
    r"|(?<![a-z])token$|(access|refresh|bearer|auth|id|session)_?-?token"
)


def masked(value: JsonValue) -> JsonValue:
    """Return a value with `MASK` in place of each that stands under the name of a secret, however deep."""
    if isinstance(value, dict):
        return {name: _shown(name, inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [masked(inner) for inner in value]
    return value


def _shown(name: str, value: JsonValue) -> JsonValue:
    secret = value not in (None, "") and _SECRET.search(name) is not None
    return MASK if secret else masked(value)
