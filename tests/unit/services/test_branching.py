import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from chat_app.data import branches, events
from chat_app.data.agents import agent as agent_table
from chat_app.data.errors import ThreadBusy
from chat_app.data.events import run_event
from chat_app.services.approvals import Answer
from chat_app.services.branching import Branching
from chat_app.services.openings import Opener
from chat_app.services.policy import Refused
from chat_app.services.problems import Busy, EmptyMessage, NotEditable, Restarting, Unreadable
from chat_app.services.verify import verdict
from tests.fakes import until
from tests.support.world import (
    Gate,
    World,
    answer,
    ask,
    called,
    finished,
    started,
    text,
    texts,
    unreachable,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture
def branching(world) -> Branching:
    return Branching(world.database, world.opener, world.threads, world.supervisor)


def numbered(n: int):
    """Script a run that sets the state and says something under an id that every run uses."""
    state = {"type": "STATE_SNAPSHOT", "snapshot": {"n": n, "long": "x" * 200}}
    return lambda run: [started(run), state, *text("same", f"answer {n}"), finished(run)]


async def talked(world) -> str:
    thread = await world.said("One", numbered(1))
    return await world.said("Two", numbered(2), thread=thread)


def line(world, thread: str, words: str) -> str:
    """Return the key of the row that says something."""
    rows = world.view(thread).rows
    return next(row.key for row in rows if any(part.text == words for part in row.parts))


async def turned(world, act) -> str:
    thread = await act
    await world.idle()
    return thread


def sound(world, thread: str) -> bool:
    """Say whether every branch is what its log folds to, times included."""
    with world.database.reading() as session:
        looked_at = verdict(session, thread)
    return not looked_at.differences and bool(looked_at.rows)


def ways(world, thread: str) -> dict[str, tuple[list[int], int]]:
    return {row.parts[0].text: (row.ways, row.way) for row in world.view(thread).rows if row.ways}


def asked_of(world) -> list[str]:
    return [message.content for message in world.agent.requests[-1].messages]


async def test_an_edited_line_goes_on_from_what_came_before_it(world, branching):
    thread = await talked(world)
    world.agent.scripts.append(numbered(3))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "Two"), "Deux"))

    assert texts(world.view(thread)) == ["One", "answer 1", "Deux", "answer 3"]
    assert asked_of(world) == ["One", "answer 1", "Deux"]
    assert world.agent.requests[-1].state["n"] == 1
    assert ways(world, thread) == {"Deux": ([0, 1], 1)}
    assert sound(world, thread)


async def test_the_first_line_can_be_edited(world, branching):
    thread = await talked(world)
    world.agent.scripts.append(numbered(3))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "One"), "Un"))

    assert texts(world.view(thread)) == ["Un", "answer 3"]
    assert asked_of(world) == ["Un"]
    assert sound(world, thread)


@pytest.mark.parametrize("row", ["Two", "answer 2"])
async def test_an_answer_is_given_again_to_the_same_line(world, branching, row):
    thread = await talked(world)
    world.agent.scripts.append(numbered(3))
    await turned(world, branching.regenerate(world.ada, thread, line(world, thread, row)))

    assert texts(world.view(thread)) == ["One", "answer 1", "Two", "answer 3"]
    assert asked_of(world) == ["One", "answer 1", "Two"]
    assert ways(world, thread) == {"answer 3": ([0, 1], 1)}
    assert sound(world, thread)


async def test_alternatives_to_one_line_stand_side_by_side(world, branching):
    thread = await talked(world)
    for number, words in enumerate(["Deux", "Zwei"], 3):
        world.agent.scripts.append(numbered(number))
        last = world.view(thread).rows[-2].key
        await turned(world, branching.edit(world.ada, thread, last, words))
    world.agent.scripts.append(numbered(5))
    await turned(world, branching.regenerate(world.ada, thread, line(world, thread, "Zwei")))
    world.agent.scripts.append(numbered(6))
    await turned(world, branching.regenerate(world.ada, thread, line(world, thread, "Zwei")))

    assert ways(world, thread) == {"Zwei": ([0, 1, 2], 2), "answer 6": ([2, 3, 4], 2)}
    assert sound(world, thread)


