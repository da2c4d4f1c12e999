import httpx
import pytest
from sqlalchemy import text
from starlette.applications import Starlette

from chat_app.services import holder
from chat_app.services.holder import current, install
from chat_app.web.health import ROUTES
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def client(sqlite):
    before = list(holder._held)
    install(World(sqlite).services)
    transport = httpx.ASGITransport(Starlette(routes=ROUTES))
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


async def test_readiness_names_the_migration_and_what_cannot_be_reached(client):
    answer = await client.get("/readyz")
    assert answer.status_code == 200
    body = answer.json()
    assert (body["status"], body["detail"]) == ("ready", "")
    assert body["migration"] >= "0002"
    assert body["agents"] == {"Parley": "unreachable"}


async def test_a_process_that_is_going_down_takes_no_more(client):
    await current().supervisor.shutdown()
    answer = await client.get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")


async def test_tables_behind_make_a_process_unready(client, sqlite):
    with sqlite.transaction() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    answer = await client.get("/readyz")
    assert answer.status_code == 503
    assert (answer.json()["migration"], "parley db upgrade" in answer.json()["detail"]) == ("0001", True)
