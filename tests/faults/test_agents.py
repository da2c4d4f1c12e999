"""Agents on a bad day. Each spoils its own run and no other."""

import asyncio

from tests.fakes import until
from tests.support.fault_agent import FLOOD, FaultAgent
from tests.support.sql_looks import ends, rows, settled, texts


async def test_bad_agents_spoil_their_own_runs_only(launch, database, agent: FaultAgent):
    process = await launch(PARLEY_AGENT_IDLE_LIMIT="1.5")
    lines = ("hang", "trickle", "flood", "die", "short")
    answers = await asyncio.gather(*(process.click("send", text=line) for line in lines))
    threads = {line: answer["thread"] for line, answer in zip(lines, answers, strict=True)}
    await settled(database, seconds=60)
    ended = {line: ends(database, thread)[-1] for line, thread in threads.items()}
    assert ended["short"] == ended["trickle"] == ended["flood"] == ("success", None)
    assert [ended[line][0] for line in ("hang", "die")] == ["failed", "failed"]
    assert texts(database, threads["trickle"], "assistant") == ["".join(f"word{n} " for n in range(8))]
    assert len(texts(database, threads["flood"], "assistant")[0]) == FLOOD
    assert texts(database, threads["die"], "assistant") == ["half"]
    assert all(code for _, code in (ended["hang"], ended["die"]))


async def test_an_agent_that_hangs_can_be_stopped_and_its_thread_goes_on(launch, database, agent: FaultAgent):
    process = await launch()
    thread = (await process.click("send", text="hang"))["thread"]
    await until(lambda: agent.runs)
    assert (await process.click("send", text="short", thread=thread)) is not None
    await process.click("stop", thread=thread)
    await until(lambda: agent.runs[0].left or rows(database, "SELECT id FROM run WHERE status = 'failed'"))
    await settled(database)
    assert ends(database, thread)[0] == ("failed", "CANCELLED")
