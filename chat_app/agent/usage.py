"""Who spent how many tokens: deltas of turns, summed upward over nested loops (A41)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from chat_app.agent.turn_events import Usage


@dataclass(frozen=True, slots=True)
class Spent:
    """What one turn of one loop spent.

    Attributes:
        path: The loop, from the outermost inwards.
        discarded: True when the turn's text was thrown away; its tokens were spent all the same (C16).
    """

    path: tuple[str, ...]
    usage: Usage
    discarded: bool = False


class UsageLedger:
    """Every delta ever added. A loop's total holds those of the loops inside it."""

    def __init__(self) -> None:
        self._entries: list[Spent] = []

    @property
    def entries(self) -> Sequence[Spent]:
        """Everything added, in order."""
        return tuple(self._entries)

    def add(self, path: Sequence[str], usage: Usage, *, discarded: bool = False) -> None:
        """Add what a turn of the loop at this path spent."""
        self._entries.append(Spent(tuple(path), usage, discarded))

    def total(self, path: Sequence[str] = ()) -> tuple[Usage, ...]:
        """Give the sums of a loop and all loops inside it, one a model, discarded turns included."""
        return combined(spent.usage for spent in self._below(path))

    def discarded(self, path: Sequence[str] = ()) -> tuple[Usage, ...]:
        """Give the part of the total that bought nothing."""
        return combined(spent.usage for spent in self._below(path) if spent.discarded)

    def tokens(self, path: Sequence[str] = ()) -> int:
        """Give the total as one number, whatever the models."""
        return sum(usage.tokens for usage in self.total(path))

    def _below(self, path: Sequence[str]) -> Iterable[Spent]:
        head = tuple(path)
        return (spent for spent in self._entries if spent.path[: len(head)] == head)


@dataclass(frozen=True, slots=True)
class Account:
    """The place of one loop in a ledger: its way in, and that of the loops inside it."""

    ledger: UsageLedger
    path: tuple[str, ...] = ()

    def add(self, usage: Usage, *, discarded: bool = False) -> None:
        """Add what a turn of this loop spent."""
        self.ledger.add(self.path, usage, discarded=discarded)

    def inner(self, key: str) -> "Account":
        """Give the place of a loop inside this one."""
        return Account(self.ledger, (*self.path, key))

    def total(self) -> tuple[Usage, ...]:
        """Give what this loop and those inside it spent, one sum a model."""
        return self.ledger.total(self.path)


def combined(usages: Iterable[Usage]) -> tuple[Usage, ...]:
    """Add up usages of the same model, in the order the models first appear."""
    sums: dict[tuple[str, str], Usage] = {}
    for usage in usages:
        key = (usage.provider, usage.model)
        sums[key] = sums[key] + usage if key in sums else usage
    return tuple(sums.values())
