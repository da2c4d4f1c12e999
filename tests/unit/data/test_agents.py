import dataclasses

import pytest

from chat_app.data import agents, sql
from chat_app.data.errors import ConstraintBroken
from chat_app.data.tables import Agent, table_of
from tests.support.records import SECOND, an_agent

pytest_plugins = ("tests.support.databases",)


def test_an_agent_of_the_settings_is_created_the_first_time(database):
    demo = an_agent(capabilities={"a": 1})
    with database.transaction() as session:
        assert agents.ensure_builtin(session, demo) == demo
        assert agents.get(session, demo.id) == demo


def test_naming_it_again_brings_it_up_to_date_and_keeps_what_was_learned(database):
    demo = an_agent(name="demo", capabilities={"a": 1}, policy={"b": 2})
    moved = an_agent(name="demo", url="http://other", profile="current", updated=demo.updated + SECOND)
    with database.transaction() as session:
        agents.ensure_builtin(session, demo)
        now = agents.ensure_builtin(session, moved)

    assert now == dataclasses.replace(
        demo, url="http://other", profile="current", updated=demo.updated + SECOND
    )


def test_an_agent_of_a_person_is_not_taken_over(database):
    theirs = an_agent(name="mine", builtin=False)
    with database.transaction() as session:
        sql.add(session, table_of(Agent), [theirs])
        with pytest.raises(ConstraintBroken, match="mine exists already"):
            agents.ensure_builtin(session, an_agent(name="mine"))

        assert agents.get(session, theirs.id) == theirs


def test_usable_agents_are_listed_those_of_the_settings_first(database):
    a, b, off = an_agent(name="a", builtin=False), an_agent(name="b"), an_agent(name="c", enabled=False)
    with database.transaction() as session:
        sql.add(session, table_of(Agent), [a, b, off])

        assert agents.enabled(session) == (b, a)


def test_an_unknown_agent_is_none(database):
    with database.reading() as session:
        assert agents.get(session, "nobody") is None


def test_a_person_adds_and_changes_an_agent(database):
    theirs = an_agent(builtin=False)
    with database.transaction() as session:
        assert agents.create(session, theirs)
        assert not agents.create(session, an_agent(name=theirs.name, builtin=False))
        assert agents.change(session, theirs.id, suggestions=("Hi",), tested={"a": 1}, enabled=False)
        assert not agents.change(session, "unknown", enabled=True)
        found = agents.get(session, theirs.id)
    assert found == dataclasses.replace(theirs, suggestions=("Hi",), tested={"a": 1}, enabled=False)
