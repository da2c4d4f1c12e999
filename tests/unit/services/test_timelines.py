"""What happened in a run, for those who may read its thread."""

import json

import pytest

from chat_app.data import events, threads
from chat_app.services.approvals import Answer
from chat_app.services.masking import MASK
from chat_app.services.policy import Refused
from chat_app.services.timelines import LONGEST, PAGE, Unopened
from tests.support.records import an_event
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)
SECRET = "what Ada said"


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture
def eve(world):
    return world.person("eve", "Eve", "auditor")


async def asked(world: World) -> tuple[str, str]:
    """Let Ada ask something that waits; return her thread and the run."""
    thread = await world.said(SECRET, ask(question(message=SECRET)))
    return thread, world.runs(thread)[0].id


async def test_a_run_is_told_with_its_events_and_what_it_asked(world, eve):
    thread, run = await asked(world)
    world.agent.scripts.append(answer("Done"))
    said = Answer(kind="reject", note="not today")
    await world.approvals.decide(world.ada, world.questions(thread)[0].id, said)
    await world.idle()
    await world.viewing.open(eve, thread, "a complaint")
    told = await world.timelines.of_run(eve, run)
    assert (told.thread.owner_name, told.by, told.cause, told.run.status) == (
        "Ada",
        "Ada",
        "send",
        "interrupted",
    )
    assert (told.first, told.after, told.total) == (True, "", len(told.events))
    assert [one.type for one in told.events][-1] == "RUN_FINISHED"
    assert told.events[0].after_ms >= 0
    assert all(
        one.size == len(json.dumps(json.loads(one.payload), separators=(",", ":"))) for one in told.events
    )
    (one,) = told.questions
    assert (one.tool, one.kind, one.by, one.note, one.message) == (
        "send_mail",
        "reject",
        "Ada",
        "not today",
        SECRET,
    )
    assert one.wait is not None
    assert told.waited > 0
    assert [lane.kind for lane in told.lanes] == ["agent", "tool", "wait"]
    assert told.others == ((run, "interrupted"),)


async def test_a_question_that_waits_or_expired_has_nobody_who_decided(world, eve):
    thread, run = await asked(world)
    await world.viewing.open(eve, thread, "a complaint")
    (one,) = (await world.timelines.of_run(eve, run)).questions
    assert (one.status, one.kind, one.by, one.wait) == ("pending", "", "", None)


async def test_a_long_run_comes_in_pages(world, eve):
    thread, run = await asked(world)
    with world.database.transaction() as session:
        first = threads.reserve(session, thread, count=2 * PAGE)
        more = [
            an_event(thread=thread, seq=first + one, run=run, payload={"n": one, "token": "s3cret"})
            for one in range(2 * PAGE)
        ]
        events.append(session, more)
    await world.viewing.open(eve, thread, "a complaint")
    page = await world.timelines.of_run(eve, run)
    seen = [one.seq for one in page.events]
    while page.after:
        page = await world.timelines.of_run(eve, run, page.after)
        assert not page.first
        seen += [one.seq for one in page.events]
    assert seen == sorted(set(seen))
    assert len(seen) == page.total
    assert "s3cret" not in "".join(one.payload for one in page.events)
    assert MASK in page.events[-1].payload


async def test_a_large_payload_is_cut(world, eve):
    thread, run = await asked(world)
    with world.database.transaction() as session:
        payload = {"text": "x" * LONGEST}
        events.append(
            session, [an_event(thread=thread, seq=threads.reserve(session, thread), run=run, payload=payload)]
        )
    await world.viewing.open(eve, thread, "a complaint")
    last = (await world.timelines.of_run(eve, run)).events[-1]
    assert (last.cut, len(last.payload), last.size) == (True, LONGEST, LONGEST + len('{"text":""}'))


async def test_a_reason_is_asked_for_first_except_for_what_is_ones_own(world, eve):
    thread, run = await asked(world)
    with pytest.raises(Unopened) as gate:
        await world.timelines.of_run(eve, run)
    assert gate.value.thread == thread
    await world.people.set_roles(world.person("max", "Max", "admin"), world.ada.id, ["user", "auditor"])
    ada = world.person("ada", "Ada", "user", "auditor")
    assert (await world.timelines.of_run(ada, run)).reads


@pytest.mark.parametrize("after", ["x", "²", "9" * 12, "-1"])
async def test_a_page_that_cannot_be_is_refused(world, eve, after):
    thread, run = await asked(world)
    await world.viewing.open(eve, thread, "a complaint")
    with pytest.raises(Refused):
        await world.timelines.of_run(eve, run, after)


async def test_nobody_else_sees_a_run_and_an_unknown_one_is_not_there(world, eve):
    thread, run = await asked(world)
    for person in (world.ada, world.person("tom", "Tom", "approver")):
        with pytest.raises(Refused):
            await world.timelines.of_run(person, run)
    with pytest.raises(Refused):
        await world.timelines.of_run(eve, "unknown")
    with world.database.transaction() as session:
        threads.delete(session, thread, now=world.clock())
    with pytest.raises(Refused):
        await world.timelines.of_run(eve, run)


async def test_where_reading_is_turned_off_no_word_of_anybody_is_told(database):
    async with World(database, opens=False).running() as world:
        _, run = await asked(world)
        told = await world.timelines.of_run(world.person("eve", "Eve", "admin"), run)
        assert not told.reads
        assert SECRET not in repr(told)
        assert "a@b.c" not in repr(told)
        assert all(one.size > 0 for one in told.events)
