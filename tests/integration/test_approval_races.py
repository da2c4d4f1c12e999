"""Ten thousand clicks at once, on both databases: each question ends in exactly one resume, and no click is lost."""

import asyncio
from collections import Counter

import pytest

from chat_app.data import decisions, exchanges, runs
from chat_app.data.records import ExchangeRecord
from chat_app.services.approvals import Answer
from chat_app.services.openings import Limits
from chat_app.services.problems import Busy, Late
from tests.support.records import a_run, stored_question
from tests.support.world import World, answer

pytest_plugins = ("tests.support.databases",)

THREADS = 500
CLICKS = 20
KINDS = ("approve", "reject", "cancel")


class Agreeable:
    """Answers every run at once, and counts the answers each thread was sent."""

    def __init__(self) -> None:
        self.resumed: Counter[str] = Counter()

    async def run(self, run_input, /):
        self.resumed[run_input.thread_id] += bool(run_input.resume)
        for event in answer("ok")(run_input):
            yield event


def asked(world: World, count: int, **about: object) -> list[tuple[str, str]]:
    """Store threads of Ada whose last run asks, `about` something; return (thread, question) pairs."""
    found = [world.thread() for _ in range(count)]
    with world.database.transaction() as session:
        questions = []
        for thread in found:
            now = world.clock()
            exchange = ExchangeRecord(
                id=world.new_id(),
                thread=thread.id,
                kind="send",
                by=world.ada.id,
                worker_id="w0",
                lease_until=now,
                started=now,
                ended=now,
            )
            exchanges.start(session, exchange)
            run = a_run(
                id=world.new_id(),
                exchange=exchange.id,
                thread=thread.id,
                status="interrupted",
                started=now,
                ended=now,
            )
            runs.create(session, run)
            questions.append((thread.id, stored_question(session, run, **about).id))
    return questions


@pytest.mark.faults
async def test_ten_thousand_clicks_end_in_one_resume_each(database):
    agent = Agreeable()
    world = World(database, agent=agent, limits=Limits(per_user=THREADS, per_process=THREADS))
    async with world.running():
        questions = asked(world, THREADS)
        turns = [(question, n) for n in range(CLICKS) for _, question in questions]
        gate = asyncio.Semaphore(32)

        async def click(question: str, number: int) -> str:
            async with gate:
                return await world.approvals.decide(
                    world.ada, question, Answer(KINDS[number % len(KINDS)], f"click {number}")
                )

        results = await asyncio.gather(*(click(*turn) for turn in turns), return_exceptions=True)
        await world.idle(60)

        assert len(results) == THREADS * CLICKS == 10_000
        won = Counter(result for result in results if isinstance(result, str))
        assert won == dict.fromkeys((thread for thread, _ in questions), 1)
        assert {type(result) for result in results if not isinstance(result, str)} <= {Late, Busy}
        assert agent.resumed == won
        with database.reading() as session:
            for thread, question in questions:
                (decision,) = decisions.of_interrupts(session, [question])
                asking, resuming = runs.of_thread(session, thread)
                assert (decision.resume_run, resuming.status) == (resuming.id, "success")
                assert asking.sealed_at is not None
