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


def test_what_settings_name_no_more_is_dropped_until_they_name_it_again(database):
    a, b = an_agent(name="a", builtin=True), an_agent(name="b", builtin=True)
    theirs = an_agent(name="c", builtin=False)
    with database.transaction() as session:
        sql.add(session, table_of(Agent), [a, b, theirs])
        assert agents.drop_builtin(session, named=["a"]) == 1
        assert agents.drop_builtin(session, named=["a"]) == 0
        assert agents.enabled(session) == (a, theirs)
        assert not agents.get(session, b.id).open
        assert agents.drop_builtin(session, named=["a", "b"]) == 1
        assert agents.enabled(session) == (a, b, theirs)
        assert agents.names(session) == {one.id: one.name for one in (a, b, theirs)}


def test_an_agent_of_the_settings_is_renamed_where_it_is_unless_the_name_is_taken(database):
    old, other = an_agent(name="old", builtin=True), an_agent(name="other", builtin=False)
    wanted = an_agent(name="new", builtin=True, url=old.url)
    with database.transaction() as session:
        sql.add(session, table_of(Agent), [old, other])
        taken = dataclasses.replace(wanted, name="other")
        assert not agents.rename_builtin(session, taken, named=["other"])
        assert not agents.rename_builtin(session, wanted, named=["new", "old"])
        assert agents.rename_builtin(session, wanted, named=["new"])
        assert not agents.rename_builtin(session, wanted, named=["new"])
        assert agents.get(session, old.id).name == "new"
