"""An agent that is changed, switched off or gone while it answers: what runs ends first, by itself or by us."""

import asyncio

import pytest

from chat_app.data.records import AgentRecord
from chat_app.services.agent_book import Written
from chat_app.services.agents import Peer
from chat_app.services.approvals import Answer
from chat_app.services.keyring import Keyring
from chat_app.services.problems import AgentClosed
from tests.fakes import until
from tests.support.raw_server import END, raw_server, sse, stream_head
from tests.support.world import World, texts

pytest_plugins = ("tests.support.databases",)


class Reached(World):
    """A world that talks to agents over HTTP, as wiring does."""

    def _peer(self, agent: AgentRecord) -> Peer:
        return self.agents.reach(agent)


@pytest.fixture
async def world(sqlite):
    async with Reached(sqlite, private=True).running() as world:
        yield world


def begun(words: str) -> tuple[bytes, ...]:
    opened = {"type": "TEXT_MESSAGE_START", "messageId": "a", "role": "assistant"}
    said = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": words}
    return (stream_head(), sse({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}, opened, said))


FINISHED = (
    sse(
        {"type": "TEXT_MESSAGE_END", "messageId": "a"},
        {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"},
    ),
    END,
)


def written(url: str) -> Written:
    return Written(name="Orders", url=url)


async def saying(world: World, agent: str, words: str) -> str:
    """Let Ada ask an agent, and return the thread once the agent has said something."""
    thread = await world.chat.send(world.ada, None, "Hello", agent=agent)
    await until(lambda: words in texts(world.view(thread)))
    return thread


async def test_an_agent_at_another_address_finishes_what_runs_and_is_asked_there_from_then_on(world):
    admin, gate = world.person("eve", "Eve", "admin"), asyncio.Event()
    async with (
        raw_server((*begun("From the old one"), gate, *FINISHED)) as old,
        raw_server((*begun("From the new one"), *FINISHED)) as new,
    ):
        agent = await world.agent_book.add(admin, written(old.url))
        thread = await saying(world, agent, "From the old one")
        await world.agent_book.change(admin, agent, written(new.url))
        gate.set()
        await world.idle()
        await world.chat.send(world.ada, thread, "And now?")
        await world.idle()
    assert [run.status for run in world.runs(thread)] == ["success", "success"]
    assert texts(world.view(thread))[-1] == "From the new one"
    assert (len(old.requests), len(new.requests)) == (1, 1)


async def test_an_agent_that_is_switched_off_finishes_what_runs_and_begins_nothing(world):
    admin, gate = world.person("eve", "Eve", "admin"), asyncio.Event()
    async with raw_server((*begun("One moment"), gate, *FINISHED)) as server:
        agent = await world.agent_book.add(admin, written(server.url))
        thread = await saying(world, agent, "One moment")
        await world.agent_book.switch(admin, agent, enabled=False)
        gate.set()
        await world.idle()
        with pytest.raises(AgentClosed):
            await world.chat.send(world.ada, thread, "And now?")
    assert [run.status for run in world.runs(thread)] == ["success"]


async def test_a_question_is_answered_to_an_agent_that_was_switched_off_meanwhile(world):
    admin = world.person("eve", "Eve", "admin")
    asking = {"type": "RUN_FINISHED", "threadId": "t", "runId": "r"} | {
        "outcome": {"type": "interrupt", "interrupts": [{"id": "q", "reason": "confirmation"}]}
    }
    started = {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
    async with raw_server(
        (stream_head(), sse(started, asking), END), (*begun("Thank you"), *FINISHED)
    ) as server:
        agent = await world.agent_book.add(admin, written(server.url))
        thread = await world.chat.send(world.ada, None, "Hello", agent=agent)
        await world.idle()
        await world.agent_book.switch(admin, agent, enabled=False)
        await world.approvals.decide(world.ada, world.questions(thread)[0].id, Answer("approve"))
        await world.idle()
    assert [run.status for run in world.runs(thread)] == ["interrupted", "success"]
    assert server.requests[-1].json()["resume"][0]["interruptId"] == "q"


@pytest.mark.parametrize("lost", ["headers", "settings"])
async def test_a_run_with_an_agent_that_cannot_be_talked_to_ends_in_words_and_its_chat_goes_on(world, lost):
    sealed = Keyring("another key").sealed({"X-Key": "1"})
    broken = {"headers_encrypted": sealed} if lost == "headers" else {"builtin": True}
    agent = world.agent_called("Orders", url="http://127.0.0.1:1/", **broken)
    thread = await world.chat.send(world.ada, None, "Hello", agent=agent.id)
    await world.idle()
    (run,) = world.runs(thread)
    assert run.status == "failed"
    assert run.error_message.startswith(
        "The headers of this agent cannot be read" if lost == "headers" else "This agent is not there"
    )
    await world.chat.retry(world.ada, thread)
    await world.idle()
    assert [run.status for run in world.runs(thread)] == ["failed", "failed"]


async def test_what_runs_is_ended_before_the_connections_to_agents_are_closed(sqlite):
    async with raw_server((*begun("One moment"), asyncio.Event())) as server:
        world = Reached(sqlite, private=True)
        await world.services.start()
        agent = await world.agent_book.add(world.person("eve", "Eve", "admin"), written(server.url))
        thread = await saying(world, agent, "One moment")
        await world.services.stop()
        await server.gone.wait()
    assert [(run.status, run.error_code) for run in world.runs(thread)] == [("failed", "SERVER_RESTART")]
    assert "One moment" in texts(world.view(thread))
    assert world.agents._client.is_closed
