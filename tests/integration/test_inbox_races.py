"""Two approvers at once, twice each, two hundred times: one decision, one resume, and the loser knows who won."""

import asyncio
from collections import Counter

import pytest

from chat_app.data import decisions
from chat_app.services.approvals import Answer
from chat_app.services.openings import Limits
from chat_app.services.problems import Busy, Late
from tests.fakes import until
from tests.integration.test_approval_races import Agreeable, asked
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)

RACES = 200
AT_ONCE = 8


@pytest.mark.faults
async def test_two_approvers_make_one_decision_and_the_loser_is_told_by_whom(sqlite):
    agent = Agreeable()
    world = World(sqlite, agent=agent, limits=Limits(per_user=RACES, per_process=RACES))
    carla, dan = (world.person(name, name.title(), "approver") for name in ("carla", "dan"))
    world.rule({"decide": [{"by": "other", "roles": ["approver"]}]})
    async with world.running():
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
        await until(lambda: not world.supervisor._lives, 60)

        for (thread, question), ended in zip(found, results, strict=True):
            assert [one for one in ended if isinstance(one, str)] == [thread]
            with sqlite.reading() as session:
                (decision,) = decisions.of_interrupts(session, [question])
            winner = "Carla" if decision.by == carla.id else "Dan"
            lost = [one for one in ended if not isinstance(one, str)]
            assert {type(one) for one in lost} <= {Late, Busy}
            assert all(winner in one.problem.told for one in lost if isinstance(one, Late))
        assert agent.resumed == Counter(thread for thread, _ in found)
