"""Agents, as an admin's browser gets them."""

from chat_app import tools
from chat_app.agui import AnyArguments, AskTool

pytest_plugins = ("tests.support.databases", "tests.support.admin_pages")

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


async def test_tools_are_ticked_and_unticked(client, world):
    path = (await client.post("/admin/agents/add", data={**AGENT, "tools": ["ask_person"]})).headers[
        "location"
    ]
    ticked = 'name="tools" value="{}" checked'
    page = (await client.get(path)).text
    assert ticked.format("ask_person") in page
    assert ticked.format("tell_time") not in page
    await client.post(f"{path}/change", data={**AGENT, "act": "save", "tools": ["tell_time"]})
    assert ticked.format("tell_time") in (await client.get(path)).text


async def test_an_agent_that_settings_name_no_more_says_so(client, world):
    gone = world.agent_called("Gone", builtin=True, dropped=True)
    assert "Not in the settings any more" in (await client.get(f"/admin/agents/{gone.id}")).text


async def test_rules_are_shown_in_words(client, world):
    decide = [
        {"tool": "refund", "where": [{"at": "/amount", "is": ">", "value": 1000}], "by": "two"},
        {"tool": "delete_*", "by": "other", "roles": ["approver", "admin"]},
        {"tool": "read", "by": "nobody"},
        {"tool": "ask", "by": "role", "roles": ["admin"]},
    ]
    ruled = world.agent_called(
        "Ruled", policy={"use": {"roles": ["user"], "people": ["p-1"]}, "decide": decide}
    )
    page = (await client.get(f"/admin/agents/{ruled.id}")).text
    for fact in (
        "<dd>User, p-1</dd>",
        "refund, /amount &gt; 1000",
        "Two different people who are: Approver",
        "Somebody else than the requester who is: Approver, Admin",
        "<dd>Nobody</dd>",
        "Anybody who is: Admin",
        "<dt>Everything else</dt><dd>The requester</dd>",
    ):
        assert fact in page, fact
    closed = world.agent_called("Closed", policy={"use": {"roles": []}})
    assert "<dt>May use it</dt><dd>Nobody</dd>" in (await client.get(f"/admin/agents/{closed.id}")).text
    broken = world.agent_called("Broken", policy={"use": 1})
    assert "The rules cannot be read" in (await client.get(f"/admin/agents/{broken.id}")).text


async def test_a_tool_that_a_package_added_is_shown_with_its_own_words(client, world):
    tools.add(
        "stock", lambda _: AskTool(name="stock", description="Asks who counts.", arguments=AnyArguments)
    )
    page = (await client.get("/admin/agents")).text
    tools._added.clear()
    assert "Asks who counts." in page
