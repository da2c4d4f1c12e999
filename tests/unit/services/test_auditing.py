"""The audit for those who may read it."""

import csv
import json
from datetime import timedelta

import pytest

from chat_app.data import audit, threads
from chat_app.services.approvals import Answer
from chat_app.services.auditing import PAGE, Asked
from chat_app.services.policy import Refused
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture
def eve(world):
    return world.person("eve", "Eve", "auditor")


async def decided(world: World) -> str:
    """Let Ada ask something that she allows; return her thread."""
    thread = await world.said("Do it", ask())
    world.agent.scripts.append(answer("Done"))
    await world.approvals.decide(world.ada, world.questions(thread)[0].id, Answer(kind="approve"))
    await world.idle()
    return thread


async def acts(world: World, reader, **asked) -> list[str]:
    listed = await world.auditing.listed(reader, Asked(**asked))
    return [one.record.action for one in listed.entries]


async def test_entries_come_newest_first_with_the_names_of_people(world, eve):
    thread = await decided(world)
    listed = await world.auditing.listed(eve, Asked())
    assert [one.record.action for one in listed.entries] == [
        "question.execute",
        "question.resume",
        "question.approve",
        "question.propose",
    ]
    assert [one.name for one in listed.entries] == ["", "Ada", "Ada", ""]
    assert {one.told("thread") for one in listed.entries} == {thread}


async def test_each_filter_narrows_the_list(world, eve):
    thread = await decided(world)
    other = world.thread(world.bob)
    await world.viewing.open(eve, other.id, "a complaint")
    today = world.clock().date().isoformat()
    (agent,) = await world.auditing.agents(eve)
    all_of_it = await acts(world, eve)
    assert len(all_of_it) == 5
    assert await acts(world, eve, kind="thread") == await acts(world, eve, person="EVE") == ["thread.view"]
    assert await acts(world, eve, person=eve.id) == await acts(world, eve, thread=other.id) == ["thread.view"]
    assert await acts(world, eve, outcome="allowed") == ["question.approve"]
    assert len(await acts(world, eve, tool="send_mail")) == len(await acts(world, eve, thread=thread)) == 4
    assert await acts(world, eve, agent=agent.id) == all_of_it
    assert await acts(world, eve, since=today, until=today) == all_of_it
    assert await acts(world, eve, since="2999-01-01") == []
    with world.database.transaction() as session:
        threads.erase(session, [thread])
    assert len(await acts(world, eve, thread=thread)) == 4


@pytest.mark.parametrize(
    "asked",
    [
        {"person": "\x00"},
        {"person": "nobody"},
        {"kind": "odd"},
        {"outcome": "odd"},
        {"agent": "\x00"},
        {"thread": "\x00"},
        {"since": "soon"},
        {"until": "9"},
        {"until": "9999-12-31"},
        {"after": "x"},
        {"after": "0"},
        {"tool": 'x","thread":"'},
    ],
)
async def test_what_cannot_be_asked_finds_nothing(world, eve, asked):
    await decided(world)
    assert await acts(world, eve, **asked) == []


async def test_a_file_of_what_cannot_be_asked_is_empty(world, eve):
    assert list(await world.auditing.file(eve, Asked(kind="odd"), "jsonl")) == []
    assert await acts(world, eve) == ["audit.exported"]


async def test_pages_follow_one_another_without_gap_or_repetition(world, eve):
    with world.database.transaction() as session:
        for _ in range(PAGE + 3):
            audit.append(session, audit.Act(action="a.b", object="c:d", actor=None, at=world.clock()))
    first = await world.auditing.listed(eve, Asked())
    second = await world.auditing.listed(eve, Asked(after=first.after))
    numbers = [one.record.seq for one in (*first.entries, *second.entries)]
    assert numbers == list(range(PAGE + 3, 0, -1))
    assert (first.after, second.after) == (str(numbers[PAGE - 1]), "")


async def test_an_entry_tells_what_became_of_its_question(world, eve):
    await decided(world)
    (number,) = [
        one.record.seq for one in (await world.auditing.listed(eve, Asked(outcome="allowed"))).entries
    ]
    story = await world.auditing.story(eve, str(number))
    assert story.fits
    assert [one.record.action.partition(".")[2] for one in story.steps] == [
        "propose",
        "approve",
        "resume",
        "execute",
    ]
    assert story.steps[0].told("digest") == story.entry.told("digest") != ""


