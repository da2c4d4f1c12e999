"""The ways a run can go, on every database we support: what a unit test proves on SQLite must hold elsewhere too."""

import asyncio
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from chat_app.data import threads
from chat_app.data.db import Database
from chat_app.data.records import EventRecord
from chat_app.services.approvals import Answer
from chat_app.services.batch import Batch
from chat_app.services.exports import KINDS
from chat_app.services.policy import Refused
from chat_app.services.problems import Late
from chat_app.web.live import MOST
from tests.fakes import until
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
    unreachable,
)

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


async def test_a_conversation_is_kept(world):
    thread = await world.said("One", answer("1 ", "one"))
    await world.said("Two", answer("2"), thread=thread)
    assert texts(world.view(thread)) == ["One", "1 one", "Two", "2"]
    assert [run.status for run in world.runs(thread)] == ["success", "success"]


async def test_what_no_database_can_hold_fails_no_run(world):
    odd = "nul \x00, half \ud83d"
    state = {"type": "STATE_SNAPSHOT", "snapshot": {"a\x00": odd}}
    activity = {"type": "ACTIVITY_SNAPSHOT", "messageId": "act", "activityType": "x", "content": {"t": odd}}
    thread = await world.said(
        odd, lambda run: [started(run), *text("a", odd), *called("c1", odd), state, activity, finished(run)]
    )
    assert world.runs(thread)[0].status == "success"
    assert texts(world.view(thread))[:2] == ["nul \ufffd, half \ufffd", "nul \x00, half \ufffd"]


async def test_what_is_no_json_fails_its_own_run_and_no_other(world):
    infinite = {"type": "STATE_SNAPSHOT", "snapshot": {"n": float("inf")}}

    def script(run):
        bad = run.messages[-1].content == "Bad"
        return [started(run), infinite, finished(run)] if bad else answer("ok")(run)

    with capture_logs():
        world.agent.scripts.extend([script, script])
        bad = await world.chat.send(world.ada, None, "Bad")
        good = await world.said("Good")
    assert [row.code for row in world.view(bad).rows if row.kind == "note"] == ["INTERNAL"]
    assert texts(world.view(good)) == ["Good", "ok"]


async def test_a_chat_is_exported_and_read_from_its_farthest_end(world):
    thread = await world.said("Hello", answer("Good day"))
    for kind in KINDS:
        assert "Good day" in (await world.services.exports.file(world.ada, thread, kind)).text
    assert "Good day" in await world.threads.older(world.ada, thread, MOST, until=MOST)
    with pytest.raises(Refused):
        await world.shared.past(world.ada, thread, MOST)


async def test_two_last_answers_at_once_start_one_resume(world):
    thread = await world.said("Go", ask(question("q1", "c1"), question("q2", "c2")))
    questions = world.questions(thread)
    world.agent.scripts.append(answer("ok"))
    clicks = [
        world.approvals.decide(world.ada, one.id, Answer("approve")) for one in (*questions, *questions)
    ]
    results = await asyncio.gather(*clicks, return_exceptions=True)
    await world.idle()
    assert [one for one in results if not isinstance(one, Late | str)] == []
    assert [run.status for run in world.runs(thread)] == ["interrupted", "success"]


async def test_a_stop_and_a_retry(world):
    world.agent.scripts.append(lambda run: [started(run), opened("a"), said("a", "half"), Gate()])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    await world.chat.stop(world.ada, thread)
    await world.idle()
    world.agent.scripts.append(unreachable)
    await world.chat.retry(world.ada, thread)
    await world.idle()
    codes = [row.code for row in world.view(thread).rows if row.kind == "note"]
    assert codes == ["CANCELLED", "agent_unreachable"]


async def test_a_refused_batch_loses_its_exchange_and_no_other(world):
    def begun():
        thread = world.thread()
        with world.database.transaction() as session:
            run = world.opener.open(session, thread, kind="send", by=world.ada.id)
            world.opener.say(session, thread.id, run, "Hello")
        return run

    bad, good = begun(), begun()
    now = world.clock()
    taken = EventRecord(thread=bad.thread, seq=1, run=bad.id, type="X", payload={}, at=now)
    whole = Batch(exchange=good.exchange, thread=good.thread, at=now, last_seq=3, leaf=None, mark="")
    broken = replace(whole, exchange=bad.exchange, thread=bad.thread, events=[taken])
    with capture_logs():
        assert world.ledger.write([broken, whole]) == [bad.exchange]
    assert world.live(bad.thread) is not None
    assert world.live(good.thread) is None


async def test_what_another_process_left_open_is_closed(database_url):
    first = Database(database_url)
    dead = World(first)
    thread = dead.thread()
    with first.transaction() as session:
        run = dead.opener.open(session, thread, kind="send", by=dead.ada.id)
        dead.opener.say(session, thread.id, run, "Hello")
    first.dispose()
    second = Database(database_url)
    async with World(second, worker="worker-2").running() as world:
        assert world.live(thread.id) is None
        assert [row.code for row in world.view(thread.id).rows if row.kind == "note"] == ["SERVER_RESTART"]
    second.dispose()


async def test_a_lost_lease_is_noticed(world):
    world.agent.scripts.append(lambda run: [started(run), Gate()])
    thread = await world.chat.send(world.ada, None, "Hello")
    await until(lambda: world.agent.waiting)
    world.take_away(thread)
    with capture_logs():
        await world.supervisor._renew()
        await world.idle()
    assert world.live(thread).worker_id == "worker-2"
    with world.database.transaction() as session:
        threads.delete(session, thread, now=world.clock())
