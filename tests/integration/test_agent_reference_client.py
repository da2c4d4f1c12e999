"""The reference client of AG-UI, from npm, chats with our agent over HTTP, run by the bun of this environment."""

import asyncio
import json
import shutil
import sys
from pathlib import Path

import pytest

from chat_app.agent.scenarios import SCENARIOS, TALK
from tests.support.agent_harness import TOKEN
from tests.support.processes import ROOT, free_port, running

pytestmark = pytest.mark.live

CLIENT = ROOT / "tests" / "reference_client"
BUN = Path(sys.executable).with_name("bun")

APPROVE, TRAIN = {"approved": True}, "08:40, one change"
FORMS = {"booking": {"day": "2030-05-02", "work": "Check-up"}, "trip": {"train": TRAIN}}
TOOLS = [
    {"name": name, "description": f"{name} of the client", "parameters": {"type": "object", "properties": {}}}
    for name in ("show_card", "local_time")
]
ANSWERS = {"show_card": "drawn", "local_time": "12:34"}
FAILS = {"fail": "UPSTREAM_FAILED", "crash": "AGENT_ERROR", "fail-before": "UNAVAILABLE"}


async def bun(*arguments, cwd, stdin=b""):
    process = await asyncio.create_subprocess_exec(
        BUN,
        *arguments,
        cwd=cwd,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, said = await asyncio.wait_for(process.communicate(stdin), 100)
    assert process.returncode == 0, said.decode()
    return out


@pytest.fixture(scope="session")
def installed(tmp_path_factory):
    """The client's packages, as the committed lock names them."""
    home = tmp_path_factory.mktemp("reference_client")
    for name in ("package.json", "bun.lock", "converse.mjs"):
        shutil.copy(CLIENT / name, home)
    asyncio.run(bun("install", "--frozen-lockfile", "--ignore-scripts", cwd=home))
    return home


@pytest.fixture
async def converse(installed):
    port = free_port()
    arguments = [
        "-m",
        "uvicorn",
        "tests.support.agent_app:app",
        "--port",
        str(port),
        "--log-level",
        "warning",
    ]
    async with running(arguments, port=port, AGENT_PACE="0") as server:

        async def converse(*conversations):
            asked = {"url": f"{server.url}/agent", "token": TOKEN, "conversations": conversations}
            return json.loads(await bun("converse.mjs", cwd=installed, stdin=json.dumps(asked).encode()))

        yield converse


def talk(name, *lines, **fields):
    resume = {"tool_call": APPROVE, "input_required": FORMS.get(name)}
    return {"name": name, "lines": lines, "tools": TOOLS, "answers": ANSWERS, "resume": resume} | fields


def spoken(conversation):
    texts = [message.get("content") for message in conversation["messages"] if message["role"] == "assistant"]
    return "\n".join(text for text in texts if text)


async def test_every_scenario_is_accepted_without_a_warning(converse):
    scenarios = [scenario for scenario in (*SCENARIOS, TALK) if scenario.id != "silent"]
    told = await converse(*(talk(scenario.id, scenario.phrase) for scenario in scenarios))
    for conversation in told:
        name, runs = conversation["name"], conversation["runs"]
        assert not [warning for one in runs for warning in one["warnings"]], conversation
        assert [one["runError"] for one in runs] == [FAILS.get(name)] * len(runs), conversation
        if name not in FAILS:
            assert not [one["error"] for one in runs if one["error"]], conversation
            assert runs[-1]["outcome"] == ("cancelled" if name == "give-up" else "success")


async def test_a_frontend_tool_runs_and_its_answer_is_used(converse):
    (told,) = await converse(talk("clock", "What time is it here?"))
    first, second = told["runs"]
    assert len(first["pending"]) == 1
    assert second["pending"] == []
    assert "Your clock says: **12:34**." in spoken(told)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (APPROVE, "Done: **184.5 EUR to Ines Marlow**"),
        ({"approved": False, "reason": "too much"}, "You said: “too much”."),
        (None, "was cancelled, so nothing was paid"),
    ],
    ids=["approved", "rejected", "cancelled"],
)
async def test_an_interrupt_is_resumed(converse, payload, words):
    (told,) = await converse(talk("refund", "Refund order T-1042", resume={"tool_call": payload}))
    first, second = told["runs"]
    assert [one["reason"] for one in first["interrupts"]] == ["tool_call"]
    assert second["outcome"] == "success"
    assert words in spoken(told)
    results = [message for message in told["messages"] if message["role"] == "tool"]
    assert [message["toolCallId"] for message in results] == [first["interrupts"][0]["toolCallId"]]


async def test_the_state_goes_round(converse):
    (told,) = await converse(
        talk("board", "Add to the board: oil the chain", "Add to the board: check the brakes")
    )
    assert [task["title"] for task in told["state"]["app"]["tasks"]] == ["oil the chain", "check the brakes"]
    assert told["state"]["status"] == "idle"


async def test_a_client_that_leaves_can_ask_again(converse):
    left = talk("silent", "Say nothing", stopAfter="STATE_SNAPSHOT")
    _, told = await converse(left, talk("echo", "Echo: still here"))
    assert spoken(told) == "still here"
