"""A process that is killed at any moment, with eight answers streaming, loses nothing a person could miss."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from chat_app.data.db import Database
from chat_app.services.verify import verdict
from tests.fakes import until
from tests.support.fault_agent import FaultAgent, Sent
from tests.support.sql_looks import ends, rows, settled, texts

ROUNDS = range(5)
KILLS = 5
"""Kills of one round; all rounds together are twenty-five, on each kind of database."""
LIVE = 8
PROMISE_S = 0.25
"""Seconds of a stream that may be lost: what was not due to be committed yet."""
BUSY_S = 0.5
"""What a commit itself may take on a machine that runs tests beside it."""
LATE = 5
"""How many times as late as this process another one may be on a machine that has too much to do."""
PENDING = "SELECT id FROM interrupt WHERE status = 'pending'"


@dataclass
class Witness:
    """Clicks, remembers what was acknowledged, and looks for it after a kill."""

    database: Database
    agent: FaultAgent
    launch: Callable
    process: object = None
    threads: list[str | None] = field(default_factory=lambda: [None] * LIVE)
    said: dict[str, list[str]] = field(default_factory=dict)
    decided: set[str] = field(default_factory=set)
    retries: int = 0
    late: float = 0.0

    async def start(self) -> None:
        self.process = await self.launch()
        await settled(self.database)

    async def begin(self, number: int) -> None:
        """Say a line in each thread, and wait until seven answers stream and the eighth is a question."""
        self.agent.runs.clear()
        await asyncio.gather(*(self._say(slot, number) for slot in range(LIVE)))
        await until(lambda: sum(bool(run.pieces) for run in self.agent.runs) >= LIVE - 1, seconds=20)
        await until(lambda: rows(self.database, PENDING), seconds=20)

    async def decide(self) -> None:
        """Approve; the kill may come before the answer is acknowledged."""
        ((question,),) = rows(self.database, PENDING)
        answer = await self.process.click(
            "decide", text="approve", thread=self.threads[0], interrupt=question
        )
        assert "error" not in answer, answer
        self.decided.add(question)

    async def kill(self, *, after: float) -> float:
        """Kill the process after some seconds, and note how late the machine itself was in them."""
        self.late, end = 0.0, time.monotonic() + after
        while (before := time.monotonic()) < end:
            await asyncio.sleep(0.01)
            self.late = max(self.late, time.monotonic() - before - 0.01)
        at = time.time()
        await self.process.kill()
        return at

    async def catch_up(self) -> None:
        """Answer what is open and retry what may not have arrived, as the person who opens the page would."""
        if rows(self.database, PENDING):
            await self.decide()
            await settled(self.database)
        if ends(self.database, self.threads[0])[-1][0] == "failed":
            self.retries += 1
            answer = await self.process.click("retry", thread=self.threads[0])
            assert "error" not in answer, answer
            await settled(self.database)

    def all_is_there(self) -> None:
        for thread, lines in self.said.items():
            assert texts(self.database, thread, "user") == lines
        made = {row[0] for row in rows(self.database, "SELECT interrupt FROM decision")}
        assert made >= self.decided
        assert rows(self.database, "SELECT id FROM run WHERE status = 'running'") == []
        codes = {row[0] for row in rows(self.database, "SELECT error_code FROM run WHERE status = 'failed'")}
        assert codes <= {"SERVER_RESTART"}
        doubled = "SELECT thread, wire_id FROM message GROUP BY thread, wire_id, role HAVING count(*) > 1"
        assert rows(self.database, doubled) == []
        assert self.differences() == []

    def answered_once(self) -> None:
        """Each answer reached the agent, and again only when a person tried again."""
        arrived = Counter(self.agent.resumes)
        asked = rows(self.database, "SELECT wire_id FROM interrupt")
        assert set(arrived) == {row[0] for row in asked}
        assert sum(arrived.values()) <= len(asked) + self.retries

    def differences(self) -> list:
        """Return where the tables are not what the log folds to."""
        with self.database.reading() as session:
            looked_at = [verdict(session, thread) for thread in self.said]
        return [difference for one in looked_at for difference in one.differences]

    def loss_of(self, run: Sent, at: float) -> float:
        """Return how many seconds of a stream that was cut at `at` are not in SQL."""
        sent = run.text()
        ours = rows(self.database, "SELECT id FROM thread WHERE wire_id = :wire", wire=run.thread)[0][0]
        stored = [one for one in texts(self.database, ours, "assistant") if one][-1:] or [""]
        if not sent.startswith(stored[0]):  # cut before any of it was stored: that is the answer before it
            stored = [""]
        missing = [moment for moment, _ in run.pieces if len(run.text(until=moment)) > len(stored[0])]
        loss = at - min(missing) if missing and min(missing) < at else 0.0
        allowed = PROMISE_S + BUSY_S + LATE * self.late
        assert loss <= allowed, f"{loss:.3f} s of {run.line} are lost; the machine was {self.late:.3f} s late"
        return loss

    async def _say(self, slot: int, number: int) -> None:
        line = f"{'stream' if slot else 'ask'} {number}.{slot}"
        answer = await self.process.click("send", text=line, thread=self.threads[slot])
        assert "error" not in answer, answer
        self.threads[slot] = answer["thread"]
        self.said.setdefault(answer["thread"], []).append(line)


@pytest.fixture
def witness(launch, database, agent: FaultAgent) -> Witness:
    return Witness(database, agent, launch)


@pytest.mark.parametrize("number", ROUNDS)
async def test_kills_with_eight_live_runs_lose_nothing(witness: Witness, number: int):
    chance, lost = random.Random(number), []
    await witness.start()
    for kill in range(KILLS):
        await witness.begin(kill)
        # an answer, and a power cut: whichever comes first
        deciding = asyncio.ensure_future(witness.decide())
        at = await witness.kill(after=chance.uniform(0, 1.5))
        await asyncio.wait([deciding])
        assert deciding.cancelled() or deciding.exception() is None
        await witness.start()
        witness.all_is_there()
        lost += [witness.loss_of(run, at) for run in witness.agent.runs if run.line.startswith("stream")]
        await witness.catch_up()
        witness.answered_once()
    print(f"\nlongest loss of {len(lost)} killed streams: {max(lost) * 1000:.0f} ms")


async def test_kills_while_lines_are_committed_leave_each_line_whole_or_unsaid(
    launch, database, agent: FaultAgent
):
    chance = random.Random(11)
    for kill in range(KILLS):
        process = await launch()
        await settled(database)
        lines = {f"short {kill}.{slot}" for slot in range(LIVE)}
        clicks = {line: asyncio.ensure_future(process.click("send", text=line)) for line in lines}
        await asyncio.sleep(chance.uniform(0, 0.2))
        await process.kill()
        await asyncio.wait(clicks.values())
        acknowledged = {line for line, click in clicks.items() if not click.cancelled()}
        again = await launch()
        await settled(database)
        said = [texts(database, row[0], "user") for row in rows(database, "SELECT id FROM thread")]
        mine = [line for one in said for line in one if line in lines]
        assert acknowledged <= set(mine)
        assert sorted(mine) == sorted(set(mine))
        assert all(len(one) == 1 for one in said)  # no thread without its line
        await again.kill()
    assert rows(database, "SELECT id FROM run WHERE status = 'running'") == []
