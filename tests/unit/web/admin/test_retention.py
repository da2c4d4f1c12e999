"""How long chats are kept, as a browser gets it."""

from chat_app.data import threads

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")


async def test_what_is_over_is_erased_when_its_number_was_agreed_to(world, client):
    thread = world.thread()
    with world.database.transaction() as session:
        threads.delete(session, thread.id, now=world.clock())
    page = (await client.get("/admin/retention")).text
    assert "PARLEY_RETENTION_DAYS" in page
    assert "Nothing is past its time." in page
    world.clock.forward(days=31)
    # by then the sign-in of before is over
    client.headers["cookie"] = await world.cookie_of(world.person("zoe", "Zoe", "admin"))
    page = (await client.get("/admin/retention")).text
    assert 'name="agreed" value="1"' in page
    refused = await client.post("/admin/retention/run", data={"agreed": "2"})
    assert (refused.status_code, "Nothing was erased; look again." in refused.text) == (422, True)
    erased = await client.post("/admin/retention/run", data={"agreed": "1"})
    page = (await client.get(erased.headers["location"])).text
    assert "What was past its time is erased." in page
    assert "erased: 1" in page


async def test_days_of_an_agent_are_changed(world, client):
    path = f"/admin/retention/{world.agents.default_id}"
    changed = await client.post(path, data={"days": "90"})
    page = (await client.get(changed.headers["location"])).text
    assert "The days were changed." in page
    assert 'value="90"' in page
    await client.post(path, data={"days": "1"})
    assert "<td>1 day</td>" in (await client.get("/admin/retention")).text
    refused = await client.post(path, data={"days": "never"})
    assert (refused.status_code, "Write a number of days" in refused.text) == (422, True)
    assert (await client.post("/admin/retention/unknown", data={"days": "1"})).status_code == 404
    assert "odd" not in (await client.get("/admin/retention?done=odd")).text
