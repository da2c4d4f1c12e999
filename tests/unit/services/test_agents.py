import socket
from dataclasses import replace

import httpx
import pytest

from chat_app.agui import ConfigError, ConnectFailed, HttpTransport
from chat_app.data import agents as rows
from chat_app.services.agents import Agents
from chat_app.services.keyring import Keyring
from chat_app.services.problems import AgentGone
from chat_app.services.rows import Suggestion
from tests.fakes import FakeClock, counting_ids
from tests.support.world import ENDPOINT

pytest_plugins = ("tests.support.databases",)
NOWHERE = replace(ENDPOINT, url="http://127.0.0.1:1/")


def agents_of(sqlite, endpoint=ENDPOINT) -> Agents:
    return Agents(sqlite, endpoint, now=FakeClock(), new_id=counting_ids())


def stored(sqlite):
    with sqlite.reading() as session:
        return rows.enabled(session)


async def test_the_configured_agent_gets_a_row(sqlite):
    agents = agents_of(sqlite)
    await agents.start()
    (row,) = stored(sqlite)
    assert (row.id, row.name, row.url, row.builtin) == (agents.default_id, "Parley", ENDPOINT.url, True)
    assert agents.default_name == "Parley"
    await agents.stop()


async def test_secrets_of_the_connection_are_not_stored(sqlite):
    agents = agents_of(sqlite)
    await agents.start()
    assert "secret" not in str(stored(sqlite))
    await agents.stop()


async def test_a_restart_finds_the_same_row_and_brings_it_up_to_date(sqlite):
    first = agents_of(sqlite)
    await first.start()
    await first.stop()
    again = agents_of(sqlite, replace(ENDPOINT, url="http://other.example/"))
    await again.start()
    assert again.default_id == first.default_id
    assert [row.url for row in stored(sqlite)] == ["http://other.example/"]
    await again.stop()


async def test_the_row_is_unknown_before_the_start(sqlite):
    with pytest.raises(RuntimeError, match="not started"):
        _ = agents_of(sqlite).default_id
    await agents_of(sqlite).stop()


async def test_a_session_talks_to_the_configured_address_over_the_one_pool(sqlite):
    agents = agents_of(sqlite)
    await agents.start()
    one, other = agents.peer(agents._rows[0]), agents.peer(agents._rows[0])
    assert isinstance(one.transport, HttpTransport)
    assert one.transport is not other.transport
    assert isinstance(agents._client, httpx.AsyncClient)
    assert not agents._client.is_closed
    await agents.stop()
    assert agents._client.is_closed


@pytest.mark.parametrize("profile", ["current", "tolerant", "0.1"])
async def test_an_agent_is_judged_by_its_profile(sqlite, profile):
    agents = agents_of(sqlite, replace(ENDPOINT, profile=profile))
    await agents.start()
    assert agents.peer(agents._rows[0]).profile.name == profile
    await agents.stop()


async def test_an_unknown_profile_is_refused(sqlite):
    agents = agents_of(sqlite, replace(ENDPOINT, profile="lax"))
    await agents.start()
    with pytest.raises(ConfigError):
        agents.peer(agents._rows[0])
    await agents.stop()


@pytest.mark.parametrize(
    ("policy", "limit"),
    [
        (None, 7.0),
        ({}, 7.0),
        ({"idle_limit": 30}, 30.0),
        ({"idle_limit": 0.5}, 0.5),
        ({"idle_limit": None}, None),
        ({"idle_limit": 0}, 7.0),
        ({"idle_limit": -1}, 7.0),
        ({"idle_limit": True}, 7.0),
        ({"idle_limit": "soon"}, 7.0),
        (["idle_limit"], 7.0),
    ],
)
async def test_silence_is_judged_by_the_agents_own_limit(sqlite, policy, limit):
    agents = agents_of(sqlite, replace(ENDPOINT, idle_limit=7.0))
    await agents.start()
    transport = agents.peer(replace(agents._rows[0], policy=policy)).transport
    assert transport._timeout.read == limit
    await agents.stop()


# ---------------------------------------------------------------- what an agent takes


