import dataclasses
from contextlib import aclosing

import pytest

from chat_app.agui import StreamCut
from chat_app.data import agents, audit
from chat_app.services.agent_book import AgentBook, Written
from chat_app.services.agents import Agents
from chat_app.services.keyring import Keyring
from chat_app.services.policy import Policy, Refused
from chat_app.services.problems import BadAgent, NameTaken
from tests.fakes import next_frame, until
from tests.support.raw_server import raw_server
from tests.support.world import ENDPOINT, Gate, World, started

pytest_plugins = ("tests.support.databases",)
ORDERS = Written(name="Orders", url="http://orders.example/agent", headers="Authorization: Bearer secret")


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


@pytest.fixture
def eve(world):
    return world.person("eve", "Eve", "admin")


@pytest.fixture
def book(world):
    return world.agent_book


async def test_an_agent_is_kept_with_its_headers_encrypted_and_never_shown(world, eve, book):
    rules = '{"decide": [{"by": "two", "roles": ["approver"]}]}'
    written = dataclasses.replace(ORDERS, policy=rules, suggestions="One\n\nTwo\n3\n4\n5")
    agent = await book.add(eve, written)
    known = await book.one(eve, agent)
    assert (known.headers, known.agent.suggestions) == (("Authorization",), ("One", "Two", "3", "4"))
    assert "secret" not in repr(known)
    assert agent in [one.id for one in await book.every(eve)]
    with world.database.reading() as session:
        (act,) = audit.of_object(session, f"agent:{agent}")
    assert (act.action, act.actor) == ("agent.added", eve.id)


async def test_headers_stay_until_others_are_given(world, eve, book):
    agent = await book.add(eve, ORDERS)
    await book.change(eve, agent, dataclasses.replace(ORDERS, name="Desk", headers=""))
    assert (await book.one(eve, agent)).headers == ("Authorization",)
    await book.change(eve, agent, dataclasses.replace(ORDERS, headers="X-Key: 1"))
    assert (await book.one(eve, agent)).headers == ("X-Key",)
    await book.switch(eve, agent, enabled=False)
    assert not (await book.one(eve, agent)).agent.enabled
    await book.switch(eve, agent, enabled=True)
    assert (await book.one(eve, agent)).agent.enabled


async def test_of_the_agent_of_the_settings_only_rules_and_suggestions_change(world, eve, book):
    builtin = world.agents.default_id
    await book.change(eve, builtin, dataclasses.replace(ORDERS, suggestions="Hi", tools=("tell_time",)))
    kept = (await book.one(eve, builtin)).agent
    assert (kept.name, kept.url, kept.suggestions) == (ENDPOINT.name, ENDPOINT.url, ("Hi",))
    assert kept.tools == ("tell_time",)


async def test_an_agent_is_offered_tools_that_there_are(eve, book):
    agent = await book.add(eve, dataclasses.replace(ORDERS, tools=("ask_person", "rm -rf")))
    assert (await book.one(eve, agent)).agent.tools == ("ask_person",)
    await book.change(eve, agent, ORDERS)
    assert (await book.one(eve, agent)).agent.tools == ()


async def test_an_agent_that_settings_name_no_more_is_told_when_it_is_tried(world, eve, book):
    gone = world.agent_called("Gone", builtin=True, dropped=True)
    await book.test(eve, gone.id)
    (found,) = (await book.one(eve, gone.id)).found
    assert (found.check, found.state, found.detail) == ("signed_in", "bad", "Its chats can be read.")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"name": " "}, "name"),
        ({"url": "ftp://x"}, "url"),
        ({"url": "http://me:pw@x"}, "url"),
        ({"profile": "lax"}, "profile"),
        ({"policy": "{"}, "policy"),
        ({"policy": '{"decide": 1}'}, "policy"),
        ({"policy": '{"waiting": {"remind": 0}}'}, "policy"),
        ({"headers": "no colon"}, "headers"),
    ],
)
async def test_what_cannot_be_used_is_named(eve, book, wrong, field):
    with pytest.raises(BadAgent) as raised:
        await book.add(eve, dataclasses.replace(ORDERS, **wrong))
    assert raised.value.field == field


async def test_names_are_taken_once(eve, book):
    await book.add(eve, ORDERS)
    other = await book.add(eve, dataclasses.replace(ORDERS, name="Other"))
    with pytest.raises(NameTaken):
        await book.add(eve, ORDERS)
    with pytest.raises(NameTaken):
        await book.change(eve, other, ORDERS)


