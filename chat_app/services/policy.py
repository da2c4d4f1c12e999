"""Who may do what: the one object that answers, asked by every use case, route and socket topic.

The rule is owner or nothing; auditors and admins may also read what is not theirs. A thing that is not there and a
thing of somebody else get the same answer, so ids from a browser reveal nothing.
"""

from dataclasses import dataclass
from enum import StrEnum


class Action(StrEnum):
    """What a person can ask for."""

    READ_THREAD = "read_thread"
    WRITE_THREAD = "write_thread"
    DECIDE = "decide"
    READ_ANY_THREAD = "read_any_thread"


@dataclass(frozen=True, slots=True)
class Person:
    """Who asks: the id from a verified session, and the roles it was given."""

    id: str
    name: str
    roles: tuple[str, ...] = ()


class Refused(Exception):  # noqa: N818 - it reads as what happened
    """There is no such thing for this person."""


LONGEST_ID = 64
"""Characters of the longest id that anything here has."""


def claimed(key: str) -> str:
    """Return an id that a browser named, as one that a database can be asked about.

    Raises:
        Refused: nothing can have this id.
    """
    if not key or len(key) > LONGEST_ID or not key.isascii() or not key.isprintable():
        raise Refused
    return key


READERS = frozenset({"auditor", "admin"})


class Policy:
    """Decide by role, action and owner."""

    def may(self, person: Person, action: Action, *, owner: str | None) -> bool:
        """Return whether `person` may do `action` to a thing of `owner` (None: there is no such thing)."""
        if owner is None:
            return False
        if action is Action.READ_ANY_THREAD:
            return not READERS.isdisjoint(person.roles)
        return owner == person.id

    def require(self, person: Person, action: Action, *, owner: str | None) -> None:
        """Return when allowed.

        Raises:
            Refused: not allowed, or there is no such thing; the two look the same.
        """
        if not self.may(person, action, owner=owner):
            raise Refused
