import asyncio
from dataclasses import replace

import httpx
import pytest

from chat_app.services.declaring import Asking, Declarations
from tests.fakes import FakeClock, until
from tests.support.records import NOON, SECOND, an_agent

AGENT = an_agent(url="http://agent.example/agent/", updated=NOON)


class Answering:
    """An agent that declares what it is given to declare; it waits with each answer while it is held."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []
        self.free = asyncio.Event()
        self.free.set()

    async def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(str(request.url))
        await self.free.wait()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def declaring(**kinds: bool) -> httpx.Response:
    return httpx.Response(200, json={"multimodal": {"input": kinds}})


def declarations(agent: Answering, clock: FakeClock) -> Declarations:
    client = httpx.AsyncClient(transport=httpx.MockTransport(agent))
    return Declarations(lambda one: Asking(client, one.url, {}), now=clock)


async def test_an_agent_is_asked_below_its_address():
    agent = Answering(httpx.Response(200, json={"tools": {"supported": True}}))
    assert await declarations(agent, FakeClock()).of(AGENT) == {"tools": {"supported": True}}
    assert agent.asked == ["http://agent.example/agent/capabilities"]


async def test_each_agent_is_asked_once_until_it_is_changed():
    agent, other = Answering(declaring(image=True), declaring(pdf=True), declaring(audio=True)), an_agent()
    asked = declarations(agent, FakeClock())
    assert await asked.accepted(AGENT) == ("image",)
    assert await asked.accepted(other) == ("pdf",)
    assert await asked.accepted(AGENT) == ("image",)
    changed = replace(AGENT, updated=NOON + SECOND)
    assert await asked.accepted(changed) == ("audio",)
    assert await asked.accepted(changed) == ("audio",)


async def test_who_comes_while_an_agent_is_asked_does_not_ask_as_well():
    agent = Answering(declaring(image=True))
    asked = declarations(agent, FakeClock())
    agent.free.clear()
    first = asyncio.ensure_future(asked.accepted(AGENT))
    await until(lambda: agent.asked)
    assert await asked.accepted(AGENT) == ()
    agent.free.set()
    assert await first == ("image",)
    assert len(agent.asked) == 1


@pytest.mark.parametrize(
    "failure", [httpx.ConnectError("away"), httpx.Response(404), httpx.Response(200, text="<")]
)
async def test_what_could_not_be_had_is_asked_for_again_a_minute_later(failure):
    clock, agent = FakeClock(), Answering(failure, declaring(image=True))
    asked = declarations(agent, clock)
    assert await asked.accepted(AGENT) == ()
    assert await asked.accepted(AGENT) == ()
    clock.forward(seconds=61)
    assert await asked.accepted(AGENT) == ("image",)


@pytest.mark.parametrize("declared", [{}, [], {"multimodal": {}}, {"multimodal": 5}])
async def test_what_is_not_declared_is_not_taken(declared):
    agent = Answering(httpx.Response(200, json=declared))
    assert await declarations(agent, FakeClock()).accepted(AGENT) == ()
