"""Two processes on one database: one drives the run, the other follows it by its log."""

import asyncio
from contextlib import aclosing, asynccontextmanager

import pytest
from sqlalchemy import text as sql
from structlog.testing import capture_logs

from chat_app.data.db import Database
from chat_app.services.approvals import Answer
from chat_app.services.bus import Wake
from chat_app.services.panels import PanelSpec
from tests.fakes import Browser as Tab
from tests.fakes import until, within
from tests.support.world import (
    Gate,
    World,
    answer,
    ask,
    called,
    closed,
    finished,
    opened,
    said,
    started,
    text,
)

pytest_plugins = ("tests.support.databases",)


class Wire:
    """A bus between two worlds in one process: what one posts, the other hears."""

    def __init__(self) -> None:
        self.hears = []
        self.posted: list[frozenset[Wake]] = []

    def end(self) -> "End":
        return End(self)


class End:
    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._hear = None

    async def join(self, hear) -> bool:
        self._hear = hear
        self._wire.hears.append(hear)
        return len(self._wire.hears) == 1

    async def settle(self) -> None: ...

    async def leave(self) -> None:
        self._wire.hears.remove(self._hear)

    def post(self, wakes) -> None:
        self._wire.posted.append(wakes)
        for hear in self._wire.hears:
            if hear is not self._hear:
                hear(wakes)


@pytest.fixture
async def two(database_url):
    """The one that drives and the one that follows."""
    wire, opened_ = Wire(), [Database(database_url) for _ in range(2)]
    one = World(opened_[0], worker="worker-1", bus=wire.end())
    other = World(opened_[1], worker="worker-2", bus=wire.end(), new_id=one.new_id, clock=one.clock)
    async with one.running(), other.running():
        yield one, other
    # a reading that a closed tab has left behind still holds its connection
    await asyncio.get_running_loop().shutdown_default_executor()
    for database in opened_:
        database.dispose()


@asynccontextmanager
async def following(world: World, thread: str, tab: Tab):
    async def follow() -> None:
        async with aclosing(world.threads.follow(world.ada, thread, tab.cursor)) as frames:
            async for frame in frames:
                tab.receive(frame)

    task = asyncio.ensure_future(follow())
    try:
        await until(lambda: tab.epoch)
        yield tab
    finally:
        task.cancel()
        await asyncio.wait([task])


def words(tab: Tab) -> list[str]:
    return [part["text"] for row in tab.shown() for part in row["parts"]]


async def test_a_follower_elsewhere_sees_the_text_grow_and_end_alike(two):
    one, other = two
    first, second = Gate(), Gate()
    one.agent.scripts.append(
        lambda run: [
            *(started(run), opened("a"), said("a", "One "), first, said("a", "two "), second),
            *(said("a", "three"), closed("a"), *called("c1"), finished(run)),
        ]
    )
    thread = await one.chat.send(one.ada, None, "Count")
    await until(lambda: one.agent.waiting == 1)
    await one.journal.flush()
    near, far = Tab(), Tab()
    async with following(one, thread, near), following(other, thread, far):
        await until(lambda: words(far) == ["Count", "One "])
        assert far.run["status"] == "running"
        first.set()
        await until(lambda: words(far) == ["Count", "One two "])
        second.set()
        await one.idle()
        await until(lambda: far.run["status"] == "idle" and near.run["status"] == "idle")
        await until(lambda: far.shown() == near.shown())
    assert other.hub.channel(thread) is None


async def test_a_follower_elsewhere_sees_the_state_while_it_changes(database_url):
    specs = (PanelSpec("state"),)
    wire, databases = Wire(), [Database(database_url) for _ in range(2)]
    one = World(databases[0], worker="worker-1", bus=wire.end(), panels=specs)
    other = World(
        databases[1],
        worker="worker-2",
        bus=wire.end(),
        new_id=one.new_id,
        clock=one.clock,
        panels=specs,
    )
    gate = Gate()
    one.agent.scripts.append(
        lambda run: [
            *(started(run), {"type": "STATE_SNAPSHOT", "snapshot": {"n": 1}}, gate),
            *text("a", "Done"),
            finished(run),
        ]
    )
    async with one.running(), other.running():
        thread = await one.chat.send(one.ada, None, "Count")
        await until(lambda: one.agent.waiting == 1)
        await one.journal.flush()
        async with following(other, thread, Tab()):
            live = other.hub.channel(thread).live
            await until(lambda: live.panels.snapshot()["views"]["state"]["view"] == {"n": 1})
            assert live.panels.writing
            gate.set()
            await until(lambda: live.run.status == "idle")
            assert not live.panels.writing
        await one.idle()
    await asyncio.get_running_loop().shutdown_default_executor()
    for database in databases:
        database.dispose()


