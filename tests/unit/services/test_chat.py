import asyncio

import pytest

from chat_app.data import events, exchanges, threads
from chat_app.data.errors import DatabaseBusy
from chat_app.services.chat import LONGEST_MESSAGE, TITLE_LENGTH, Chat
from chat_app.services.policy import Refused
from chat_app.services.problems import (
    AgentClosed,
    Busy,
    EmptyMessage,
    MessageTooLong,
    NothingToRetry,
    NotSafe,
    Restarting,
    Waiting,
)
from tests.fakes import until
from tests.support.world import Gate, World, answer, ask, finished, question, started, text, texts

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


@pytest.fixture
async def both(database):
    async with World(database).running() as world:
        yield world


async def busy(world: World, gate: Gate) -> str:
    world.agent.scripts.append(lambda run: [started(run), gate, *answer("ok")(run)[1:]])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    return thread


def listed(world: World) -> list:
    with world.database.reading() as session:
        return list(threads.listed(session, world.ada.id).threads)


# ---------------------------------------------------------------- send


async def test_the_first_line_makes_a_thread_of_the_configured_agent(world):
    thread = await world.said("Hello there", answer("Hi"))
    made = world.get_thread(thread)
    assert (made.owner, made.agent, made.title) == (world.ada.id, world.agents.default_id, "Hello there")
    assert texts(world.view(thread)) == ["Hello there", "Hi"]


async def test_a_new_thread_is_with_the_agent_that_was_chosen_and_stays_with_it(world):
    orders = world.agent_called("Orders")
    world.agent.scripts.extend([answer("1"), answer("2")])
    thread = await world.chat.send(world.ada, None, "One", agent=orders.id)
    await world.idle()
    await world.chat.send(world.ada, thread, "Two", agent=world.agents.default_id)
    await world.idle()
    assert world.get_thread(thread).agent == orders.id


async def test_a_new_thread_without_a_choice_is_with_the_first_agent_that_is_open(world):
    world.rule({"use": {"roles": []}})
    orders = world.agent_called("Orders")
    assert world.get_thread(await world.said("Hello", answer("Hi"))).agent == orders.id


@pytest.mark.parametrize(
    "closed", [{"enabled": False}, {"dropped": True}, {"policy": {"use": {"roles": []}}}]
)
async def test_an_agent_that_is_closed_is_refused_as_one_that_is_not_there(world, closed):
    orders = world.agent_called("Orders", **closed)
    problems = []
    for claim in (orders.id, "unknown", "\x00"):
        with pytest.raises(AgentClosed) as refused:
            await world.chat.send(world.ada, None, "Hello", agent=claim)
        problems.append(refused.value.problem)
    assert problems[0] == problems[1] == problems[2]
    assert listed(world) == []


async def test_where_no_agent_is_open_nothing_begins(world):
    world.rule({"use": {"roles": []}})
    with pytest.raises(AgentClosed):
        await world.chat.send(world.ada, None, "Hello")
    assert listed(world) == []


async def test_an_agent_that_is_switched_off_ends_what_is_under_way_and_begins_nothing(world):
    gate = Gate()
    thread = await busy(world, gate)
    world.change_agent(world.agents.default_id, enabled=False)
    gate.set()
    await world.idle()
    assert texts(world.view(thread)) == ["Hello", "ok"]
    with pytest.raises(AgentClosed):
        await world.chat.send(world.ada, thread, "Again")
    assert texts(world.view(thread)) == ["Hello", "ok"]


async def test_the_next_line_goes_on_in_the_thread(world):
    thread = await world.said("One", answer("1"))
    assert await world.said("Two", answer("2"), thread=thread) == thread
    assert texts(world.view(thread)) == ["One", "1", "Two", "2"]
    assert world.get_thread(thread).title == "One"


async def test_a_line_is_committed_before_anything_is_sent(world):
    gate = Gate()
    thread = await busy(world, gate)
    with world.database.reading() as session:
        first = events.of_thread(session, thread)[0]
    assert first.type == "user_message"
    assert first.payload["content"] == "Hello"
    assert world.runs(thread)[0].status == "running"
    gate.set()
    await world.idle()


