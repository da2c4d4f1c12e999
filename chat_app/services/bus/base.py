"""What every bus does, and the one that has nobody to wake.

A wake says that something about a thread was committed. Who hears it reads SQL; a wake that is lost, late or doubled
does no harm beyond its delay. Joining the bus also answers whether anybody else was on it: a process that is alone may
close at once what an earlier one left open, one that is not waits for leases to end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Wake:
    """Something about `thread` was committed.

    `owner` is set when a use case changed it, so that lists and rows of every kind may differ; without one only the
    log of a live run has grown.
    """

    thread: str
    owner: str = ""


EVERYTHING = Wake("")
"""Anything may have changed: wakes may have been missed."""

Hear = Callable[[frozenset[Wake]], None]
"""Called on the event loop with what others woke us about; must not block."""


class Bus(Protocol):
    """Reaches the other processes on the database."""

    async def join(self, hear: Hear) -> bool:
        """Get on the bus and return whether nobody else was on it; nobody else gets on before `settle`."""

    async def settle(self) -> None:
        """Let others get on: what an earlier process left open is closed."""

    async def leave(self) -> None:
        """Get off."""

    def post(self, wakes: frozenset[Wake]) -> None:
        """Wake the others, soon; never waits and never fails."""


class LocalBus:
    """The bus of a process that is certain to be the only one."""

    async def join(self, hear: Hear) -> bool:
        """Be alone."""
        del hear
        return True

    async def settle(self) -> None:
        """Let nobody in; nobody comes."""

    async def leave(self) -> None:
        """Leave nobody."""

    def post(self, wakes: frozenset[Wake]) -> None:
        """Wake nobody."""
