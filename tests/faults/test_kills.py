"""A process that is killed at any moment, with eight answers streaming, loses nothing a person could miss."""

import asyncio
import random
import time

import pytest

from tests.fakes import until
from tests.support.fault_agent import FaultAgent
from tests.support.sql_looks import rows, settled, texts

KILLS = 25
LIVE = 8
PROMISE_S = 0.25
"""Seconds of a stream that may be lost: what was not due to be committed yet."""
BUSY_S = 0.5
"""What a commit itself may take on a machine that runs tests beside it."""
REASONS = {"SERVER_RESTART"}


@pytest.mark.timeout(900)
async def test_twenty_five_kills_with_eight_live_runs_lose_nothing(launch, database, agent: FaultAgent):
    chance = random.Random(20)
    said: dict[str, list[str]] = {}
    decided: list[str] = []
    lost: list[float] = []
    threads: list[str | None] = [None] * LIVE
    for kill in range(KILLS):
        process = await launch()
        await settled(database)
        agent.runs.clear()
        clicks = [
            process.click(
                "send", text=f"{'ask' if not slot else 'stream'} {kill}.{slot}", thread=threads[slot]
            )
            for slot in range(LIVE)
        ]
        for slot, answer in enumerate(await asyncio.gather(*clicks)):
            assert "error" not in answer, answer
            threads[slot] = answer["thread"]
            said.setdefault(answer["thread"], []).append(f"{'ask' if not slot else 'stream'} {kill}.{slot}")
        await until(lambda: len([run for run in agent.runs if run.pieces]) >= LIVE - 1, seconds=20)
        await until(lambda: rows(database, "SELECT id FROM interrupt WHERE status = 'pending'"), seconds=20)
        ((question,),) = rows(database, "SELECT id FROM interrupt WHERE status = 'pending'")
        answer = await process.click("decide", text="approve", thread=threads[0], interrupt=question)
        assert "error" not in answer, answer
        decided.append(question)
        await asyncio.sleep(chance.uniform(0, 1.5))
        at = time.time()
        await process.kill()
        again = await launch()
        await settled(database)
        all_is_there(database, agent, said, decided)
        await again.kill()
        lost += [loss_of(database, run, at) for run in agent.runs if run.line.startswith("stream")]
    print(f"\nlongest loss of {len(lost)} killed streams: {max(lost) * 1000:.0f} ms")


def all_is_there(database, agent, said, decided) -> None:
    """Compare SQL with what was acknowledged."""
    for thread, lines in said.items():
        assert texts(database, thread, "user") == lines
    made = {row[0] for row in rows(database, "SELECT interrupt FROM decision")}
    assert made == set(decided)
    assert len(agent.resumes) == len(set(agent.resumes))
    assert rows(database, "SELECT id FROM run WHERE status = 'running'") == []
    codes = {row[0] for row in rows(database, "SELECT error_code FROM run WHERE status = 'failed'")}
    assert codes <= REASONS
    doubled = "SELECT thread, wire_id FROM message GROUP BY thread, wire_id, role HAVING count(*) > 1"
    assert rows(database, doubled) == []


def loss_of(database, run, at: float) -> float:
    """Return how many seconds of a stream that was cut at `at` are not in SQL."""
    sent = run.text()
    ours = rows(database, "SELECT id FROM thread WHERE wire_id = :wire", wire=run.thread)[0][0]
    stored = [one for one in texts(database, ours, "assistant") if one][-1:] or [""]
    assert sent.startswith(stored[0])
    missing = [moment for moment, _ in run.pieces if len(run.text(until=moment)) > len(stored[0])]
    loss = at - min(missing) if missing and min(missing) < at else 0.0
    assert loss <= PROMISE_S + BUSY_S, f"{loss:.3f} s of {run.line} are lost"
    return loss