async def test_a_line_that_is_sent_twice_from_a_new_chat_makes_one_thread_and_one_line(both):
    world, gate = both, Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, *answer("ok")(run)[1:]])
    draft = world.chat.draft()
    twice = (world.chat.send(world.ada, None, "Hello", draft=draft) for _ in range(2))
    assert await asyncio.gather(*twice) == [draft, draft]
    with pytest.raises(Busy):
        await world.chat.send(world.ada, None, "And", draft=draft)
    gate.set()
    await world.idle()
    assert await world.said_from(draft, "And", answer("more")) == draft
    assert texts(world.view(draft)) == ["Hello", "ok", "And", "more"]
    assert [thread.id for thread in listed(world)] == [draft]
    assert len(world.agent.requests) == 2


async def test_a_draft_is_one_persons(world):
    draft = await world.said_from(world.chat.draft(), "Hello", answer("ok"))
    with pytest.raises(Refused):
        await world.chat.send(world.bob, None, "Hello", draft=draft)


@pytest.mark.parametrize("text", ["", " ", "\n\t ", "\u2003"])
async def test_nothing_is_not_sent(world, text):
    with pytest.raises(EmptyMessage):
        await world.chat.send(world.ada, None, text)
    assert listed(world) == []


async def test_a_line_over_the_limit_is_not_sent(world):
    with pytest.raises(MessageTooLong):
        await world.chat.send(world.ada, None, "x" * (LONGEST_MESSAGE + 1))
    assert listed(world) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\x00b", "a\ufffdb"),
        ("half \ud83d!", "half \ufffd!"),
        ("whole \ud83d\ude00", "whole 😀"),
        ("\ufeffmark", "\ufeffmark"),
        (" keeps its spaces ", " keeps its spaces "),
    ],
)
async def test_what_cannot_be_stored_is_replaced_and_the_rest_is_kept(world, text, kept):
    thread = await world.said(text, answer("ok"))
    assert texts(world.view(thread))[0] == kept
    assert world.agent.requests[0].messages[0].content == kept


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n  First line  \nsecond", "First line"),
        ("word " * 30, ("word " * 16).strip() + "…"),
        ("x" * 200, "x" * TITLE_LENGTH + "…"),
        ("x" * TITLE_LENGTH, "x" * TITLE_LENGTH),
    ],
)
async def test_a_thread_is_called_like_its_first_line_cut_at_a_word(world, text, title):
    thread = await world.said(text, answer("ok"))
    assert world.get_thread(thread).title == title


async def test_a_second_line_waits_for_the_answer(world):
    gate = Gate()
    thread = await busy(world, gate)
    with pytest.raises(Busy):
        await world.chat.send(world.ada, thread, "And?")
    gate.set()
    await world.idle()
    assert texts(world.view(thread)) == ["Hello", "ok"]


async def test_of_two_lines_at_once_one_is_sent(world):
    thread = await world.said("Hello", answer("Hi"))
    world.agent.scripts.append(answer("ok"))
    send = world.chat.send
    results = await asyncio.gather(
        send(world.ada, thread, "A"), send(world.ada, thread, "B"), return_exceptions=True
    )
    await world.idle()
    assert sorted(map(type, results), key=str) == [Busy, str]
    assert len(world.runs(thread)) == 2


async def test_a_line_waits_for_open_questions(world):
    thread = await world.said("Send it", ask())
    with pytest.raises(Waiting):
        await world.chat.send(world.ada, thread, "Hello?")
    assert len(world.runs(thread)) == 1


async def test_a_foreign_and_an_unknown_thread_are_refused_alike(world):
    foreign = world.thread(world.bob).id
    for thread in (foreign, "unknown"):
        for act in (world.chat.send(world.ada, thread, "Hi"), world.chat.retry(world.ada, thread)):
            with pytest.raises(Refused):
                await act
        with pytest.raises(Refused):
            await world.chat.stop(world.ada, thread)
    assert world.view(foreign).rows == []


async def test_nothing_starts_while_the_server_goes_down(world):
    await world.supervisor.shutdown()
    with pytest.raises(Restarting):
        await world.chat.send(world.ada, None, "Hello")
    assert listed(world) == []


