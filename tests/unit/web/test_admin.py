"""The pages for admins as a browser gets them, and who gets nothing."""

import re
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette

from chat_app.services import holder
from chat_app.services.accounts import Ways
from chat_app.services.holder import install
from chat_app.services.oversight import PAGE
from chat_app.services.policy import Policy
from chat_app.services.proxy import Proxies
from chat_app.settings import lines, read_settings
from chat_app.ui.admin import draw
from chat_app.web import admin
from chat_app.web.entrance import Entrance
from chat_app.web.guard import Guard
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)

ORIGIN = "http://localhost:3000"
ENVIRON = {"PARLEY_PORT": "3001", "PARLEY_SECRET_KEY": "s3cret"}


@asynccontextmanager
async def served(world: World, *roles: str):
    """Serve the pages to a person with these roles, or to nobody."""
    before = list(holder._held)
    entrance = Entrance(world.accounts, world.provided, Proxies())
    pages = admin.Admin(
        draw,
        Policy(),
        url=ORIGIN,
        setting="",
        known=frozenset({"en", "de"}),
        lines=lines(read_settings(ENVIRON)),
    )
    app = Starlette(routes=admin.routes(pages))
    guard = Guard(app, entrance=entrance, origins={"localhost:3000": ORIGIN})
    install(world.services)
    cookie = await world.cookie_of(world.person("eve", "Eve <b>", *roles)) if roles else ""
    headers = {"origin": ORIGIN, "accept": "text/html", "cookie": cookie}
    transport = httpx.ASGITransport(guard)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as client:
        yield client
    holder._held[:] = before


