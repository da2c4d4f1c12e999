from dataclasses import replace

import pytest

from chat_app.data import users
from chat_app.services.deciding import able, ask_of, visible
from chat_app.services.policy import Person, Policy, Refused
from tests.support.world import World, ask, question

pytest_plugins = ("tests.support.databases",)

BY_ROLE = {"decide": [{"by": "role", "roles": ["approver"]}]}


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


async def asked(world: World, arguments: str = '{"amount":5}'):
    thread = await world.said("Go", ask(question("q1", "c1"), arguments=arguments))
    return world.get_thread(thread), world.questions(thread)[0]


@pytest.mark.parametrize(
    ("arguments", "judged"),
    [('{"amount":5}', {"amount": 5}), ("{", None), ('{"a":1,"a":2}', None), ('{"a":NaN}', None)],
)
async def test_a_question_is_judged_by_its_arguments_as_far_as_they_can_be_read(world, arguments, judged):
    thread, one = await asked(world, arguments)
    with world.database.reading() as session:
        found = ask_of(session, one, thread, edited={"amount": 6})
    assert (found.owner, found.tool, found.arguments, found.edited) == (
        world.ada.id,
        "send_mail",
        judged,
        {"amount": 6},
    )


async def test_who_asked_and_who_may_decide_see_a_question(world):
    world.rule(BY_ROLE)
    thread, one = await asked(world)
    tom = world.person("tom", "Tom", "approver")
    with world.database.reading() as session:
        for person in (world.ada, tom):
            assert visible(session, Policy(), person, one.id) == (one, thread)
        for person, key in ((world.bob, one.id), (tom, "unknown"), (tom, "\x00")):
            with pytest.raises(Refused):
                visible(session, Policy(), person, key)


@pytest.mark.parametrize("by", ["requester", "role", "other", "two", "nobody"])
@pytest.mark.parametrize("raised", [frozenset(), frozenset({"admin"})])
async def test_those_who_are_able_are_all_whom_the_policy_lets_decide(world, by, raised):
    for name, role in (("tom", "approver"), ("ann", "admin"), ("una", "user"), ("olga", "auditor")):
        world.person(name, name.title(), role)
    world.rule({"decide": [{"by": by, "roles": ["approver"]}]})
    thread, one = await asked(world)
    policy = Policy()
    with world.database.reading() as session:
        ask = replace(ask_of(session, one, thread), raised=raised)
        everybody = [Person(each.id, each.display_name, each.roles) for each in users.every(session)]
        may = [person.id for person in everybody if policy.may_decide(person, ask)]
        assert [each.id for each in able(session, policy, ask)] == may
