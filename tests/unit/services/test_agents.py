import socket
from dataclasses import replace

import httpx
import pytest

from chat_app.agui import ConfigError, HttpTransport
from chat_app.data import agents as rows
from chat_app.services.agents import Agents
from tests.fakes import FakeClock, counting_ids
from tests.support.world import ENDPOINT

pytest_plugins = ("tests.support.databases",)


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
    one, other = agents.peer(agents._row), agents.peer(agents._row)
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
    assert agents.peer(agents._row).profile.name == profile
    await agents.stop()


async def test_an_unknown_profile_is_refused(sqlite):
    agents = agents_of(sqlite, replace(ENDPOINT, profile="lax"))
    await agents.start()
    with pytest.raises(ConfigError):
        agents.peer(agents._row)
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
    transport = agents.peer(replace(agents._row, policy=policy)).transport
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
    assert await agents_of(sqlite).accepted() == ENDPOINT.accepts


async def test_an_agent_is_asked_once_what_it_takes_with_its_headers(sqlite):
    asked = Asked(declaring(image=True, pdf=True, audio=False))
    agents = await undeclared(sqlite, FakeClock(), asked)
    assert await agents.accepted() == ("image", "pdf")
    assert await agents.accepted() == ("image", "pdf")
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
    assert await agents.accepted() == ()
    assert await agents.accepted() == ()
    assert len(asked.requests) == 1
    clock.forward(seconds=61)
    assert await agents.accepted() == ("image",)
    await agents.stop()


async def test_an_agent_that_declares_no_files_takes_none(sqlite):
    agents = await undeclared(sqlite, FakeClock(), Asked(httpx.Response(200, json={})))
    assert await agents.accepted() == ()
    await agents.stop()


# ---------------------------------------------------------------- what an agent says of itself


async def test_an_agent_says_of_itself_what_it_likes(sqlite):
    asked = Asked(httpx.Response(200, json={"tools": ["look"]}))
    agents = await undeclared(sqlite, FakeClock(), asked)
    assert await agents.declared(agents._row) == {"tools": ["look"]}
    (request,) = asked.requests
    assert str(request.url) == f"{ENDPOINT.url}/capabilities"
    assert request.headers["authorization"] == "Bearer secret"
    await agents.stop()


async def test_an_added_agent_is_asked_at_its_own_address_without_the_headers_of_ours(sqlite):
    asked = Asked(httpx.Response(200, json=[]))
    agents = await undeclared(sqlite, FakeClock(), asked)
    await agents._added.aclose()
    agents._added = httpx.AsyncClient(transport=httpx.MockTransport(asked))
    added = replace(agents._row, builtin=False, url="http://added.example/agent/")
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
    assert await agents.declared(agents._row) is None
    await agents.stop()


async def test_an_agent_is_reached_where_something_listens(sqlite):
    with socket.create_server(("127.0.0.1", 0)) as listening:
        place = f"http://127.0.0.1:{listening.getsockname()[1]}/"
        assert await agents_of(sqlite, replace(ENDPOINT, url=place)).reached() == {"Parley": True}


async def test_an_agent_is_not_reached_where_nothing_listens(sqlite):
    nowhere = replace(ENDPOINT, url="http://127.0.0.1:1/")
    assert await agents_of(sqlite, nowhere).reached() == {"Parley": False}
