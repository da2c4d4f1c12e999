"""Whether this process can do its work, and what it depends on."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.data.migrate import current, revisions

Reached = Callable[[], Awaitable[Mapping[str, bool]]]
"""Tells of each agent, by name, whether something listens where it should be."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether requests may come, what is wrong if not, and details for whoever looks after it.

    An agent that is away is a detail: people can read, and are told in words when they write.
    """

    trouble: str
    revision: str = ""
    agents: Mapping[str, bool] = field(default_factory=dict)


class Health:
    """Asks the database and the agents."""

    def __init__(self, database: Database, reached: Reached) -> None:
        """Ask `database`, and by `reached` the agents."""
        self._database = database
        self._reached = reached

    async def trouble(self) -> str:
        """Return what is wrong, as a sentence; empty when nothing is."""
        return (await self._look())[0]

    async def readiness(self) -> Readiness:
        """Return whether this process can take requests, with details."""
        (trouble, revision), agents = await asyncio.gather(self._look(), self._reached())
        return Readiness(trouble, revision, agents)

    async def _look(self) -> tuple[str, str]:
        """Return what is wrong with the database, and the revision of its tables."""
        try:
            found = await asyncio.to_thread(current, self._database)
        except DataError as error:
            return str(error), ""
        known = revisions()
        if found == known[-1]:
            return "", known[-1]
        if found is None or found in known:
            return "The database waits for a migration: run `parley db upgrade`.", found or ""
        return f"The tables are of version {found}, newer than this Parley ({known[-1]}).", found