async def test_who_comes_in_the_middle_is_shown_what_the_log_holds(two):
    one, other = two
    gate = Gate()
    thread = await one.said("Before", answer("old"))
    one.agent.scripts.append(
        lambda run: [started(run), opened("a"), said("a", "half"), gate, closed("a"), finished(run)]
    )
    await one.chat.send(one.ada, thread, "Now")
    await until(lambda: one.agent.waiting)
    await one.journal.flush()
    async with following(other, thread, Tab()) as far:
        assert words(far) == ["Before", "old", "Now", "half"]
        gate.set()
        await until(lambda: far.run["status"] == "idle")
    await one.idle()


async def test_who_follows_a_branch_elsewhere_is_shown_that_branch_alone(two):
    one, other = two
    grow, end = Gate(), Gate()
    thread = await one.said("First", lambda run: [started(run), *text("a", "old"), finished(run)])
    one.agent.scripts.append(
        lambda run: [
            *(started(run), opened("a"), said("a", "new"), grow, said("a", "er"), end),
            *(closed("a"), finished(run)),
        ]
    )
    (line, _) = one.view(thread).rows
    await one.branching.edit(one.ada, thread, line.key, "Second")
    await until(lambda: one.agent.waiting)
    await one.journal.flush()
    async with following(other, thread, Tab()) as far:
        assert words(far) == ["Second", "new"]
        grow.set()
        await until(lambda: words(far) == ["Second", "newer"])
        end.set()
        await until(lambda: far.run["status"] == "idle")
    await one.idle()


async def test_a_removed_row_goes_elsewhere_too(two):
    one, other = two
    gate, snapshot = Gate(), {"type": "MESSAGES_SNAPSHOT", "messages": []}
    one.agent.scripts.append(
        lambda run: [started(run), opened("a"), said("a", "gone"), closed("a"), gate, snapshot, Gate()]
    )
    thread = await one.chat.send(one.ada, None, "Go")
    await until(lambda: one.agent.waiting)
    await one.journal.flush()
    async with following(other, thread, Tab()) as far:
        await until(lambda: "gone" in words(far))
        gate.set()
        await until(lambda: "gone" not in words(far))


async def test_a_stop_from_another_worker_ends_the_run(two):
    one, other = two
    one.agent.scripts.append(lambda run: [started(run), opened("a"), said("a", "half"), Gate()])
    thread = await one.chat.send(one.ada, None, "Go")
    await until(lambda: one.agent.waiting)
    await other.chat.stop(other.ada, thread)
    await one.idle()
    assert [row.code for row in other.view(thread).rows if row.kind == "note"] == ["CANCELLED"]


async def test_an_answer_given_on_another_worker_resumes_there_and_is_seen_here(two):
    one, other = two
    thread = await one.said("Go", ask())
    gate = Gate()
    other.agent.scripts.append(
        lambda run: [started(run), opened("b"), said("b", "ok"), gate, closed("b"), finished(run)]
    )
    async with following(one, thread, Tab()) as near:
        (question,) = one.questions(thread)
        await other.approvals.decide(other.ada, question.id, Answer("approve"))
        await until(lambda: "ok" in words(near))
        gate.set()
        await other.idle()
        await until(lambda: near.run["status"] == "idle")
        assert [row["status"] for row in near.shown() if row["kind"] == "approval"] == ["answered"]


async def test_the_list_of_another_worker_learns_of_threads_and_of_looks(two):
    one, other = two
    frames = other.threads.follow_list(other.ada)
    async with aclosing(frames):
        assert '"threads":[]' in await within(anext(frames))
        thread = await one.said("Hello", answer("Hi"))
        await until(other.hub.listed)
        assert thread in await within(anext(frames))


async def test_a_log_that_cannot_be_read_here_is_shown_as_sql_has_it(two):
    one, other = two
    one.agent.scripts.append(lambda run: [started(run), opened("a"), said("a", "half"), Gate()])
    thread = await one.chat.send(one.ada, None, "Go")
    await until(lambda: one.agent.waiting)
    await one.journal.flush()
    with one.database.transaction() as session:
        session.execute(sql("UPDATE run_event SET type = 'NEWER', payload = '{}' WHERE type = 'RUN_STARTED'"))
    with capture_logs() as logs:
        async with following(other, thread, Tab()) as far:
            assert words(far)[0] == "Go"
    assert {line["event"] for line in logs} >= {"log_unreadable"}
