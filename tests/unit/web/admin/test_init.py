"""The pages for admins as a browser gets them, and who gets nothing."""

import re
from hashlib import sha256

import pytest

from chat_app.data import events, runs, threads
from chat_app.services.masking import MASK
from chat_app.services.policy import Policy
from chat_app.ui.admin import draw
from chat_app.web import admin
from tests.support.admin import ENVIRON, ORIGIN, served
from tests.support.records import an_event
from tests.support.world import ENDPOINT, World, answer

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


async def paths(world: World) -> list[tuple[str, str]]:
    """Return every route of `/admin` with things that are there."""
    user, agent = world.ada.id, world.agents.default_id
    thread = await world.said("Hello", answer("Hi"))
    run = world.runs(thread)[0].id
    made = admin.Admin(draw, Policy(), url=ORIGIN, setting="", known=frozenset())
    return [
        (
            method,
            route.path.format(
                thread=thread,
                user=user,
                agent=agent,
                entry=1,
                run=run,
                group="day",
                hook="hook",
                delivery="delivery",
            ),
        )
        for route in admin.routes(made)
        for method in sorted(route.methods - {"HEAD"})
    ]


SENT = "Bearer of bad news"
"""What an agent sent under the name of a secret."""
AUDITORS = re.compile(r"/admin(/threads.*|/runs.*|/audit.*|/usage.*)?$")
"""Where an auditor may go: what they read is theirs to look after, and no more."""


@pytest.mark.parametrize("roles", [("user",), ("approver",), ("auditor",), ("user", "approver")])
async def test_who_may_not_come_here_finds_what_is_not_there(world, roles):
    async with served(world, *roles) as client:
        unknown = await client.get("/admin/threads/unknown")
        for method, path in await paths(world):
            if "auditor" in roles and AUDITORS.match(path):
                continue
            found = await client.request(method, path, data={"act": "disable"} if method == "POST" else None)
            assert (found.status_code, found.text) == (404, unknown.text), path
        assert world.user(world.ada).active


async def test_nobody_is_led_to_the_sign_in(world):
    async with served(world) as client:
        for method, path in await paths(world):
            found = await client.request(method, path)
            assert found.headers["location"].startswith("/sign-in?back=/admin"), path


async def test_a_form_of_another_site_is_refused_everywhere(world, client):
    for method, path in await paths(world):
        if method == "POST":
            found = await client.post(path, headers={"origin": "http://evil.example"})
            assert found.status_code == 403, path


async def test_another_host_is_refused_everywhere(world, client):
    for method, path in await paths(world):
        found = await client.request(method, path, headers={"host": "evil.example"})
        assert found.status_code == 421, path


async def test_no_page_and_no_file_holds_a_secret(world, client):
    places = await paths(world)
    thread = next(path for _, path in places if path.endswith("/open"))
    await client.post(thread, data={"reason": "a complaint"})
    with world.database.transaction() as session:
        (run,) = runs.latest(session, thread.split("/")[3], limit=1)
        seq = threads.reserve(session, run.thread)
        payload = {"type": "CUSTOM", "headers": {"Authorization": SENT}, "encryptedValue": SENT}
        events.append(session, [an_event(thread=run.thread, seq=seq, run=run.id, payload=payload)])
    cookie = client.headers["cookie"].partition("=")[2]
    kept = sha256(cookie.encode()).hexdigest()
    secrets = (ENVIRON["PARLEY_SECRET_KEY"], ENDPOINT.headers["Authorization"], cookie, kept)
    shown = [await client.get(path) for method, path in places if method == "GET"]
    shown += [await client.post("/admin/audit/export", data={"form": form}) for form in ("csv", "jsonl")]
    assert MASK in "".join(page.text for page in shown)
    # what an agent sent to somebody is theirs: their own export has it
    assert [page.url.path for page in shown if SENT in page.text] == [f"/admin/people/{world.ada.id}/export"]
    for page in shown:
        assert not any(secret in page.text + str(page.headers) for secret in secrets), page.url


async def test_an_auditor_sees_threads_and_no_people(world):
    async with served(world, "auditor") as client:
        assert (await client.get("/admin")).headers["location"] == "/admin/threads"
        page = (await client.get("/admin/threads")).text
        assert ">Threads<" in page
        assert "/admin/people" not in page
