"""What users of other chat pages complain about most, one regression each, by the letters of that list.

Row G, several workers behind a proxy, needs real processes: `test_peers_g.py`.
"""

import asyncio
import gc
import json
import os
import subprocess
import sys
from contextlib import aclosing
from pathlib import Path

import pytest

from chat_app.data import decisions, threads
from chat_app.data.db import Database
from chat_app.services.approvals import Answer
from chat_app.services.policy import Refused
from chat_app.services.problems import Late
from tests.fakes import Browser, until, within
from tests.support.world import (
    Gate,
    World,
    answer,
    ask,
    called,
    finished,
    opened,
    question,
    said,
    started,
    text,
    texts,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(sqlite):
    async with World(sqlite).running() as world:
        yield world


def cards(world: World, thread: str) -> list:
    return [row for row in world.view(thread).rows if row.kind == "approval"]


def tools(world: World, thread: str) -> list[tuple[str, str, str]]:
    parts = [part for row in world.view(thread).rows for part in row.parts if part.kind == "tool"]
    return [(part.name, part.status, part.result) for part in parts]


# ---------------------------------------------------------------- A


async def pushed(world: World, thread: str) -> int:
    """Return the bytes pushed for a 4 kB answer to a line said in a thread."""
    words = [f"{n:04} " for n in range(800)]
    gate = Gate()
    world.agent.scripts.append(
        lambda run: [started(run), gate, opened("x"), *(said("x", w) for w in words), finished(run)]
    )
    sizes = []
    async with aclosing(world.threads.follow(world.ada, thread, "")) as frames:
        await within(anext(frames))
        waiting = world.agent.waiting
        await world.chat.send(world.ada, thread, "More")
        await until(lambda: world.agent.waiting > waiting)
        page_run = "running"
        gate.set()
        while page_run != "idle":
            frame = await within(anext(frames))
            sizes.append(len(frame))
            for op in json.loads(frame).get("ops", ()):
                page_run = op[1]["status"] if op[0] == "run" else page_run
    await world.idle()
    return sum(sizes)


@pytest.mark.faults
async def test_a_streaming_costs_the_same_in_a_long_chat(world):
    empty = await world.said("Hello", answer("Hi"))
    small = await pushed(world, empty)

    long = await world.said("Hello", answer("Hi"))
    for _ in range(249):
        await world.said("And then?", answer("some text of an answer " * 5), thread=long)
    assert len(world.messages(long)) == 500
    assert await pushed(world, long) <= 1.25 * small


# ---------------------------------------------------------------- B


async def test_b_an_approval_is_where_it_belongs_until_it_is_answered_and_never_after(world):
    thread = await world.said("Go", ask())
    other = await world.said("Hello", answer("Hi"))
    (card,) = cards(world, thread)
    async with (
        aclosing(world.threads.follow(world.ada, thread, "")) as one,
        aclosing(world.threads.follow(world.ada, thread, "")) as two,
    ):
        tabs = [(Browser(), frames) for frames in (one, two)]
        for page, frames in tabs:  # a reload and a second tab
            page.receive(await within(anext(frames)))
            assert [row["status"] for row in page.shown() if row["kind"] == "approval"] == ["pending"]
        assert cards(world, other) == []  # another thread
        world.agent.scripts.append(answer("done"))
        await world.approvals.decide(world.ada, card.interrupt_id, Answer("approve"))
        for page, frames in tabs:
            while page.run["status"] != "idle" or "done" not in str(page.shown()):
                page.receive(await within(anext(frames)))
            assert [row["status"] for row in page.shown() if row["kind"] == "approval"] == ["answered"]
    await world.idle()
    await world.services.stop()  # the worker restarts
    async with World(world.database, worker="worker-2", new_id=world.new_id).running() as later:
        assert [(row.status, row.actions, row.owed) for row in cards(later, thread)] == [
            ("answered", [], False)
        ]
        with pytest.raises(Late):
            await later.approvals.decide(later.ada, card.interrupt_id, Answer("approve"))
        assert later.agent.requests == []


# ---------------------------------------------------------------- C

ROOT = Path(__file__).parents[2]


async def _named(lines: asyncio.StreamReader) -> str:
    while not (line := await lines.readline()).startswith(b"thread "):
        assert line, "the process ended before it had said anything"
    return line.decode().split()[1]


@pytest.mark.faults
async def test_c_a_killed_process_loses_no_completed_event_and_says_what_happened(fresh_url):
    url = fresh_url("sqlite")
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.talking_process", url, stdout=subprocess.PIPE, cwd=ROOT
    )
    try:
        # said when half of the agent's second message is committed
        thread = await within(_named(process.stdout), 60)
    finally:
        process.kill()
        await process.wait()
    database = Database(url)
    async with World(database, worker="worker-2", new_id=lambda: os.urandom(16).hex()).running() as world:
        shown = world.view(thread)
        assert texts(shown)[:3] == ["Hello", "A whole message.", "{}"]
        assert texts(shown)[3] == "Half a mess"
        assert tools(world, thread) == [("look", "done", "found")]
        assert [(row.code, row.retry) for row in shown.rows if row.kind == "note"] == [
            ("SERVER_RESTART", True)
        ]
        assert (shown.run.status, world.live(thread)) == ("idle", None)
        world.agent.scripts.append(answer("again"))
        await world.chat.retry(world.ada, thread)
        await world.idle()
        assert texts(world.view(thread))[-1] == "again"
    database.dispose()


