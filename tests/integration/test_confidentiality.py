"""What an agent thinks, makes and encrypts for itself is kept as the conversation it belongs to, and no looser."""

from contextlib import aclosing

import pytest
from sqlalchemy import select

from chat_app.agui import CURRENT
from chat_app.data import agents
from chat_app.data.records import AgentRecord
from chat_app.data.tables import Base
from chat_app.services.agents import Peer
from chat_app.services.exports import KINDS
from chat_app.services.inbox import Query
from chat_app.services.policy import Refused
from tests.fakes import within
from tests.support.records import an_agent
from tests.support.world import PlayedAgent, World, answer, asking, called, finished, question, started, text

pytest_plugins = ("tests.support.databases",)

CIPHER = "c2VhbGVkLWJ5LWl0cy1tYWtlcg=="
THOUGHT = "The customer sounds angry"
MADE = "artefact-of-a-tool"
STATE = "value-of-a-state"
HANDLE = "file-7f3a-handle"
OTHER = "http://other.example/agent"


class TwoAgents(World):
    """A world with a second agent at an address of its own."""

    def _peer(self, agent: AgentRecord) -> Peer:
        played = self.second if agent.url == OTHER else self.agent
        return Peer(played, CURRENT, self.tools)

    def add_second(self) -> str:
        self.second = PlayedAgent()
        with self.database.transaction() as session:
            record = an_agent(url=OTHER, builtin=False)
            assert agents.create(session, record)
        return record.id


@pytest.fixture
async def world(database):
    async with TwoAgents(database).running() as world:
        yield world


def thought(key: str = "r1") -> list[dict]:
    return [
        {"type": "REASONING_START", "messageId": key},
        {"type": "REASONING_MESSAGE_START", "messageId": key, "role": "reasoning"},
        {"type": "REASONING_MESSAGE_CONTENT", "messageId": key, "delta": THOUGHT},
        {"type": "REASONING_MESSAGE_END", "messageId": key},
        {
            "type": "REASONING_ENCRYPTED_VALUE",
            "subtype": "message",
            "entityId": key,
            "encryptedValue": CIPHER,
        },
        {"type": "REASONING_END", "messageId": key},
    ]


def made(run) -> list[dict]:
    """Script a run that thinks, makes something, keeps a state, and says a word."""
    parts = [
        {"type": "text", "text": MADE},
        {
            "type": "document",
            "source": {"type": "file", "value": HANDLE, "mimeType": "application/pdf"},
            "metadata": {"filename": "paper.pdf"},
        },
    ]
    result = {"type": "TOOL_CALL_RESULT", "messageId": "m1", "toolCallId": "c1", "content": parts}
    begun = {**started(run), "protocolVersion": "1.0"}
    state = {"type": "STATE_SNAPSHOT", "snapshot": {"secret": STATE}}
    return [begun, *thought(), *called("c1"), result, state, *text("a1", "Done."), finished(run)]


def asked_after_a_thought(run) -> list[dict]:
    return [started(run), *thought(), *text("a1", "May I?"), *called("c1"), asking(run, question())]


async def snapshot(world: World, person, thread: str) -> str:
    """Return the frame with which a person begins to follow a thread."""
    async with aclosing(world.threads.follow(person, thread, "")) as feed:
        return await within(anext(feed))


async def test_an_encrypted_value_goes_back_to_the_agent_that_made_it_and_to_no_other(world):
    second = world.add_second()
    thread = await world.said("Hello", made)
    await world.said("And?", answer("Yes"), thread=thread)
    assert CIPHER in world.agent.requests[-1].model_dump_json(by_alias=True)
    world.second.scripts += [answer("Hi"), answer("Still here")]
    elsewhere = await world.chat.send(world.ada, None, "Hello", agent=second)
    await world.idle()
    await world.chat.send(world.ada, elsewhere, "And?")
    await world.idle()
    # a chat stays with its agent, whichever a page names later
    world.agent.scripts.append(answer("Mine"))
    await world.chat.send(world.ada, thread, "Now?", agent=second)
    await world.idle()
    assert len(world.second.requests) == 2
    assert CIPHER not in "".join(one.model_dump_json(by_alias=True) for one in world.second.requests)
    assert THOUGHT not in "".join(one.model_dump_json(by_alias=True) for one in world.second.requests)


async def test_what_an_agent_encrypted_for_itself_is_shown_to_nobody(world):
    thread = await world.said("Hello", made)
    told = [await snapshot(world, world.ada, thread), await world.threads.older(world.ada, thread, 2**31 - 1)]
    told += [
        (await world.services.exports.file(world.ada, thread, kind)).text for kind in ("markdown", "json")
    ]
    assert all(THOUGHT in one for one in told)
    assert CIPHER not in "".join(told)


async def test_a_handle_of_a_file_never_reaches_a_page_to_be_fetched_or_linked(world):
    thread = await world.said("Hello", made)
    shown = await snapshot(world, world.ada, thread)
    assert "paper.pdf" in shown
    assert HANDLE not in shown
    assert HANDLE not in (await world.services.exports.file(world.ada, thread, "markdown")).text


@pytest.mark.parametrize("role", ["user", "approver", "auditor", "admin"])
async def test_thoughts_artefacts_and_state_are_as_closed_as_the_conversation(world, role):
    thread = await world.said("Hello", made)
    other = world.person("who", "Who", role)
    for refused in (
        lambda: snapshot(world, other, thread),
        lambda: world.threads.older(other, thread, 9),
        lambda: world.shared.past(other, thread, 1),
        lambda: world.services.run_details.of_run(other, thread, ""),
        *(lambda kind=kind: world.services.exports.file(other, thread, kind) for kind in KINDS),
    ):
        with pytest.raises(Refused):
            await refused()
    for words in (THOUGHT, MADE, STATE):
        assert await world.search.find(other, words) == []


async def test_who_decides_sees_what_was_said_and_not_what_was_thought(world):
    world.rule({"decide": [{"by": "other", "roles": ["approver"]}]})
    thread = await world.said("Please send it", asked_after_a_thought)
    tom = world.person("tom", "Tom", "approver")
    page = await world.inbox.page(tom, Query(open=world.questions(thread)[0].id))
    assert "Please send it" in repr(page.opened)
    assert "May I?" in repr(page.opened)
    assert THOUGHT not in repr(page)
    assert CIPHER not in repr(page)


async def test_what_is_erased_leaves_no_thought_and_no_artefact_in_any_table(world):
    thread = await world.said("Hello", made)
    assert len(holding(world, CIPHER)) > 0
    await world.removal.delete(world.ada, thread)
    world.clock.forward(days=90)
    world.retention.sweep()
    for words in (THOUGHT, MADE, STATE, CIPHER, HANDLE):
        assert holding(world, words) == set()


def holding(world: World, words: str) -> set[str]:
    """Return the tables that hold some words."""
    with world.database.reading() as session:
        return {
            table.name
            for table in Base.metadata.sorted_tables
            if words in repr(session.execute(select(table)).all())
        }
