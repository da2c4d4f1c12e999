"""Whether this process can do its work."""

import asyncio

from chat_app.data.db import Database
from chat_app.data.errors import DataError
from chat_app.data.migrate import heads_match


class Health:
    """Asks the database."""

    def __init__(self, database: Database) -> None:
        """Ask `database`."""
        self._database = database

    async def trouble(self) -> str:
        """Return what is wrong, as a sentence; empty when nothing is."""
        try:
            ready = await asyncio.to_thread(heads_match, self._database)
        except DataError as error:
            return str(error)
        return "" if ready else "The database waits for a migration: run `parley db upgrade`."
