import asyncio

import pytest

from chat_app.data import decisions, endorsements
from chat_app.services.approvals import Answer
from chat_app.services.policy import Refused
from chat_app.services.problems import Late, NotYours
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)

TWO = {"decide": [{"by": "two", "roles": ["approver"]}]}
EDITABLE = {
    "type": "object",
    "properties": {"approved": {"type": "boolean"}, "editedArgs": {"type": "object"}},
    "required": ["approved"],
}


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        world.rule(TWO)
        world.eve = world.person("eve", "Eve", "user", "approver", "admin")
        world.tom = world.person("tom", "Tom", "approver")
        world.mia = world.person("mia", "Mia", "approver")
        yield world


async def asked(world: World, *questions: dict):
    thread = await world.said("Go", ask(*questions))
    return thread, world.questions(thread)


def said(world: World, question_id: str) -> list[tuple[str, str]]:
    with world.database.reading() as session:
        return [(one.by, one.kind) for one in endorsements.of_interrupt(session, question_id)]


def decided(world: World, question_id: str) -> list[tuple[str, str]]:
    with world.database.reading() as session:
        return [(one.by, one.kind) for one in decisions.of_interrupts(session, [question_id])]


async def test_the_second_person_who_says_the_same_decides(world):
    _, (one,) = await asked(world)
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    assert (decided(world, one.id), len(world.agent.requests)) == ([], 1)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.eve, one.id, Answer("approve"))
    await world.idle()
    assert decided(world, one.id) == [(world.eve.id, "approve")]
    assert [entry.status for entry in world.agent.requests[-1].resume] == ["resolved"]


async def test_one_person_with_every_role_is_one_person(world):
    _, (one,) = await asked(world)
    for _ in range(5):
        await world.approvals.decide(world.eve, one.id, Answer("approve"))
    assert decided(world, one.id) == []
    assert said(world, one.id) == [(world.eve.id, "approve")]


async def test_two_tabs_of_one_person_at_once_are_one_person(world):
    _, (one,) = await asked(world)
    click = world.approvals.decide
    await asyncio.gather(*(click(world.eve, one.id, Answer("approve")) for _ in range(8)))
    assert (decided(world, one.id), len(said(world, one.id))) == ([], 1)


async def test_two_who_say_different_things_decide_nothing(world):
    _, (one,) = await asked(world, question("q1", "c1", responseSchema=EDITABLE))
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    await world.approvals.decide(world.eve, one.id, Answer("edit", edited={"to": "x@y.z"}))
    await world.approvals.decide(world.mia, one.id, Answer("edit", edited={"to": "other@y.z"}))
    assert (decided(world, one.id), len(said(world, one.id))) == ([], 3)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.tom, one.id, Answer("edit", edited={"to": "x@y.z"}))
    await world.idle()
    assert decided(world, one.id) == [(world.tom.id, "edit")]


async def test_to_refuse_one_is_enough(world):
    _, (one,) = await asked(world)
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.mia, one.id, Answer("reject", "no"))
    await world.idle()
    assert decided(world, one.id) == [(world.mia.id, "reject")]


async def test_who_is_no_approver_any_more_counts_no_more(world):
    _, (one,) = await asked(world)
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    admin = world.person("root", "Root", "admin")
    await world.people.set_roles(admin, world.tom.id, ["user"])
    await world.approvals.decide(world.mia, one.id, Answer("approve"))
    assert decided(world, one.id) == []
    await world.people.set_roles(admin, world.tom.id, ["approver"])
    await world.people.set_active(admin, world.tom.id, active=False)
    await world.approvals.decide(world.mia, one.id, Answer("approve"))
    assert decided(world, one.id) == []


async def test_a_draft_of_two_falls_with_either_of_them(world):
    _, (one, _) = await asked(world, question("q1", "c1"), question("q2", "c2"))
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    await world.approvals.decide(world.mia, one.id, Answer("approve"))
    assert decided(world, one.id) == [(world.mia.id, "approve")]
    with pytest.raises(Late) as late:
        await world.approvals.decide(world.eve, one.id, Answer("reject"))
    assert "Mia approved it first" in late.value.problem.told
    await world.approvals.decide(world.tom, one.id, Answer("reject"))
    assert decided(world, one.id) == [(world.tom.id, "reject")]
    assert said(world, one.id) == [(world.mia.id, "approve")]


async def test_who_comes_third_is_told_who_decided(world):
    _, (one,) = await asked(world)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    await world.approvals.decide(world.eve, one.id, Answer("approve"))
    await world.idle()
    with pytest.raises(Late) as late:
        await world.approvals.decide(world.mia, one.id, Answer("approve"))
    assert late.value.problem.told == "Eve approved it first. Your click changed nothing."


async def test_the_requester_may_give_up_and_not_approve(world):
    _, (one,) = await asked(world)
    with pytest.raises(NotYours):
        await world.approvals.decide(world.ada, one.id, Answer("approve"))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("cancel"))
    await world.idle()
    assert decided(world, one.id) == [(world.ada.id, "cancel")]


async def test_who_has_no_role_for_it_sees_no_question(world):
    _, (one,) = await asked(world)
    with pytest.raises(Refused):
        await world.approvals.decide(world.bob, one.id, Answer("approve"))
    assert said(world, one.id) == []


async def test_other_arguments_may_need_other_people(world):
    big = {"at": "/amount", "is": ">", "value": 100}
    world.rule({"decide": [{"where": [big], "by": "other", "roles": ["approver"]}, {"by": "requester"}]})
    thread = await world.said(
        "Go", ask(question("q1", "c1", responseSchema=EDITABLE), arguments='{"amount":5}')
    )
    (one,) = world.questions(thread)
    with pytest.raises(NotYours):
        await world.approvals.decide(world.ada, one.id, Answer("edit", edited={"amount": 5000}))
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, one.id, Answer("edit", edited={"amount": 50}))
    await world.idle()
    assert decided(world, one.id) == [(world.ada.id, "edit")]


async def test_the_card_says_who_has_said_yes(world):
    thread, (one,) = await asked(world)
    await world.approvals.decide(world.tom, one.id, Answer("approve"))
    (card,) = [row for row in world.view(thread).rows if row.kind == "approval"]
    assert (card.status, card.decision, card.endorsed_by) == ("pending", "", "Tom")
    assert card.endorsed_at
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.mia, one.id, Answer("approve"))
    await world.idle()
    (card,) = [row for row in world.view(thread).rows if row.kind == "approval"]
    assert (card.decided_by, card.endorsed_by) == ("Mia", "")
