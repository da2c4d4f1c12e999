"""Databases on a bad day: away for a while, held by somebody, full."""

import asyncio
import sqlite3
from contextlib import asynccontextmanager

import pytest

from chat_app.data.db import Database
from tests.fakes import until
from tests.support.fault_agent import FaultAgent
from tests.support.sql_looks import ends, rows, settled, texts

AWAY_S = 20.0
WORDS = "".join(f"word{number} " for number in range(500))


@asynccontextmanager
async def away(database: Database, request: pytest.FixtureRequest):
    """Take the database away: a server loses its power, a file is held by a writer that does not let go."""
    if database.dialect == "postgresql":
        cluster = request.getfixturevalue("postgres")
        await asyncio.to_thread(cluster.stop, "fast")  # these clusters write lazily: no power cut
        try:
            yield
        finally:
            await asyncio.to_thread(cluster.start)
        return
    holder = sqlite3.connect(database.file, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        holder.execute("ROLLBACK")
        holder.close()


async def test_a_database_that_is_away_for_twenty_seconds_costs_no_word(
    launch, database, agent: FaultAgent, request
):
    process = await launch()
    thread = (await process.click("send", text="stream"))["thread"]
    await until(lambda: texts(database, thread, "assistant"))
    database.dispose()
    async with away(database, request):
        refused = await process.click("send", text="short")
        assert "error" in refused
        await asyncio.sleep(AWAY_S)
    database.dispose()
    await settled(database, seconds=60)
    assert ends(database, thread) == [("success", None)]
    assert texts(database, thread, "assistant") == [WORDS]
    again = await process.click("send", text="short", thread=thread)
    assert again["thread"] == thread
    await settled(database)
    assert texts(database, thread, "user") == ["stream", "short"]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_a_full_disk_keeps_what_fitted_and_goes_on_with_room(launch, database, agent: FaultAgent):
    pages = rows(database, "PRAGMA page_count")[0][0]
    process = await launch(FAULT_MOST_PAGES=str(pages + 60))
    first = (await process.click("send", text="short"))["thread"]
    await settled(database)
    full = (await process.click("send", text="flood"))["thread"]
    await until(lambda: "no room left" in process.log.read_text(), seconds=15)
    await process.kill()
    await launch()
    await settled(database)
    assert texts(database, first, "user") == ["short"]
    assert ends(database, first) == [("success", None)]
    assert texts(database, full, "user") == ["flood"]
    assert ends(database, full) == [("failed", "SERVER_RESTART")]