async def test_a_test_is_kept_with_what_it_found(eve, book):
    agent = await book.add(eve, dataclasses.replace(ORDERS, url="http://127.0.0.1:1/"))
    await book.test(eve, agent)
    known = await book.one(eve, agent)
    assert known.tested_at
    assert [(one.check, one.state) for one in known.found] == [("reached", "bad")]
    assert "not at a public address" in known.found[0].detail


async def test_a_private_agent_is_reached_with_its_headers_where_that_is_allowed(world, eve):
    keyring, new_id = Keyring("k"), world.new_id
    reached = Agents(world.database, ENDPOINT, now=world.clock, new_id=new_id, keyring=keyring, private=True)
    await reached.start()
    parts = {"now": world.clock, "new_id": new_id, "elapsed": lambda: 0.0}
    book = AgentBook(world.database, Policy(), reached, keyring, **parts)
    refusal = [b"HTTP/1.1 401 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"]
    async with raw_server(refusal) as server:
        agent = await book.add(eve, dataclasses.replace(ORDERS, url=server.url))
        await book.test(eve, agent)
        assert server.requests[0].headers["authorization"] == "Bearer secret"
    assert (await book.one(eve, agent)).found[-1].value == "401"
    lost = AgentBook(
        world.database,
        Policy(),
        Agents(world.database, ENDPOINT, now=world.clock, new_id=new_id, keyring=Keyring("other")),
        Keyring("other"),
        **parts,
    )
    await lost.test(eve, agent)
    known = await lost.one(eve, agent)
    assert (known.headers, known.found[0].check) == (("?",), "signed_in")
    await reached.stop()


async def test_nobody_else_manages_agents(world, eve, book):
    agent = await book.add(eve, ORDERS)
    auditor = world.person("max", "Max", "auditor")
    for use in (
        book.every(auditor),
        book.one(auditor, agent),
        book.add(auditor, ORDERS),
        book.change(auditor, agent, ORDERS),
        book.switch(auditor, agent, enabled=False),
        book.test(auditor, agent),
        book.one(eve, "unknown"),
    ):
        with pytest.raises(Refused):
            await use
    with world.database.reading() as session:
        found = agents.get(session, agent)
    assert found is not None
    assert found.enabled


async def test_a_test_reads_what_the_agent_says_of_itself(world, eve, book):
    began = b'data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n'
    stream = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n" + began
    failed = b'data: {"type":"RUN_ERROR","message":"no"}\n\n'
    words = b'{"tools": {"supported": true}}'
    head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n"
    reached = Agents(
        world.database,
        ENDPOINT,
        now=world.clock,
        new_id=world.new_id,
        keyring=Keyring("k"),
        private=True,
    )
    await reached.start()
    book = AgentBook(
        world.database,
        Policy(),
        reached,
        Keyring("k"),
        now=world.clock,
        new_id=world.new_id,
        elapsed=lambda: 0.0,
    )
    async with raw_server([stream + failed], [head + words]) as server:
        agent = await book.add(eve, dataclasses.replace(ORDERS, url=server.url))
        await book.test(eve, agent)
        assert server.requests[1].path.endswith("/capabilities")
    found = {one.check: (one.state, one.detail) for one in (await book.one(eve, agent)).found}
    assert found["declared"] == ("ok", "tools")
    await reached.stop()


async def test_pages_that_are_open_show_at_once_that_lines_wait_for_an_agent_that_is_off(world, eve, book):
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, StreamCut("cut")])
    thread = await world.chat.send(world.ada, None, "One")
    await until(lambda: world.agent.waiting)
    await world.queue.put(world.ada, thread, "Two")
    gate.set()
    await world.idle()
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        shown = (await next_frame(frames))["snapshot"]["run"]["queued"]
        assert [(line["text"], line["shut"]) for line in shown] == [("Two", False)]
        await book.switch(eve, world.agents.default_id, enabled=False)
        while not shown[0]["shut"]:  # frames of the run's end may come before
            ops = (await next_frame(frames))["ops"]
            shown = next((op[1]["queued"] for op in ops if op[0] == "run"), shown)
    assert [line.text for line in world.view(thread).run.queued] == ["Two"]


async def test_a_list_that_is_open_shows_at_once_what_an_agent_is_called_now(world, eve, book):
    agent = await book.add(eve, ORDERS)
    thread = world.thread(agent=agent)
    async with aclosing(world.threads.follow_list(world.ada)) as lists:
        (line,) = (await next_frame(lists))["threads"]
        assert (line["id"], line["agent"]) == (thread.id, "Orders")
        await book.change(eve, agent, dataclasses.replace(ORDERS, name="Desk"))
        (line,) = (await next_frame(lists))["threads"]
        assert line["agent"] == "Desk"
