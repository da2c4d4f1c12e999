import asyncio

import pytest

from chat_app.cli.doctor_agent import Patient, examine_agent, read_declaration
from chat_app.settings import Settings
from tests.support.agent_harness import TOKEN
from tests.support.processes import free_port, running

APP = "tests.support.agent_app:app"
GOOD = f"Authorization: Bearer {TOKEN}"


@pytest.fixture
async def server():
    port = free_port()
    arguments = ["-m", "uvicorn", APP, "--port", str(port), "--log-level", "warning"]
    async with running(arguments, port=port, AGENT_PACE="0.05") as server:
        yield server


async def findings(
    url: str, *headers: str, asking: str = "", tmp_path, **settings
) -> dict[str, tuple[bool, str]]:
    """Look in a thread: the doctor has a loop of its own."""
    patient = Patient(url=url, headers=headers, asking=asking, limit=60)
    found = await asyncio.to_thread(examine_agent, Settings(data_dir=tmp_path, **settings), patient)
    return {one.subject.removeprefix("agent: "): (one.well, one.words) for one in found}


@pytest.mark.faults
async def test_the_embedded_agent_is_well_in_every_look(server, tmp_path):
    found = await findings(f"{server.url}/agent", GOOD, asking="Refund order T-1042", tmp_path=tmp_path)
    assert all(well for well, _ in found.values()), found
    assert found["asks and goes on"] == (True, "1")
    assert "tools" in found["declares"][1]


@pytest.mark.faults
async def test_a_wrong_token_is_not_let_in(server, tmp_path):
    found = await findings(f"{server.url}/agent", "Authorization: Bearer wrong", tmp_path=tmp_path)
    assert (found["reached"][0], found["let in"][0]) == (True, False)
    assert found["let in"][1].startswith("401")


@pytest.mark.faults
async def test_a_broken_agent_is_told_by_what_it_breaks(server, tmp_path):
    found = await findings(f"{server.url}/awkward/unbracketed", tmp_path=tmp_path, agent_profile="current")
    assert not found["one run, start to end"][0]


async def test_a_dead_address_is_not_reached(tmp_path):
    found = await findings("http://127.0.0.1:1/agent", tmp_path=tmp_path)
    assert [well for well, _ in found.values()] == [False]


@pytest.mark.parametrize(("url", "header"), [("nowhere", "a: b"), ("http://127.0.0.1:1", "no colon")])
async def test_what_cannot_be_tried_is_said_in_words(url, header, tmp_path):
    ((well, words),) = (await findings(url, header, tmp_path=tmp_path)).values()
    assert (well, bool(words)) == (False, True)


@pytest.mark.faults
async def test_the_headers_of_the_settings_go_to_their_own_agent_alone(server, tmp_path):
    own = {"agent_url": f"{server.url}/agent", "agent_headers": GOOD}
    found = await findings(f"{server.url}/agent", tmp_path=tmp_path, **own)
    assert found["let in"][0]
    found = await findings(f"{server.url}/agent/", tmp_path=tmp_path, **own)
    assert not found["let in"][0]


async def test_a_further_agent_of_the_settings_is_sent_its_own_headers(server, tmp_path):
    name, _, value = GOOD.partition(": ")
    orders = {"url": f"{server.url}/agent", "headers": {name: value}, "profile": "current"}
    found = await findings(f"{server.url}/agent", tmp_path=tmp_path, agents={"Orders": orders})
    assert found["let in"][0]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1/agent", "nowhere"])
async def test_who_is_not_there_declares_nothing(url):
    assert await read_declaration(url, {}, within=1.0) is None
