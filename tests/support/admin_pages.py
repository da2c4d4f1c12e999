"""Fixtures `world` and `client`: Parley with accounts, and the browser of an admin. Use them as a plugin."""

import pytest

from chat_app.services.accounts import Ways
from tests.support.admin import served
from tests.support.world import World


@pytest.fixture
async def world(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        yield world


@pytest.fixture
async def client(world):
    async with served(world, "admin") as client:
        yield client
