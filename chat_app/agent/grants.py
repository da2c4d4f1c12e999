"""What a loop may call: patterns that only ever narrow (A20).

A grant is a list of patterns: ``*`` admits every name, ``prefix*`` those that begin so, anything else exactly
itself. A call needs every grant; where there is none, everything may be called. A grant that is empty or
cannot be read admits nothing, so a broken one never opens a door.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import JsonValue


@dataclass(frozen=True, slots=True)
class Grant:
    """One list of patterns."""

    patterns: tuple[str, ...]

    @classmethod
    def read(cls, value: JsonValue) -> "Grant":
        """Read a grant that came as JSON; what is no list of texts admits nothing."""
        if isinstance(value, list) and all(isinstance(pattern, str) for pattern in value):
            return cls(tuple(str(pattern) for pattern in value))
        return cls(())

    def admits(self, name: str) -> bool:
        """Say whether a pattern fits the name."""
        return any(_fits(pattern, name) for pattern in self.patterns)


def permitted(grants: Iterable[Grant], name: str) -> bool:
    """Say whether every grant admits the name."""
    return all(grant.admits(name) for grant in grants)


def _fits(pattern: str, name: str) -> bool:
    if pattern.endswith("*"):
        return name.startswith(pattern[:-1])
    return pattern == name
