"""Their use is tested with the bus that stands on them: `services/bus/test_postgres.py`."""

import asyncio

import pytest
from sqlalchemy import text

from chat_app.data import notices
from chat_app.data.db import Database
from tests.fakes import until

pytest_plugins = ("tests.support.databases",)


def test_the_channel_can_be_named_in_sql():
    assert notices.CHANNEL.isidentifier()


async def test_who_stops_waiting_for_presence_leaves_no_connection_behind(fresh_url):
    database = Database(fresh_url("postgresql"))
    alone = await notices.listening(database)
    assert await notices.is_first(alone)
    back = asyncio.ensure_future(notices.returned(database))
    await until(lambda: waiting(database))
    back.cancel()
    with pytest.raises(asyncio.CancelledError):
        await back
    await until(lambda: not waiting(database))
    await alone.close()
    database.dispose()


def waiting(database: Database) -> int:
    """Return how many connections wait for an advisory lock."""
    with database.reading() as session:
        return session.scalar(
            text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
        )
