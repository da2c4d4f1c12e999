"""Agents on a bad day. Each spoils its own run and no other."""

import asyncio
import json

from tests.fakes import until
from tests.support.fault_agent import FLOOD, FaultAgent, fault_agent
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


# ---------------------------------------------------------------- agents that an admin manages, seen by another process


def form(agent: FaultAgent, **more: object) -> str:
    return json.dumps({"name": "Orders", "url": agent.url, "headers": "X-Key: first", **more})


async def test_what_an_admin_changes_in_one_process_holds_in_another_at_once(
    launch, database, agent: FaultAgent
):
    one, other = await launch(PARLEY_PRIVATE_AGENTS="true"), await launch(PARLEY_PRIVATE_AGENTS="true")
    assert (await other.click("agents"))["thread"] == "Parley"
    orders = (await one.click("add", text=form(agent)))["thread"]
    assert (await other.click("agents"))["thread"] == "Parley,Orders"
    thread = (await other.click("send", text="short", agent=orders))["thread"]
    await settled(database)
    assert "x-key: first" in agent.runs[-1].head
    await one.click("change", agent=orders, text=form(agent, headers="X-Key: second"))
    await other.click("send", text="short", thread=thread)
    await settled(database)
    assert "x-key: second" in agent.runs[-1].head
    async with fault_agent() as moved:
        await one.click("change", agent=orders, text=form(moved, headers=""))
        await other.click("send", text="short", thread=thread)
        await settled(database)
        assert [run.head.count("x-key: second") for run in moved.runs] == [1]
    assert ends(database, thread) == [("success", None)] * 3


async def test_an_agent_switched_off_in_one_process_starts_nothing_in_another_and_ends_what_it_began(
    launch, database, agent: FaultAgent
):
    one, other = await launch(PARLEY_PRIVATE_AGENTS="true"), await launch(PARLEY_PRIVATE_AGENTS="true")
    orders = (await one.click("add", text=form(agent)))["thread"]
    thread = (await other.click("send", text="trickle", agent=orders))["thread"]
    await until(lambda: agent.runs and agent.runs[0].pieces)
    await other.click("queue", text="short", thread=thread)
    await one.click("switch", agent=orders, text="off")
    for refused in (
        await other.click("send", text="short", agent=orders),
        await other.click("queue", text="short", thread=thread),
    ):
        assert refused["error"] == "AgentClosed"
    assert (await other.click("agents"))["thread"] == "Parley"
    await settled(database)
    assert ends(database, thread) == [("success", None)]
    assert texts(database, thread, "assistant") == ["".join(f"word{n} " for n in range(8))]
    assert [row[0] for row in rows(database, "SELECT text FROM queued_send")] == ["short"]
    await one.click("switch", agent=orders, text="on")
    await until(lambda: not rows(database, "SELECT id FROM queued_send"), seconds=60)
    await settled(database)
    assert ends(database, thread) == [("success", None)] * 2
    assert texts(database, thread, "user") == ["trickle", "short"]


async def test_a_tool_of_ours_is_offered_to_the_agent_that_was_given_it_and_its_question_outlives_that(
    launch, database, agent: FaultAgent
):
    process = await launch(PARLEY_PRIVATE_AGENTS="true")
    await process.click("send", text="use ask_person")
    await settled(database)
    assert agent.runs[-1].tools == ()
    orders = (await process.click("add", text=form(agent, tools=["ask_person"])))["thread"]
    thread = (await process.click("send", text="use ask_person", agent=orders))["thread"]
    await settled(database)
    assert agent.runs[-1].tools == ("ask_person",)
    (asked,) = rows(database, "SELECT id FROM interrupt WHERE status = 'pending'")
    await process.click("change", agent=orders, text=form(agent))
    said = await process.click("decide", interrupt=asked[0], text="respond", note="The blue one")
    assert "error" not in said, said
    await settled(database)
    assert texts(database, thread, "assistant")[-1] == "The blue one"
