"""Approvers at once, two hundred times, on both databases: one decision, one resume, and the loser knows who won."""

import asyncio
from collections import Counter

import pytest

from chat_app.data import decisions, inbox
from chat_app.services.approvals import Answer
from chat_app.services.inbox import Query
from chat_app.services.openings import Limits
from chat_app.services.policy import Person, Refused
from chat_app.services.problems import Busy, InHand, Late, NotAlike
from tests.integration.test_approval_races import Agreeable, asked
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
pytestmark = pytest.mark.faults

RACES = 200
AT_ONCE = 8
ALIKE = 20
LIMITS = Limits(per_user=RACES, per_process=RACES)
BY_OTHERS = {"decide": [{"by": "other", "roles": ["approver"]}]}
CALL = {"tool_call": "c1", "tool_name": "refund", "args": '{"order":"T-1042"}', "args_digest": "d"}


@pytest.fixture
async def world(database):
    async with World(database, agent=Agreeable(), limits=LIMITS).running() as world:
        world.rule(BY_OTHERS)
        yield world


@pytest.fixture
def approvers(world) -> tuple[Person, Person]:
    carla, dan = (world.person(name, name.title(), "approver") for name in ("carla", "dan"))
    return carla, dan


def winner_of(world: World, question: str) -> str:
    """Return the name of the one person whose decision is kept."""
    with world.database.reading() as session:
        (decision,) = decisions.of_interrupts(session, [question])
    return world.user(Person(decision.by, "")).display_name


async def ended(world: World) -> None:
    await world.idle(60)


async def test_two_approvers_make_one_decision_and_the_loser_is_told_by_whom(world, approvers):
    carla, dan = approvers
    found = asked(world, RACES)
    gate = asyncio.Semaphore(AT_ONCE)

    async def race(question: str) -> list[object]:
        async with gate:
            clicks = [
                world.approvals.decide(person, question, Answer("approve"))
                for person in (carla, dan, carla, dan)
            ]
            return await asyncio.gather(*clicks, return_exceptions=True)

    results = await asyncio.gather(*(race(question) for _, question in found))
    await ended(world)
    for (thread, question), ends in zip(found, results, strict=True):
        assert [one for one in ends if isinstance(one, str)] == [thread]
        lost = [one for one in ends if not isinstance(one, str)]
        assert {type(one) for one in lost} <= {Late, Busy}
        winner = winner_of(world, question)
        assert all(winner in one.problem.told for one in lost if isinstance(one, Late))
    assert world.agent.resumed == Counter(thread for thread, _ in found)


async def test_two_who_approve_alike_ones_at_once_approve_each_of_them_once(world, approvers):
    found = asked(world, RACES, **CALL)
    piles = [[question for _, question in found[at : at + ALIKE]] for at in range(0, RACES, ALIKE)]
    for person in approvers:
        await world.inbox.page(person, Query())  # what waits is judged
    for pile in piles:
        tried = [world.inbox.approve_alike(person, pile) for person in approvers]
        done = [one for one in await asyncio.gather(*tried, return_exceptions=True) if isinstance(one, tuple)]
        assert sum(count for count, _ in done) == ALIKE
        lost = [trouble for _, trouble in done if trouble is not None]
        assert {type(one) for one in lost} <= {Late, Busy}
        assert all("approved it first" in one.problem.told for one in lost if isinstance(one, Late))
    await ended(world)
    assert {winner_of(world, question) for _, question in found} <= {"Carla", "Dan"}
    assert world.agent.resumed == Counter(thread for thread, _ in found)


async def test_two_who_take_a_question_in_hand_at_once_leave_it_in_one_hand(world, approvers):
    for _, question in asked(world, RACES):
        claims = [world.inbox.claim(person, question) for person in approvers]
        taken = await asyncio.gather(*claims, return_exceptions=True)
        with world.database.reading() as session:
            holder = inbox.get(session, question).holder
        (winner,) = [person for person in approvers if person.id == holder]
        (lost,) = [one for one in taken if not isinstance(one, str)]
        assert isinstance(lost, InHand)
        assert lost.problem.told.startswith(f"{winner.name} has it")


async def test_what_is_replayed_forged_or_late_changes_nothing(world, approvers):
    carla, dan = approvers
    ((thread, question), (other, waits)) = asked(world, 2, **CALL)
    await world.approvals.decide(carla, question, Answer("reject", note="No."))
    await ended(world)
    for person, kind in ((carla, "reject"), (carla, "approve"), (dan, "approve"), (dan, "cancel")):
        with pytest.raises(Late, match="Carla"):
            await world.approvals.decide(person, question, Answer(kind))
    with pytest.raises(Late):
        await world.approvals.send(dan, question)
    with pytest.raises(Late):
        await world.inbox.claim(dan, question)
    # another's arguments than were shown, an id that is none, one of a thread, of a person, and none at all
    with pytest.raises(Late):
        await world.approvals.decide(dan, waits, Answer("approve", digest="another"))
    for forged in ("019370e0-0000-7000-8000-000000000000", thread, carla.id, "", "\x00", "x" * 65):
        with pytest.raises(Refused):
            await world.approvals.decide(dan, forged, Answer("approve"))
        with pytest.raises(Refused):
            await world.inbox.claim(dan, forged)
    with pytest.raises(NotAlike):
        await world.inbox.approve_alike(dan, [waits, question])
    assert winner_of(world, question) == "Carla"
    assert world.agent.resumed == Counter([thread])
    assert world.questions(other)[0].status == "pending"
