import httpx
import pytest
from sqlalchemy import text
from starlette.applications import Starlette

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.web.health import ROUTE
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def client(sqlite):
    before = list(holder._held)
    install(World(sqlite).services)
    transport = httpx.ASGITransport(Starlette(routes=[ROUTE]))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client
    holder._held[:] = before


async def test_a_process_that_can_work_says_ok(client):
    answer = await client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


async def test_a_process_that_cannot_work_says_why(client, sqlite):
    with sqlite.transaction() as session:
        session.execute(text("DROP TABLE alembic_version"))
    answer = await client.get("/healthz")
    assert answer.status_code == 503
    assert "parley db upgrade" in answer.json()["detail"]