async def test_what_was_committed_runs_even_when_nobody_can_be_told(world):
    class Mute:
        writable = world.threads.writable
        require_agent = world.threads.require_agent
        open_agents = world.threads.open_agents

        async def changed(self, _owner: str, _thread: str) -> None:
            raise DatabaseBusy("away")

    chat = Chat(world.database, world.opener, world.agents, Mute(), world.supervisor)
    world.agent.scripts.append(answer("ok"))
    with pytest.raises(DatabaseBusy):
        await chat.send(world.ada, None, "Hello")
    await world.idle()
    (line,) = listed(world)
    assert texts(world.view(line.id)) == ["Hello", "ok"]


# ---------------------------------------------------------------- retry and stop


async def test_only_what_failed_is_tried_again(world):
    thread = await world.said("Hello", answer("ok"))
    with pytest.raises(NothingToRetry):
        await world.chat.retry(world.ada, thread)
    with pytest.raises(NothingToRetry):
        await world.chat.retry(world.ada, world.thread().id)


async def test_a_live_answer_is_not_tried_again(world):
    gate = Gate()
    thread = await busy(world, gate)
    with pytest.raises(Busy):
        await world.chat.retry(world.ada, thread)
    gate.set()
    await world.idle()


async def test_a_stopped_answer_is_tried_again(world):
    thread = await busy(world, Gate())
    await world.chat.stop(world.ada, thread)
    await world.idle()
    world.agent.scripts.append(answer("at last"))
    assert await world.chat.retry(world.ada, thread) == thread
    await world.idle()
    assert [run.status for run in world.runs(thread)] == ["failed", "success"]
    assert [request.messages[-1].content for request in world.agent.requests] == ["Hello", "Hello"]


async def test_a_stop_is_shown_while_it_takes_effect(world):
    thread = await busy(world, Gate())
    with world.database.transaction() as session:
        exchanges.request_stop(session, thread, by=world.ada.id, now=world.clock())
    assert world.view(thread).run.status == "stopping"


async def test_stopping_a_quiet_thread_changes_nothing(world):
    thread = await world.said("Hello", answer("ok"))
    before = world.view(thread)
    assert await world.chat.stop(world.ada, thread) == thread
    assert world.view(thread) == before


async def test_a_line_nobody_can_see_is_no_line(world):
    with pytest.raises(EmptyMessage):
        await world.chat.send(world.ada, None, "\u200b\u2060 \u202e")


async def test_a_title_holds_nothing_that_turns_it_round(world):
    thread = await world.said("\u202e\u200b\nlive \u202eevil", answer("ok"))
    with world.database.reading() as session:
        assert threads.get(session, thread).title == "live evil"


async def test_a_stop_while_the_agent_waits_gives_its_question_up_and_the_next_line_tells_it(world):
    thread = await world.said("Go", ask())
    await world.chat.stop(world.ada, thread)
    assert world.view(thread).run.status == "idle"
    assert [row.status for row in world.view(thread).rows if row.kind == "approval"] == ["cancelled"]
    assert len(world.agent.requests) == 1
    await world.said("Something else", answer("ok"), thread=thread)
    assert [(entry.interrupt_id, entry.status) for entry in world.agent.requests[-1].resume] == [
        ("q1", "cancelled")
    ]
    assert world.agent.requests[-1].messages[-1].content == "Something else"


async def test_a_stop_is_refused_where_the_agent_may_take_it_for_a_yes(world):
    choice = {"type": "string", "enum": ["a"]}
    risky = question("q1", None, reason="crewai:human_feedback", responseSchema=choice)
    thread = await world.said("Go", ask(risky))
    with pytest.raises(NotSafe):
        await world.chat.stop(world.ada, thread)
    assert world.view(thread).run.status == "waiting"


async def test_an_agent_that_echoes_the_line_under_another_id_is_answered_all_the_same(world):
    def echoing(run):
        echoed = [{"id": "theirs", "role": "user", "content": "Hello"}]
        said_so = [*echoed, {"id": "a", "role": "assistant", "content": "Hi"}]
        asked = {"threadId": run.thread_id, "runId": run.run_id, "state": {}, "messages": echoed}
        more = {"input": {**asked, "tools": [], "context": [], "forwardedProps": {}}}
        snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": said_so}
        return [{**started(run), **more}, *text("a", "Hi"), snapshot, finished(run)]

    thread = await world.said("Hello", echoing)
    assert [run.status for run in world.runs(thread)] == ["success"]
    assert [row.kind for row in world.view(thread).rows] == ["user", "turn"]
