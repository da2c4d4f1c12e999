import httpx
import pytest
from starlette.applications import Starlette

from chat_app.services import holder
from chat_app.services.holder import install
from chat_app.services.sign_ins import SignIn
from chat_app.web.files import ROUTES
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
PNG = b"\x89PNG\r\n\x1a\n"


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
async def world(sqlite, tmp_path):
    before = list(holder._held)
    async with World(sqlite, files=tmp_path).running() as world:
        install(world.services)
        yield world
    holder._held[:] = before


@pytest.fixture
async def door(world):
    door = SignedIn(Starlette(routes=list(ROUTES)))
    door.person = world.ada
    return door


@pytest.fixture
async def client(door):
    async with httpx.AsyncClient(transport=httpx.ASGITransport(door), base_url="http://localhost") as client:
        yield client


async def bring(client, content: bytes, name: str = "a.png") -> httpx.Response:
    return await client.post("/api/files", content=content, headers={"x-file-name": name})


async def test_a_picture_comes_in_and_is_shown_with_its_label(client):
    answer = await bring(client, PNG, "%E2%80%AEa%22.png")
    assert answer.status_code == 201
    told = answer.json()
    assert (told["name"], told["type"], told["kind"]) == ('a".png', "image/png", "image")
    found = await client.get(f"/api/files/{told['id']}")
    assert found.content == PNG
    assert found.headers["content-type"] == "image/png"
    assert found.headers["content-disposition"] == "inline; filename*=UTF-8''a%22.png"
    assert "sandbox" in found.headers["content-security-policy"]


@pytest.mark.parametrize("content", [b"<svg onload='x'>", b"<html><script>x</script>", b"%PDF-1.7"])
async def test_anything_else_is_a_download_of_no_type(client, content):
    told = (await bring(client, content, "a.svg")).json()
    found = await client.get(f"/api/files/{told['id']}")
    assert found.headers["content-type"] == "application/octet-stream"
    assert found.headers["content-disposition"].startswith("attachment;")


async def test_a_file_is_nobody_elses(client, door, world):
    told = (await bring(client, PNG)).json()
    for person in (world.bob, None):
        door.person = person
        assert (await client.get(f"/api/files/{told['id']}")).status_code == 404
        assert (await client.delete(f"/api/files/{told['id']}")).status_code == 404


async def test_who_has_no_session_brings_nothing(client, door):
    door.person = None
    assert (await bring(client, PNG)).status_code == 404


async def test_a_file_is_taken_back_before_it_is_sent(client):
    told = (await bring(client, PNG)).json()
    assert (await client.delete(f"/api/files/{told['id']}")).status_code == 204
    assert (await client.get(f"/api/files/{told['id']}")).status_code == 404


async def test_what_is_refused_says_why(client, world):
    large = await bring(client, b"x" * (world.attachments.limit + 1))
    assert (large.status_code, large.json()["title"]) == (413, "The file is too large")
    sound = await bring(client, b"ID3...")
    assert (sound.status_code, sound.json()["title"]) == (422, "The agent does not take files of this kind")


async def test_a_file_is_judged_by_the_agent_it_is_for(client, world):
    texts = world.agent_called("Texts", url="http://127.0.0.1:1/")
    thread, other = world.thread(), world.thread(world.bob)
    for place, status in (
        (f"?agent={texts.id}", 422),
        (f"?agent={world.agents.default_id}", 201),
        ("?agent=unknown", 422),
        (f"?thread={thread.id}", 201),
        (f"?thread={other.id}", 422),
        ("?thread=%00", 422),
    ):
        answer = await client.post(f"/api/files{place}", content=PNG, headers={"x-file-name": "a.png"})
        assert (place, answer.status_code) == (place, status)
