"""Opinions meet their rows; how they come about is told in `test_feedback`."""

import pytest

from chat_app.services.opinions import with_opinions
from chat_app.services.rows import Row
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def test_what_the_owner_thinks_is_shown_and_what_others_think_is_not(world):
    thread = await world.said("Hello", answer("Hi"))
    rows = world.view(thread).rows
    key = rows[-1].key
    await world.feedback.rate(world.ada, thread, key, "bad", "no")
    with world.database.reading() as session:
        told = with_opinions(session, thread, rows)
    assert [(row.verdict, row.comment) for row in told] == [("", ""), ("bad", "no")]


def test_rows_of_a_thread_that_is_not_there_stay_as_they_are(sqlite):
    rows = [Row(key="a", kind="turn", position=1)]
    with sqlite.reading() as session:
        assert with_opinions(session, "none", rows) == rows