async def test_what_was_left_is_there_again_when_it_is_chosen(world, branching):
    thread = await talked(world)
    before = world.view(thread).rows
    world.agent.scripts.append(numbered(3))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "One"), "Un"))
    await branching.choose(world.ada, thread, 0)

    assert texts(world.view(thread)) == ["One", "answer 1", "Two", "answer 2"]
    assert [row.key for row in world.view(thread).rows] == [row.key for row in before]
    assert world.get_thread(thread).state["n"] == 2
    assert ways(world, thread) == {"One": ([0, 1], 0)}
    await world.said("Three", numbered(4), thread=thread)
    # the agent used one id twice, and history joins what has one id
    assert asked_of(world) == ["One", "answer 1answer 2", "Two", "Three"]
    await branching.choose(world.ada, thread, 1)
    assert texts(world.view(thread)) == ["Un", "answer 3"]
    assert sound(world, thread)


async def test_a_line_before_the_fork_can_be_edited_from_the_branch(world, branching):
    thread = await talked(world)
    world.agent.scripts.append(numbered(3))
    await turned(world, branching.regenerate(world.ada, thread, line(world, thread, "Two")))
    world.agent.scripts.append(numbered(4))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "Two"), "Deux"))

    with world.database.reading() as session:
        assert [(one.parent, one.number) for one in branches.of_thread(session, thread)] == [
            (None, 0),
            (0, 1),
            (0, 2),
        ]
    assert texts(world.view(thread)) == ["One", "answer 1", "Deux", "answer 4"]
    assert sound(world, thread)


async def test_calls_are_part_of_what_a_branch_begins_with(world, branching):
    thread = await world.said("One", lambda run: [started(run), *called("c0"), finished(run)])
    await world.said("Two", answer("2"), thread=thread)
    world.agent.scripts.append(answer("3"))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "Two"), "Deux"))

    statuses = [part.status for row in world.view(thread).rows for part in row.parts if part.kind == "tool"]
    assert statuses == ["done"]
    assert sound(world, thread)


async def test_a_question_that_is_left_behind_is_superseded(world, branching):
    thread = await world.said("One", ask())
    world.agent.scripts.append(answer("ok"))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "One"), "Un"))

    assert world.view(thread).run.status == "idle"
    assert [row.kind for row in world.view(thread).rows] == ["user", "turn"]
    await branching.choose(world.ada, thread, 0)
    assert [one.status for one in world.questions(thread)] == ["superseded"]


async def test_a_question_of_another_branch_does_not_wait_in_this_one(world, branching):
    thread = await talked(world)
    world.agent.scripts.append(ask())
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "Two"), "Deux"))
    assert world.get_thread(thread).mark == "waiting"
    await branching.choose(world.ada, thread, 0)

    assert (world.view(thread).run.status, world.get_thread(thread).mark) == ("idle", "")
    await branching.choose(world.ada, thread, 1)
    assert (world.view(thread).run.status, world.get_thread(thread).mark) == ("waiting", "waiting")
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, world.questions(thread)[0].id, Answer("approve"))
    await world.idle()
    assert texts(world.view(thread))[-1] == "ok"
    assert sound(world, thread)


async def test_a_failed_branch_says_so_and_can_be_tried_again(world, branching):
    thread = await talked(world)
    world.agent.scripts.append(lambda run: [started(run), ConnectionError()])
    with capture_logs():
        await turned(world, branching.edit(world.ada, thread, line(world, thread, "Two"), "Deux"))
    await branching.choose(world.ada, thread, 0)
    assert world.get_thread(thread).mark == ""
    assert [row.kind for row in world.view(thread).rows if row.kind == "note"] == []
    await branching.choose(world.ada, thread, 1)
    assert world.get_thread(thread).mark == "failed"
    world.agent.scripts.append(numbered(4))
    await world.chat.retry(world.ada, thread)
    await world.idle()

    assert asked_of(world) == ["One", "answer 1", "Deux"]
    assert sound(world, thread)


async def test_an_agent_that_keeps_its_history_gets_a_new_thread(world, branching):
    thread = await talked(world)
    with world.database.transaction() as session:
        session.execute(update(agent_table).values(keeps_history=True))
    world.agent.scripts.append(numbered(3))
    await turned(world, branching.edit(world.ada, thread, line(world, thread, "Two"), "Deux"))

    assert [request.thread_id for request in world.agent.requests] == [thread, thread, f"{thread}~1"]
    await branching.choose(world.ada, thread, 0)
    assert world.get_thread(thread).wire_id == thread


