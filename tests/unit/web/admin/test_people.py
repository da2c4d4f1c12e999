"""People, as an admin's browser gets them."""

import re

import httpx

from tests.support.admin import ORIGIN

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


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