# ---------------------------------------------------------------- D


async def test_d_three_calls_of_one_tool_each_have_their_own_result(world):
    def script(run):
        results = [("c3", "third"), ("c1", "first"), ("c2", "it broke")]
        told = [
            {"type": "TOOL_CALL_RESULT", "messageId": f"t-{call}", "toolCallId": call, "content": content}
            for call, content in results
        ]
        told[2]["error"] = "it broke"
        calls = [event for n in (1, 2, 3) for event in called(f"c{n}", f'{{"n":{n}}}', "look")]
        return [started(run), *calls, *told, *text("a", "Three."), finished(run)]

    thread = await world.said("Look", script)
    found = tools(world, thread)
    assert [(name, result) for name, _, result in found] == [
        ("look", "first"),
        ("look", "it broke"),
        ("look", "third"),
    ]
    world.agent.scripts.append(answer("ok"))
    await world.said("And?", thread=thread)
    sent = [m.tool_call_id for m in world.agent.requests[-1].messages if m.role == "tool"]
    assert sorted(sent) == ["c1", "c2", "c3"]  # each once


# ---------------------------------------------------------------- E


async def test_e_a_snapshot_that_rekeys_omits_repeats_and_reorders_neither_doubles_nor_loses(world):
    thread = await world.said("One", lambda run: [started(run), *text("a1", "first"), finished(run)])

    def script(run):
        kept = [message.model_dump(by_alias=True, exclude_none=True, mode="json") for message in run.messages]
        renamed = {"id": "new-2", "role": "assistant", "content": "second"}
        snapshot = {"type": "MESSAGES_SNAPSHOT", "messages": [*kept, renamed]}
        shuffled = {"type": "MESSAGES_SNAPSHOT", "messages": [renamed, *reversed(kept)]}
        return [started(run), *text("a2", "second"), snapshot, snapshot, shuffled, snapshot, finished(run)]

    await world.said("Two", script, thread=thread)
    assert texts(world.view(thread)) == ["One", "first", "Two", "second"]
    world.agent.scripts.append(answer("third"))
    await world.said("Three", thread=thread)
    request = world.agent.requests[-1]
    assert [message.content for message in request.messages] == ["One", "first", "Two", "second", "Three"]


# ---------------------------------------------------------------- F


async def test_f_stop_stops_from_anywhere_and_only_what_it_should(world, sqlite):
    def stuck(run):
        return [started(run), opened("a"), said("a", "half"), Gate()]

    world.agent.scripts.extend([stuck, stuck])
    one = await world.chat.send(world.ada, None, "One")
    two = await world.chat.send(world.ada, None, "Two")
    await until(lambda: world.agent.waiting == 2)

    # from another worker, after a reload, twice: a row that the owner acts on
    other = World(sqlite, worker="worker-2", new_id=world.new_id)
    for _ in range(2):
        await other.chat.stop(other.ada, one)
    assert world.view(one).run.status == "stopping"
    await world.supervisor.look()
    await until(lambda: not world.live(one))
    assert (texts(world.view(one)), world.agent.left) == (["One", "half"], 1)
    assert world.live(two) is not None  # with two runs, only the one that was meant

    with pytest.raises(Refused):
        await world.chat.stop(world.bob, two)
    await world.chat.stop(world.ada, two)
    await world.idle()

    asked = await world.said("Go", ask())  # while an approval is open: it is given up, once
    for _ in range(2):
        await world.chat.stop(world.ada, asked)
    assert [row.status for row in cards(world, asked)] == ["cancelled"]
    await world.said("Again", ask(question("q2", "c2")), thread=asked)
    assert [entry.status for entry in world.agent.requests[-1].resume] == ["cancelled"]
    world.agent.scripts.append(stuck)
    await world.approvals.decide(world.ada, cards(world, asked)[1].interrupt_id, Answer("approve"))
    await until(lambda: world.agent.waiting == 3)
    await world.chat.stop(world.ada, asked)
    await world.idle()
    assert cards(world, asked)[1].owed
    with sqlite.reading() as session:
        assert len(decisions.owed(session, asked)) == 1
    await world.said("Next", answer("ok"), thread=one)  # and the thread goes on


# ---------------------------------------------------------------- H

THREADS, RUNS, WARM = 40, 20, 20  # benchmarks/runs.py goes on to 200 threads


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.faults
async def test_h_memory_after_many_threads_is_what_it_was_after_the_first_ones(world):
    grown = []
    for number in range(THREADS):
        thread = await world.said("Hello", answer("Hi"))
        for _ in range(RUNS - 1):
            world.agent.scripts.append(answer("some text of an answer " * 5))
            await world.chat.send(world.ada, thread, "And then?")
            await world.idle()
        world.agent.requests.clear()
        if number + 1 in (WARM, THREADS):
            gc.collect()
            grown.append(resident())
    warm, last = grown
    assert last <= 1.1 * warm
    assert world.hub._channels == {}
    assert world.journal._open == {}
    with world.database.reading() as session:
        assert len(threads.listed(session, world.ada.id, limit=THREADS).threads) == THREADS
