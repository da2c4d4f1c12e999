"""Time alone: questions expire, are reminded of, are escalated, and go to the agent where its policy says so."""

from dataclasses import replace
from datetime import timedelta

import pytest

from chat_app.data import audit
from chat_app.services.approvals import Answer
from chat_app.services.inbox import Query
from chat_app.services.openings import Limits
from chat_app.services.problems import Expired, Late
from chat_app.services.times import Times
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def world(sqlite):
    return World(sqlite)


class Told:
    """Remembers of what people were told."""

    def __init__(self) -> None:
        self.told: list[tuple[str, str]] = []

    def __call__(self, _session, kind, asked) -> None:
        self.told.append((kind, asked.id))


def acts(world, question):
    with world.database.reading() as session:
        found = audit.of_object(session, f"interrupt:{question.id}")
    return [entry.action.removeprefix("question.") for entry in found]


async def asked(world, *questions, policy=None):
    world.rule(policy)
    later = (world.clock() + timedelta(minutes=10)).isoformat()
    thread = await world.said("Go", ask(*(questions or (question(expiresAt=later),))))
    return thread, world.questions(thread)


async def test_an_expired_question_is_left_to_people_and_takes_no_late_answer(world):
    async with world.running():
        thread, (one,) = await asked(world)
        world.clock.forward(minutes=11)
        assert world.times.look_after() == [(world.ada.id, thread)]
        assert world.times.look_after() == []
        assert world.times.due(None) == []
        with pytest.raises((Expired, Late)):
            await world.approvals.decide(world.ada, one.id, Answer("approve"))
    assert [each.status for each in world.questions(thread)] == ["expired"]
    assert len(world.agent.requests) == 1


async def test_a_policy_gives_up_the_whole_batch_when_one_of_it_expires(world):
    async with world.running():
        later = (world.clock() + timedelta(minutes=10)).isoformat()
        both = question("q1", "c1", expiresAt=later), question("q2", "c2")
        thread, (one, two) = await asked(world, *both, policy={"waiting": {"expired": "cancel"}})
        await world.approvals.decide(world.ada, two.id, Answer("approve"), hold=True)
        world.clock.forward(minutes=11)
        world.agent.scripts.append(answer("Then not."))
        await world.supervisor.look()
        await world.idle()
        assert [(entry.interrupt_id, entry.status) for entry in world.agent.requests[-1].resume] == [
            ("q1", "cancelled"),
            ("q2", "cancelled"),
        ]
        assert [each.status for each in world.questions(thread)] == ["expired", "cancelled"]
        cards = [row for row in world.view(thread).rows if row.kind == "approval"]
        assert [(card.status, card.decided_by) for card in cards] == [("expired", ""), ("cancelled", "")]
        for late in (one, two):
            with pytest.raises((Expired, Late)):
                await world.approvals.decide(world.ada, late.id, Answer("approve"))
    assert acts(world, one) == ["propose", "expire", "cancel", "resume", "deliver"]


async def test_a_thread_that_is_busy_keeps_its_expired_batch(world):
    async with world.running():
        thread, _ = await asked(world, policy={"waiting": {"expired": "cancel"}})
        world.clock.forward(minutes=11)
        crowded = Times(world.database, replace(world.opener, limits=Limits(per_user=0)))
        assert crowded.look_after() == [(world.ada.id, thread)]
        assert crowded.due(None) == []
        assert crowded.due(thread) == ()
    assert [each.status for each in world.questions(thread)] == ["expired"]


async def test_people_are_reminded_once_before_it_expires(world):
    told = Told()
    async with world.running():
        _, (one,) = await asked(world, policy={"waiting": {"remind": 120}})
        times = Times(world.database, world.opener, tell=told)
        assert times.look_after() == []
        assert told.told == []
        world.clock.forward(minutes=9)
        times.look_after()
        times.look_after()
        assert told.told == [("reminder", one.id)]
        world.clock.forward(minutes=2)
        times.look_after()
        assert told.told == [("reminder", one.id), ("expired", one.id)]


async def test_what_waits_too_long_may_be_decided_by_another_role_as_well(world):
    told = Told()
    boss = world.person("boss", "Boss", "admin")
    policy = {
        "decide": [{"by": "role", "roles": ["approver"]}],
        "waiting": {"escalate": 60, "to": ["admin"]},
    }
    async with world.running():
        thread, (one,) = await asked(world, policy=policy)
        assert (await world.inbox.page(boss, Query())).all == 0
        world.clock.forward(minutes=2)
        times = Times(world.database, world.opener, tell=told)
        assert times.look_after() == [(world.ada.id, thread)]
        assert times.look_after() == []
        page = await world.inbox.page(boss, Query(open=one.id))
        assert [(each.id, each.raised, each.takes) for each in page.questions] == [(one.id, True, True)]
        assert page.opened.raised == ["admin"]
        world.agent.scripts.append(answer("ok"))
        await world.approvals.decide(boss, one.id, Answer("approve"))
        await world.idle()
    assert told.told == [("escalated", one.id)]
    assert acts(world, one) == ["propose", "escalate", "approve", "resume", "execute"]


async def test_nothing_is_told_of_what_is_gone_meanwhile(world):
    async with world.running():
        assert world.times._remember("nothing", world.clock()) is None


async def test_nothing_is_given_up_where_a_person_was_faster(world):
    async with world.running():
        thread, _ = await asked(world, policy={"waiting": {"expired": "cancel"}})
        world.times._give_up(world.get_thread(thread), world.clock())
        assert world.times.due(None) == []
