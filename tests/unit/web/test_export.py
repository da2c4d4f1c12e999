import httpx
import pytest
from starlette.applications import Starlette

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.sign_ins import SignIn
from chat_app.web.export import ROUTE
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)


class SignedIn:
    """Stands where the guard does."""

    def __init__(self, app):
        self.app = app
        self.person = None

    async def __call__(self, scope, receive, send):
        found = SignIn("s1", self.person, "password", "name") if self.person else None
        scope.setdefault("state", {})["sign_in"] = found
        await self.app(scope, receive, send)


@pytest.fixture
async def world(sqlite):
    before = list(holder._held)
    async with World(sqlite).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


@pytest.fixture
async def door():
    return SignedIn(Starlette(routes=[ROUTE]))


@pytest.fixture
async def client(door):
    transport = httpx.ASGITransport(door)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


KINDS = {
    "markdown": ("text/markdown; charset=utf-8", "md"),
    "json": ("application/json", "json"),
    "events": ("application/jsonl", "jsonl"),
}


@pytest.mark.parametrize("kind", KINDS)
async def test_the_owner_downloads_a_file(world, door, client, kind):
    media, ending = KINDS[kind]
    thread = await world.said("Hello", answer("Good day"))
    door.person = world.ada
    found = await client.get(f"/api/threads/{thread}/export/{kind}")
    assert found.status_code == 200
    assert found.headers["content-type"] == media
    assert found.headers["content-disposition"] == f'attachment; filename="{thread}.{ending}"'
    assert found.headers["cache-control"] == "no-store"
    assert "Good day" in found.text


async def test_everyone_else_is_answered_alike(world, door, client):
    thread = await world.said("Hello", answer("Good day"))
    answers = []
    for person, wanted in (
        (None, f"{thread}/export/json"),
        (world.bob, f"{thread}/export/json"),
        (world.bob, "none/export/json"),
        (world.ada, f"{thread}/export/pdf"),
    ):
        door.person = person
        found = await client.get(f"/api/threads/{wanted}")
        answers.append((found.status_code, found.text))
    assert set(answers) == {(404, "There is no such thread here.")}
