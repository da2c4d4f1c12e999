"""What was used, by day, agent and person."""

import csv
from datetime import timedelta

import pytest
from sqlalchemy import update

from chat_app.data import users
from chat_app.data.runs import run as run_table
from chat_app.services.approvals import Answer
from chat_app.services.policy import Refused
from chat_app.services.usage import GROUPS
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture
def eve(world):
    return world.person("eve", "Eve", "auditor")


@pytest.fixture
async def used(world) -> World:
    """Ada asked something that she allowed a minute later; each run took tokens."""
    thread = await world.said("Do it", ask())
    world.clock.forward(seconds=60)
    world.agent.scripts.append(answer("Done"))
    await world.approvals.decide(world.ada, world.questions(thread)[0].id, Answer(kind="approve"))
    await world.idle()
    with world.database.transaction() as session:
        session.execute(update(run_table).values(usage=[{"inputTokens": 10, "outputTokens": 3}]))
    return world


async def test_the_last_days_are_shown_by_day_agent_and_person(used, eve):
    report = await used.services.usage.report(eve)
    assert (len(report.days), report.until, report.wrong) == (30, used.clock().date().isoformat(), False)
    assert (report.total.runs, report.total.tokens_in, report.total.tokens_out) == (2, 20, 6)
    assert [one.name for one in report.agents] == ["Parley"]
    assert [one.name for one in report.people] == ["Ada"]
    for group in GROUPS:
        assert sum(one.runs for one in report.of(group)) == 2
        assert max(one.median or 0 for one in report.of(group)) >= 60
    assert (report.total.asked, report.total.decided) == (1, 1)


async def test_days_without_anything_are_there_and_people_without_are_not(used, eve):
    yesterday = (used.clock().date() - timedelta(days=1)).isoformat()
    report = await used.services.usage.report(eve, yesterday, yesterday)
    assert [one.key for one in report.days] == [yesterday]
    assert (report.total.runs, report.agents, report.people) == (0, (), ())


@pytest.mark.parametrize(
    ("since", "until"),
    [
        ("soon", ""),
        ("", "9"),
        ("2026-02-02", "2026-02-01"),
        ("2020-01-01", "2026-01-01"),
        ("", "0001-01-01"),
        ("9999-12-01", "9999-12-31"),
    ],
)
async def test_days_that_cannot_be_shown_are_told_and_the_usual_ones_shown(world, eve, since, until):
    report = await world.services.usage.report(eve, since, until)
    assert (report.wrong, len(report.days), report.until) == (True, 30, world.clock().date().isoformat())


async def test_a_file_has_the_same_values_and_no_formula(used, eve):
    with used.database.transaction() as session:
        users.set_display_name(session, used.ada.id, "=1+1")
    (person,) = csv.DictReader("".join(await used.services.usage.file(eve, "person")).splitlines())
    assert (person["person"], person["name"], person["tokens_in"]) == (used.ada.id, "'=1+1", "20")
    days = list(csv.DictReader("".join(await used.services.usage.file(eve, "day")).splitlines()))
    assert (len(days), days[0]["median"]) == (30, "")


async def test_nobody_else_sees_what_was_used(world):
    for person in (world.ada, world.person("tom", "Tom", "approver")):
        for use in (world.services.usage.report(person), world.services.usage.file(person, "day")):
            with pytest.raises(Refused):
                await use
