import dataclasses

import pytest

from chat_app.data import agents, sql, users
from chat_app.data.tables import Agent, table_of
from chat_app.services import talking
from chat_app.services.policy import Policy
from chat_app.services.problems import AgentClosed
from tests.support.records import an_agent
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
NOBODY = {"use": {"roles": []}}
AGENT = an_agent(name="orders", builtin=False)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


def add(world, *records):
    with world.database.transaction() as session:
        sql.add(session, table_of(Agent), records)


def test_a_person_talks_to_agents_whose_rules_let_them(world):
    mine = an_agent(name="a", builtin=False, policy={"use": {"roles": [], "people": [world.ada.id]}})
    off, closed = (
        an_agent(name="b", builtin=False, enabled=False),
        an_agent(name="c", builtin=False, policy=NOBODY),
    )
    add(world, mine, off, closed, AGENT)
    with world.database.reading() as session:
        assert talking.open_to(session, Policy(), world.ada) == (mine, AGENT)
        assert talking.open_to(session, Policy(), world.bob) == (AGENT,)
        assert talking.required(session, Policy(), world.ada, mine.id) == mine


@pytest.mark.parametrize(
    "change", [{"enabled": False}, {"dropped": True}, {"policy": NOBODY}, {"policy": "broken"}]
)
def test_an_agent_that_is_closed_looks_like_one_that_is_not_there(world, change):
    add(world, dataclasses.replace(AGENT, **change))
    with world.database.reading() as session:
        for claim in (AGENT.id, "unknown", "", "\x00", "x" * 65):
            with pytest.raises(AgentClosed):
                talking.required(session, Policy(), world.ada, claim)


def test_who_wrote_is_judged_as_they_are_now(world):
    add(world, AGENT)

    def is_open(to: str) -> bool:
        with world.database.reading() as session:
            return talking.is_open(session, Policy(), agent=AGENT.id, to=to)

    assert is_open(world.ada.id)
    assert not is_open("unknown")
    with world.database.transaction() as session:
        users.set_roles(session, world.ada.id, ["auditor"])
        users.set_active(session, world.bob.id, active=False)
    assert not is_open(world.ada.id)
    assert not is_open(world.bob.id)
    with world.database.transaction() as session:
        users.set_roles(session, world.ada.id, ["user"])
        agents.change(session, AGENT.id, enabled=False)
    assert not is_open(world.ada.id)