class Asked:
    """Plays an agent's capabilities: each answer is the next, and the addresses asked are kept."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def undeclared(sqlite, clock: FakeClock, asked: Asked) -> Agents:
    """Start an agent whose files nobody configured, and which answers as `asked` plays it."""
    endpoint = replace(ENDPOINT, accepts=None)
    agents = Agents(sqlite, endpoint, now=clock, new_id=counting_ids())
    await agents.start()
    await agents._client.aclose()
    agents._client = httpx.AsyncClient(transport=httpx.MockTransport(asked))
    return agents


def declaring(**kinds: bool) -> httpx.Response:
    return httpx.Response(200, json={"multimodal": {"input": kinds}})


async def test_what_settings_say_an_agent_takes_holds_without_asking(sqlite):
    agents = agents_of(sqlite)
    await agents.start()
    assert await agents.accepted(agents._rows[0]) == ENDPOINT.accepts
    await agents.stop()


async def test_an_agent_is_asked_once_what_it_takes_with_its_headers(sqlite):
    asked = Asked(declaring(image=True, pdf=True, audio=False))
    agents = await undeclared(sqlite, FakeClock(), asked)
    assert await agents.accepted(agents._rows[0]) == ("image", "pdf")
    assert await agents.accepted(agents._rows[0]) == ("image", "pdf")
    (request,) = asked.requests
    assert str(request.url) == f"{ENDPOINT.url}/capabilities"
    assert request.headers["authorization"] == "Bearer secret"
    await agents.stop()


@pytest.mark.parametrize(
    "failure",
    [httpx.ConnectError("away"), httpx.Response(404), httpx.Response(200, text="<html>")],
    ids=["away", "unknown", "no JSON"],
)
async def test_an_agent_that_does_not_tell_takes_nothing_and_is_asked_again_later(sqlite, failure):
    clock = FakeClock()
    asked = Asked(failure, declaring(image=True))
    agents = await undeclared(sqlite, clock, asked)
    assert await agents.accepted(agents._rows[0]) == ()
    assert await agents.accepted(agents._rows[0]) == ()
    assert len(asked.requests) == 1
    clock.forward(seconds=61)
    assert await agents.accepted(agents._rows[0]) == ("image",)
    await agents.stop()


async def test_an_agent_that_declares_no_files_takes_none(sqlite):
    agents = await undeclared(sqlite, FakeClock(), Asked(httpx.Response(200, json={})))
    assert await agents.accepted(agents._rows[0]) == ()
    await agents.stop()


# ---------------------------------------------------------------- what an agent says of itself


async def test_an_agent_says_of_itself_what_it_likes(sqlite):
    asked = Asked(httpx.Response(200, json={"tools": ["look"]}))
    agents = await undeclared(sqlite, FakeClock(), asked)
    assert await agents.declared(agents._rows[0]) == {"tools": ["look"]}
    (request,) = asked.requests
    assert str(request.url) == f"{ENDPOINT.url}/capabilities"
    assert request.headers["authorization"] == "Bearer secret"
    await agents.stop()


async def test_an_added_agent_is_asked_at_its_own_address_without_the_headers_of_ours(sqlite):
    asked = Asked(httpx.Response(200, json=[]))
    agents = await undeclared(sqlite, FakeClock(), asked)
    await agents._added.aclose()
    agents._added = httpx.AsyncClient(transport=httpx.MockTransport(asked))
    added = replace(agents._rows[0], builtin=False, url="http://added.example/agent/")
    assert await agents.declared(added) == []
    (request,) = asked.requests
    assert str(request.url) == "http://added.example/agent/capabilities"
    assert "authorization" not in request.headers
    await agents.stop()


@pytest.mark.parametrize(
    "failure",
    [httpx.ConnectError("away"), httpx.Response(404), httpx.Response(200, text="<html>")],
    ids=["away", "unknown", "no JSON"],
)
async def test_an_agent_that_does_not_tell_says_nothing_of_itself(sqlite, failure):
    agents = await undeclared(sqlite, FakeClock(), Asked(failure))
    assert await agents.declared(agents._rows[0]) is None
    await agents.stop()


async def test_an_agent_is_reached_where_something_listens(sqlite):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        assert await agents_of(sqlite, replace(ENDPOINT, url=place)).reached() == {"Parley": True}


async def test_an_agent_is_not_reached_where_nothing_listens(sqlite):
    nowhere = replace(ENDPOINT, url="http://127.0.0.1:1/")
    assert await agents_of(sqlite, nowhere).reached() == {"Parley": False}


# ---------------------------------------------------------------- several agents

ORDERS = replace(
    ENDPOINT,
    name="Orders",
    url="http://orders.example/agent",
    profile="current",
    headers={"X-Key": "1"},
    idle_limit=9.0,
    accepts=("audio",),
    suggestions=(Suggestion("Where is it?", "Where is it?"),),
)


def several(sqlite, *others, first=ENDPOINT, **more) -> Agents:
    return Agents(sqlite, first, others=others, now=FakeClock(), new_id=counting_ids(), **more)


async def test_each_agent_of_the_settings_is_talked_to_in_its_own_way(sqlite):
    agents = several(sqlite, ORDERS)
    await agents.start()
    parley, orders = stored(sqlite) if stored(sqlite)[0].name == "Parley" else reversed(stored(sqlite))
    assert agents.default_id == parley.id
    peer = agents.peer(orders)
    assert (peer.transport._url, peer.transport._timeout.read) == (ORDERS.url, 9.0)
    assert peer.profile.name == "current"
    assert await agents.accepted(orders) == ("audio",)
    assert await agents.accepted(parley) == ENDPOINT.accepts
    assert (agents.suggestions_of(orders), agents.suggestions_of(parley)) == (
        ORDERS.suggestions,
        ENDPOINT.suggestions,
    )
    await agents.stop()


async def test_each_agent_of_the_settings_is_looked_for(sqlite):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        found = await several(sqlite, replace(ORDERS, url=place), first=NOWHERE).reached()
    assert found == {"Parley": False, "Orders": True}


async def test_an_agent_that_settings_name_no_more_is_closed_and_one_they_name_again_is_not(sqlite):
    both = several(sqlite, ORDERS)
    await both.start()
    gone = both._rows[1]
    await both.stop()
    alone = several(sqlite)
    await alone.start()
    assert [row.name for row in stored(sqlite)] == ["Parley"]
    with pytest.raises(AgentGone):
        alone.peer(gone)
    assert (await alone.accepted(gone), alone.suggestions_of(gone)) == ((), ())
    with pytest.raises(ConnectFailed, match="Its chats can be read"):
        await anext(aiter(alone.reach(gone).transport.run(None)))
    await alone.stop()
    again = several(sqlite, ORDERS)
    await again.start()
    assert [row.id for row in again._rows] == [row.id for row in both._rows]
    assert not again._rows[1].dropped
    await again.stop()


async def test_an_agent_that_is_called_otherwise_at_its_address_stays_the_agent_of_its_chats(sqlite):
    first = agents_of(sqlite)
    await first.start()
    await first.stop()
    renamed = agents_of(sqlite, replace(ENDPOINT, name="Ada's agent"))
    await renamed.start()
    assert [(row.id, row.name) for row in stored(sqlite)] == [(first.default_id, "Ada's agent")]
    await renamed.stop()


async def test_headers_that_are_lost_are_told_when_the_agent_is_run(sqlite):
    agents = several(sqlite, first=replace(ENDPOINT, accepts=None), keyring=Keyring("one key"))
    await agents.start()
    sealed = Keyring("another key").sealed({"X-Key": "1"})
    added = replace(agents._rows[0], builtin=False, headers_encrypted=sealed)
    assert await agents.accepted(added) == ()
    with pytest.raises(ConnectFailed, match="Enter them again"):
        await anext(agents.reach(added).transport.run(None))
    await agents.stop()


async def test_what_an_admin_wrote_is_suggested_instead_of_what_settings_say(sqlite):
    agents = several(sqlite)
    await agents.start()
    written = replace(agents._rows[0], suggestions=("Hi",))
    assert agents.suggestions_of(written) == (Suggestion("Hi", "Hi"),)
    await agents.stop()


async def test_an_agent_is_offered_the_tools_it_was_given(sqlite):
    agents = several(sqlite)
    await agents.start()
    given = replace(agents._rows[0], tools=("tell_time", "unknown"))
    assert [tool.name for tool in agents.reach(given).tools] == ["tell_time"]
    assert agents.peer(agents._rows[0]).tools == ()
    await agents.stop()