async def test_people_and_agents_are_named_while_they_are_there(world, eve):
    known = {"user:" + world.ada.id: "Ada", "agent:" + world.agents.default_id: "Parley"}
    with world.database.transaction() as session:
        for thing in (*known, "user:gone", "agent:gone", "odd"):
            audit.append(session, audit.Act(action="a.b", object=thing, actor="gone", at=world.clock()))
    listed = await world.auditing.listed(eve, Asked())
    told = {one.record.object: one.about for one in listed.entries}
    assert told == {**known, "user:gone": "", "agent:gone": "", "odd": ""}
    assert {one.name for one in listed.entries} == {"gone"}
    assert listed.entries[0].told("thread") == ""


@pytest.mark.parametrize("number", ["0", "9", "x", "-1", "²", "9" * 30, ""])
async def test_an_entry_that_is_not_there_is_refused(world, eve, number):
    with pytest.raises(Refused):
        await world.auditing.story(eve, number)


async def test_everybody_sees_up_to_where_the_audit_was_found_whole(world, eve):
    await decided(world)
    assert (await world.auditing.listed(eve, Asked())).chain.at is None
    await world.auditing.check(eve)
    chain = (await world.auditing.listed(world.person("max", "Max", "admin"), Asked())).chain
    assert (chain.upto, chain.last, chain.name, chain.broken) == (4, 5, "Eve", None)
    story = await world.auditing.story(eve, "5")
    assert [one.record.action for one in story.steps] == ["audit.checked"]


async def test_a_broken_chain_is_told_with_its_first_entry(sqlite):
    async with World(sqlite).running() as world:
        eve = world.person("eve", "Eve", "auditor")
        await decided(world)
        with sqlite.transaction() as session:
            session.connection().exec_driver_sql("DROP TRIGGER audit_is_kept_UPDATE")
            session.connection().exec_driver_sql("UPDATE audit SET reason = 'no' WHERE seq = 2")
        await world.auditing.check(eve)
        assert (await world.auditing.listed(eve, Asked())).chain.broken == 2
        assert [(await world.auditing.story(eve, str(one))).fits for one in (1, 2, 3)] == [True, False, True]


async def test_a_check_that_nobody_can_read_any_more_says_nothing(world, eve):
    with world.database.transaction() as session:
        odd = audit.Act(action="audit.checked", object="audit", actor=eve.id, at=world.clock(), detail=["?"])
        audit.append(session, odd)
    chain = (await world.auditing.listed(eve, Asked())).chain
    assert (chain.upto, chain.broken) == (0, None)


async def test_a_file_holds_what_was_asked_for_and_taking_it_is_an_entry(world, eve):
    await decided(world)
    with world.database.transaction() as session:
        formula = audit.Act(
            action="thread.view", object="thread:t", actor=eve.id, at=world.clock(), reason="=1+1"
        )
        audit.append(session, formula)
    lines = await world.auditing.file(eve, Asked(person="eve"), "csv")
    world.clock.forward(days=1)
    await world.auditing.check(eve)  # what comes later is in no file that was begun before
    rows = list(csv.DictReader("".join(lines).splitlines()))
    assert [row["action"] for row in rows] == ["thread.view", "audit.exported"]
    assert rows[0]["reason"] == "'=1+1"
    assert json.loads(rows[1]["detail"]) == {"form": "csv", "filters": {"actor": eve.id}}
    whole = await world.auditing.file(eve, Asked(outcome="allowed"), "jsonl")
    assert [json.loads(line)["action"] for line in "".join(whole).splitlines()] == ["question.approve"]


async def test_a_long_file_is_read_in_pages(world, eve):
    with world.database.transaction() as session:
        for _ in range(audit.PAGE + 1):
            act = audit.Act(action="a.b", object="c:d", actor=None, at=world.clock() + timedelta(0))
            audit.append(session, act)
    pieces = list(await world.auditing.file(eve, Asked(), "jsonl"))
    assert [len(piece.splitlines()) for piece in pieces] == [audit.PAGE, 2]


async def test_nobody_else_reads_checks_or_takes_it_out(world):
    for person in (world.ada, world.person("tom", "Tom", "approver")):
        for use in (
            world.auditing.listed(person, Asked()),
            world.auditing.agents(person),
            world.auditing.story(person, "1"),
            world.auditing.check(person),
            world.auditing.file(person, Asked(), "csv"),
        ):
            with pytest.raises(Refused):
                await use
