import asyncio
from datetime import timedelta

import pytest
from sqlalchemy import update
from structlog.testing import capture_logs

from chat_app.data import audit, auth_sessions, exchanges, threads
from chat_app.data.agents import agent as agent_table
from chat_app.data.errors import DatabaseBusy
from chat_app.data.records import AuthSessionRecord
from chat_app.services import retention as module
from chat_app.services.retention import Retention, Terms
from tests.fakes import until
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)
DAY = timedelta(days=1)


@pytest.fixture
def world(database) -> World:
    return World(database)


def swept(world, *, days: int | None = None, undo: timedelta = 30 * DAY) -> int:
    return Retention(world.database, Terms(days, undo), now=world.clock).sweep()


def left(world) -> set[str]:
    with world.database.reading() as session:
        return set(threads.every_id(session))


def test_nothing_is_erased_unless_it_is_asked_for(world):
    thread = world.thread()
    world.clock.forward(days=9999)

    assert swept(world) == 0
    assert left(world) == {thread.id}


def test_unused_chats_go_and_pinned_used_and_live_ones_stay(world):
    old = world.thread()
    pinned, live = world.thread(pinned=True), world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, live, kind="send", by=world.ada.id)
        threads.change(session, live.id, updated=old.updated)
    world.clock.forward(days=10)
    new = world.thread()

    assert swept(world, days=9) == 1
    assert left(world) == {pinned.id, live.id, new.id}
    with world.database.transaction() as session:
        (act,) = audit.of_object(session, f"thread:{old.id}")
        exchanges.end(session, run.exchange, worker_id=world.worker, now=world.clock())
    assert (act.actor, act.action, act.reason) == (None, "thread.erased", "unused for 9 days")
    assert swept(world, days=9) == 1


@pytest.mark.parametrize(
    ("policy", "erased"),
    [
        ({"retention_days": 5}, 1),
        ({"retention_days": 20}, 0),
        ({"retention_days": None}, 0),
        ({}, 1),
        ([], 1),
    ],
)
def test_the_terms_of_an_agent_go_before_those_of_all(world, policy, erased):
    world.thread()
    with world.database.transaction() as session:
        session.execute(update(agent_table).values(policy=policy))
    world.clock.forward(days=10)

    assert swept(world, days=9) == erased


def test_deleted_chats_go_after_their_undo_time_piece_by_piece(world):
    kept = world.thread()
    deleted = [world.thread() for _ in range(module.PIECE + 1)]
    with world.database.transaction() as session:
        for thread in deleted:
            threads.delete(session, thread.id, now=world.clock())
    assert swept(world) == 0
    world.clock.forward(days=31)

    assert swept(world) == module.PIECE + 1
    assert left(world) == {kept.id}


def test_sign_ins_that_are_over_go(world):
    now = world.clock()
    with world.database.transaction() as session:
        for number in (1, 2):
            record = AuthSessionRecord(
                id=f"s{number}",
                user=world.ada.id,
                token_hash=f"h{number}",
                created=now,
                expires_at=now + number * DAY,
                last_seen=now,
            )
            auth_sessions.create(session, record)
    world.clock.forward(days=1.5)
    swept(world)

    with world.database.reading() as session:
        assert [one.id for one in auth_sessions.of_user(session, world.ada.id)] == ["s2"]


async def test_it_looks_now_and_then_until_it_is_stopped(sqlite):
    world = World(sqlite)
    looked = []

    def now():
        looked.append(world.clock())
        return world.clock()

    world.thread()
    world.clock.forward(days=10)
    keeper = Retention(sqlite, Terms(9, DAY), now=now, every=timedelta(0))
    with capture_logs() as logs:
        await keeper.start()
        await until(lambda: len(looked) > 3)
        await keeper.stop()

    assert [line for line in logs if line["event"] == "retention_erased"] == [
        {"event": "retention_erased", "log_level": "info", "threads": 1}
    ]
    await Retention(sqlite, Terms(9, DAY), now=now).stop()


async def test_a_database_that_is_away_is_waited_for(sqlite):
    world = World(sqlite)
    asked = asyncio.Event()
    loop = asyncio.get_running_loop()

    def away():
        loop.call_soon_threadsafe(asked.set)
        raise DatabaseBusy("away")

    keeper = Retention(sqlite, Terms(None, DAY), now=away, every=timedelta(hours=1))
    with capture_logs() as logs:
        await keeper.start()
        await asked.wait()
        await until(lambda: logs)
        await keeper.stop()

    assert logs == [{"event": "retention_waits", "log_level": "warning", "reason": "away"}]
    assert world


def test_what_else_is_kept_is_looked_after_each_time(world):
    looked: list[str] = []
    also = (lambda: len(looked.append("files") or looked), lambda: len(looked.append("search") or looked))
    Retention(world.database, Terms(None, DAY), now=world.clock, also=also).sweep()
    assert looked == ["files", "search"]