async def test_every_turn_is_in_the_log(world, branching):
    thread = await talked(world)
    world.agent.scripts.append(numbered(3))
    key = line(world, thread, "Two")
    row = next(row for row in world.messages(thread) if row.key == key)
    await turned(world, branching.edit(world.ada, thread, key, "Deux"))

    with world.database.reading() as session:
        acts = [one.payload for one in events.of_thread(session, thread) if one.type == "edit"]
    assert acts == [{"branch": 1, "parent": 0, "fork": row.position, "of": row.wire_id}]


async def test_what_is_not_there_cannot_be_turned_at(world, branching):
    thread = await talked(world)
    for key in ("unknown", line(world, thread, "answer 1")):
        with pytest.raises(NotEditable):
            await branching.edit(world.ada, thread, key, "x")
    with pytest.raises(NotEditable):
        await branching.regenerate(world.ada, thread, "unknown")
    with pytest.raises(NotEditable):
        await branching.choose(world.ada, thread, 1)
    with pytest.raises(EmptyMessage):
        await branching.edit(world.ada, thread, line(world, thread, "Two"), " ")
    with pytest.raises(Refused):
        await branching.choose(world.bob, thread, 0)


async def test_while_an_answer_is_under_way_nothing_turns(world, branching):
    thread = await talked(world)
    gate = Gate()
    world.agent.scripts.append(lambda run: [started(run), gate, finished(run)])
    await world.chat.send(world.ada, thread, "Three")
    await until(lambda: world.agent.waiting)

    for act in (
        branching.edit(world.ada, thread, line(world, thread, "Two"), "x"),
        branching.choose(world.ada, thread, 0),
    ):
        with pytest.raises(Busy):
            await act
    gate.set()
    await world.idle()


async def test_a_server_that_goes_down_turns_nothing(world, branching):
    thread = await talked(world)
    await world.supervisor.shutdown()
    with pytest.raises(Restarting):
        await branching.regenerate(world.ada, thread, line(world, thread, "Two"))


async def test_a_log_that_cannot_be_read_leaves_the_chat_as_it_is(world, branching):
    thread = await talked(world)
    with world.database.transaction() as session:
        session.execute(update(run_event).where(run_event.c.type == "RUN_STARTED").values(payload={}))
    with pytest.raises(Unreadable):
        await branching.regenerate(world.ada, thread, line(world, thread, "Two"))

    with world.database.reading() as session:
        assert branches.of_thread(session, thread) == ()


async def test_a_send_from_elsewhere_that_was_faster_is_waited_for(world):
    thread = await talked(world)

    class Beaten(Opener):
        def open(self, *_args, **_options):
            raise ThreadBusy(thread)

    beaten = Beaten(worker="w", now=world.clock, new_id=world.new_id)
    branching = Branching(world.database, beaten, world.threads, world.supervisor)
    with pytest.raises(Busy):
        await branching.regenerate(world.ada, thread, line(world, thread, "Two"))

    with world.database.reading() as session:
        assert branches.of_thread(session, thread) == ()


async def test_names_that_nothing_can_have_are_answered_in_words(world, branching):
    thread = await talked(world)
    with pytest.raises(NotEditable):
        await branching.edit(world.ada, thread, "a\x00b", "Deux")
    with pytest.raises(NotEditable):
        await branching.regenerate(world.ada, thread, "k" * 100_000)
    with pytest.raises(NotEditable):
        await branching.choose(world.ada, thread, 2**70)
    for nothing in ("", "\x00", "t" * 65):
        with pytest.raises(Refused):
            await branching.edit(world.ada, nothing, "k", "Deux")


async def test_a_way_back_stands_beside_the_note_of_a_branch_that_said_nothing(world, branching):
    thread = await world.said("One", numbered(1))
    world.agent.scripts.append(unreachable)
    await turned(world, branching.regenerate(world.ada, thread, line(world, thread, "One")))
    note = world.view(thread).rows[-1]
    assert (note.kind, len(note.ways), note.way) == ("note", 2, 1)
    await branching.choose(world.ada, thread, note.ways[0])
    assert texts(world.view(thread)) == ["One", "answer 1"]
