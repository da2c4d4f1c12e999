"""Two hundred questions that want two people, each clicked at by three at once, on both databases."""

import asyncio
from collections import Counter

import pytest

from chat_app.data import decisions, endorsements, exchanges, runs
from chat_app.data.records import ExchangeRecord
from chat_app.services.approvals import Answer
from chat_app.services.openings import Limits
from chat_app.services.policy import Person
from chat_app.services.problems import Late
from tests.support.records import a_run, stored_question
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)

QUESTIONS = 200
CLICKS = 3
LIMITS = Limits(per_user=QUESTIONS * 2, per_process=QUESTIONS * 2)
TWO = {"decide": [{"by": "two", "roles": ["approver", "admin"]}]}


class Agreeable:
    """Answers every run at once, and counts the answers each thread was sent."""

    def __init__(self) -> None:
        self.resumed: Counter[str] = Counter()

    async def run(self, run_input, /):
        self.resumed[run_input.thread_id] += bool(run_input.resume)
        for event in answer("ok")(run_input):
            yield event


def asked(world: World) -> list[tuple[str, str]]:
    """Store threads of Ada whose last run asks; return (thread, question) pairs."""
    found = [world.thread() for _ in range(QUESTIONS)]
    with world.database.transaction() as session:
        return [(thread.id, _question(world, session, thread.id)) for thread in found]


def _question(world: World, session, thread: str) -> str:
    now = world.clock()
    exchange = ExchangeRecord(
        id=world.new_id(),
        thread=thread,
        kind="send",
        by=world.ada.id,
        worker_id="w0",
        lease_until=now,
        started=now,
        ended=now,
    )
    exchanges.start(session, exchange)
    run = a_run(
        id=world.new_id(), exchange=exchange.id, thread=thread, status="interrupted", started=now, ended=now
    )
    runs.create(session, run)
    return stored_question(session, run).id


@pytest.mark.faults
async def test_each_question_is_decided_by_two_distinct_people_and_sent_once(database):
    agent = Agreeable()
    world = World(database, agent=agent, limits=LIMITS)
    async with world.running():
        questions = asked(world)
        world.rule(TWO)
        people = [world.person(name, name.title(), "approver", "admin") for name in ("tom", "mia", "eve")]
        gate = asyncio.Semaphore(24)

        async def click(person: Person, question: str) -> str:
            async with gate:
                try:
                    await world.approvals.decide(person, question, Answer("approve"))
                except Late as late:
                    return late.problem.told
                return ""

        turns = [(person, question) for _, question in questions for person in people for _ in range(CLICKS)]
        told = await asyncio.gather(*(click(*turn) for turn in turns))
        await world.idle(60)

        with database.reading() as session:
            for thread, question in questions:
                (decided,) = decisions.of_interrupts(session, [question])
                behind = {one.by for one in endorsements.of_interrupt(session, question)}
                assert len(behind) >= 2
                assert decided.by in behind
                assert agent.resumed[thread] == 1
    names = {person.name for person in people}
    losers = [words for words in told if words]
    assert losers
    assert all(words.split(" approved it first.")[0] in names for words in losers)


@pytest.mark.faults
async def test_no_number_of_clicks_makes_two_of_one_person(database):
    agent = Agreeable()
    world = World(database, agent=agent, limits=LIMITS)
    async with world.running():
        questions = asked(world)[:50]
        world.rule(TWO)
        eve = world.person("eve", "Eve", "user", "approver", "admin")
        clicks = [
            world.approvals.decide(eve, question, Answer("approve"))
            for _, question in questions
            for _ in range(4)
        ]
        await asyncio.gather(*clicks)
        with database.reading() as session:
            ids = [question for _, question in questions]
            assert decisions.of_interrupts(session, ids) == ()
    assert not agent.resumed
