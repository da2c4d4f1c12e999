"""What a table of words holds: a text, or the forms a text takes with a count."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plural:
    """A text that depends on the value of its gap `{count}`: `one` for exactly one, `other` for the rest.

    English needs these two forms; a translation has as many as its language.
    """

    one: str
    other: str


Words = Mapping[str, str | Plural]