@pytest.fixture
async def world(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        yield world


@pytest.fixture
async def client(world):
    async with served(world, "admin") as client:
        yield client


def paths(world: World) -> list[tuple[str, str]]:
    """Return every route of `/admin` with things that are there."""
    thread, user, agent = world.thread().id, world.ada.id, world.agents.default_id
    made = admin.Admin(draw, Policy(), url=ORIGIN, setting="", known=frozenset())
    return [
        (method, route.path.format(thread=thread, user=user, agent=agent))
        for route in admin.routes(made)
        for method in sorted(route.methods - {"HEAD"})
    ]


AUDITORS = re.compile(r"/admin(/threads.*)?$")
"""Where an auditor may go: reading threads, and no more."""


@pytest.mark.parametrize("roles", [("user",), ("approver",), ("auditor",), ("user", "approver")])
async def test_who_may_not_come_here_finds_what_is_not_there(world, roles):
    async with served(world, *roles) as client:
        unknown = await client.get("/admin/threads/unknown")
        for method, path in paths(world):
            if "auditor" in roles and AUDITORS.match(path):
                continue
            found = await client.request(method, path, data={"act": "disable"} if method == "POST" else None)
            assert (found.status_code, found.text) == (404, unknown.text), path
        assert world.user(world.ada).active


async def test_nobody_is_led_to_the_sign_in(world):
    async with served(world) as client:
        for method, path in paths(world):
            found = await client.request(method, path)
            assert found.headers["location"].startswith("/sign-in?back=/admin"), path


async def test_a_form_of_another_site_is_refused(client):
    found = await client.post("/admin/people/invite", headers={"origin": "http://evil.example"})
    assert found.status_code == 403


async def test_an_auditor_sees_threads_and_no_people(world):
    async with served(world, "auditor") as client:
        assert (await client.get("/admin")).headers["location"] == "/admin/threads"
        page = (await client.get("/admin/threads")).text
        assert ">Threads<" in page
        assert "/admin/people" not in page


# ---------------------------------------------------------------- threads


async def test_titles_are_text_and_pages_follow_one_another(world, client):
    for number in range(PAGE + 1):
        world.thread(title=f"<script>{number}")
    first = (await client.get("/admin/threads?status=idle")).text
    assert "<script>50" not in first
    assert "&lt;script&gt;50" in first
    (older,) = re.findall(r'href="([^"]*after=[^"]*)"', first)
    second = (await client.get(older.replace("&amp;", "&"))).text
    assert "&lt;script&gt;0<" in second
    assert ">Newest<" in second
    assert "Nothing fits." in (await client.get("/admin/threads?words=nothing")).text


async def test_a_thread_is_opened_for_a_reason_whose_readers_are_told_first(world, client):
    thread = await world.said("Hello", answer("Hi"))
    page = (await client.get(f"/admin/threads/{thread}")).text
    assert page.index("Ada will see who opened it") < page.index("Open and record the reason")
    none = await client.post(f"/admin/threads/{thread}/open", data={"reason": " "})
    assert (none.status_code, "Write a reason" in none.text) == (422, True)
    opened = await client.post(f"/admin/threads/{thread}/open", data={"reason": "a complaint"})
    assert (opened.status_code, opened.headers["location"]) == (303, f"/t/{thread}")


async def test_where_openings_are_off_nothing_leads_to_one(sqlite):
    async with World(sqlite, ways=Ways(password=True), opens=False).running() as world:
        thread = world.thread().id
        async with served(world, "admin") as client:
            page = (await client.get("/admin/threads")).text
            assert "turned off here" in page
            assert f"/admin/threads/{thread}" not in page
            assert (await client.get(f"/admin/threads/{thread}")).status_code == 404


# ---------------------------------------------------------------- people


async def test_somebody_is_invited_by_a_link_that_is_shown_once(client):
    made = await client.post("/admin/people/invite", data={"name": "cat", "role": ["user", "approver"]})
    assert len(re.findall(rf'value="{ORIGIN}/join/[^"]+"', made.text)) == 1
    assert "/join/" not in (await client.get("/admin/people")).text
    taken = await client.post("/admin/people/invite", data={"name": "ada"})
    assert (taken.status_code, "This name is taken." in taken.text) == (422, True)


async def change(client: httpx.AsyncClient, user: str, **form: object) -> httpx.Response:
    return await client.post(f"/admin/people/{user}/change", data=form)


async def test_what_is_done_about_a_person_holds(world, client):
    ada = world.ada.id
    await world.cookie_of(world.ada)
    assert (await change(client, ada, act="roles", role=["auditor"])).status_code == 303
    assert world.user(world.ada).roles == ("auditor",)
    (sign_in,) = await world.people.sign_ins(world.person("max", "Max", "admin"), ada)
    assert sign_in.id in (await client.get(f"/admin/people/{ada}")).text
    assert (await change(client, ada, act="end", sign_in=sign_in.id)).status_code == 303
    assert (await change(client, ada, act="sign_out")).headers["location"].endswith("?done=yes")
    assert "/join/" in (await change(client, ada, act="reset")).text
    await change(client, ada, act="disable")
    assert "Kept out" in (await client.get(f"/admin/people/{ada}?done=yes")).text
    await change(client, ada, act="enable")
    assert world.user(world.ada).active
    file = await client.get(f"/admin/people/{ada}/export")
    assert (file.headers["content-type"], '"kind": "user"' in file.text) == ("application/x-ndjson", True)
    assert "Write a reason" in (await change(client, ada, act="erase", reason="")).text
    assert (await change(client, ada, act="erase", reason="left")).headers["location"] == "/admin/people"
    assert (await client.get(f"/admin/people/{ada}")).status_code == 404


async def test_the_last_admin_cannot_leave(world, client):
    (eve,) = [one for one in await world.people.every(world.person("eve", "", "admin")) if one.name == "eve"]
    for form in ({"act": "disable"}, {"act": "roles"}, {"act": "erase", "reason": "x"}):
        refused = await change(client, eve.id, **form)
        assert (refused.status_code, "This is the last admin." in refused.text) == (422, True)


@pytest.mark.parametrize("body", [b"", b"\xff", b"act=odd", b"a=1&" * 99, b"act=" + b"x" * 70_000])
async def test_what_no_form_of_ours_sends_does_nothing(world, client, body):
    found = await client.post(f"/admin/people/{world.ada.id}/change", content=body)
    assert found.status_code == 404


# ---------------------------------------------------------------- agents

AGENT = {
    "name": "Orders <b>",
    "url": "http://127.0.0.1:1/agent",
    "headers": "X-Key: secret",
    "profile": "tolerant",
}


async def test_an_agent_is_added_tried_and_changed(client):
    added = await client.post("/admin/agents/add", data=AGENT)
    path = added.headers["location"]
    page = (await client.get(path)).text
    assert "not at a public address" in page
    assert "Kept: X-Key." in page
    assert "secret" not in page
    assert "Orders &lt;b&gt;" in (await client.get("/admin/agents")).text
    for form in ({"act": "disable"}, {"act": "enable"}, {"act": "test"}, {**AGENT, "act": "save"}):
        assert (await client.post(f"{path}/change", data=form)).headers["location"] == f"{path}?done=yes"
    wrong = await client.post(f"{path}/change", data={**AGENT, "act": "save", "policy": "{"})
    assert (wrong.status_code, "The rules are no JSON" in wrong.text) == (422, True)
    await client.post(f"{path}/change", data={"act": "disable"})
    assert "Switch on" in (await client.get(f"{path}?done=yes")).text


async def test_an_agent_that_cannot_be_kept_is_told_beside_what_was_typed(client):
    await client.post("/admin/agents/add", data=AGENT)
    taken = await client.post("/admin/agents/add", data=AGENT)
    assert (taken.status_code, "This name is taken." in taken.text) == (422, True)
    assert 'value="http://127.0.0.1:1/agent"' in taken.text


async def test_settings_are_shown_with_their_source(client):
    page = (await client.get("/admin/settings")).text
    assert "<td>" in page
    assert "environment" in page
    assert "s3cret" not in page
