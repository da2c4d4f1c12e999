"""Notices to a real HTTP receiver and a real mail server, on both databases: told once, and tried again."""

import asyncio
import json
import logging
import time
from datetime import UTC, datetime

import pytest
from structlog.testing import capture_logs

from chat_app.data import deliveries
from chat_app.services.accounts import Ways
from chat_app.services.approvals import Answer
from chat_app.services.notices import Plan, WrittenHook
from chat_app.services.notices.post import LEASE, PAUSES
from chat_app.services.notices.signing import new_secret, signed
from chat_app.wiring import stored_tables
from tests.fakes import FakeClock, until
from tests.support.hooks import receiving, verifier
from tests.support.mail import mail_server
from tests.support.noticed import boss, delivered, mailbox, on_their_way
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)

BY_OTHERS = {"decide": [{"by": "role", "roles": ["approver"]}]}


def clock() -> FakeClock:
    """Return a clock that shows the real time at first: receivers compare with theirs."""
    return FakeClock(datetime.now(UTC))


@pytest.fixture
async def receiver():
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def box():
    async with mail_server() as box:
        yield box


def world_of(database, box, **values) -> World:
    told = Plan(url="http://localhost:3000", private=True, mail=box.server(), tick=60.0)
    return World(database, plan=told, clock=clock(), ways=Ways(password=True), **values)


@pytest.fixture
async def world(database, box, receiver):
    async with world_of(database, box).running() as world:
        receiver.secret = await world.notices.add(boss(world), WrittenHook("Chat", receiver.url))
        yield world


async def waiting(world: World, policy=None, **more) -> str:
    world.rule(policy)
    thread = await world.said("a secret matter", ask(question(**more)))
    return world.questions(thread)[0].id


def states(world: World) -> list[str]:
    return [one.state for one in on_their_way(world)]


async def test_a_question_is_told_to_both_and_its_words_to_none(world, receiver, box):
    mailbox(world, world.ada)
    asked = await waiting(world)
    world.clock.forward(minutes=2)
    await delivered(world)
    (told,), (letter,) = receiver.told, box.letters
    assert (told["type"], told["data"]["question"]) == ("question.asked", asked)
    assert letter["To"] == "ada@example.org"
    for hidden in ("secret matter", "send_mail", "a@b.c", "May I"):
        assert hidden not in f"{told} {letter.as_string()}"


async def test_a_reminder_and_an_escalation_tell_people_once_however_many_look(world, receiver):
    eve = world.person("eve", "Eve", "approver")
    soon = datetime.fromtimestamp(time.time() + 600, UTC).isoformat()
    rules = BY_OTHERS | {"waiting": {"remind": 120, "escalate": 60, "to": ["admin"]}}
    await waiting(world, rules, expiresAt=soon)
    world.clock.forward(minutes=2)
    await asyncio.gather(*(asyncio.to_thread(world.times.look_after) for _ in range(4)))
    world.clock.forward(minutes=7)
    await asyncio.gather(*(asyncio.to_thread(world.times.look_after) for _ in range(4)))
    kinds = [one.kind for one in on_their_way(world)]
    assert sorted(kinds) == ["asked", "escalated", "reminder"]
    assert eve.id in on_their_way(world)[-1].facts["people"]


async def test_what_fails_is_tried_again_until_it_arrives(world, receiver):
    receiver.statuses = [503, 429]
    world.clock.now = datetime.now(UTC)
    await waiting(world)
    for pause in PAUSES[:2]:
        await delivered(world)
        assert states(world) == ["waiting"]
        world.clock.forward(seconds=pause + 1)
    await delivered(world)
    assert states(world) == ["sent"]
    assert len(receiver.posts) == 3
    assert len(set(receiver.ids)) == 1


async def test_two_workers_tell_once(world, database, box, receiver):
    other = world_of(database, box, worker="worker-2")
    for _ in range(10):
        await waiting(world)
    for _ in range(5):
        await asyncio.gather(world.post.look(), other.post.look())
        await until(lambda: not world.post._sending and not other.post._sending)
    await other.post.stop()
    assert states(world) == ["sent"] * 10
    assert len(receiver.ids) == len(set(receiver.ids)) == 10


async def test_a_worker_that_dies_while_it_sends_leaves_it_to_the_next_with_the_same_id(
    world, database, box, receiver
):
    await waiting(world)
    receiver.open.clear()
    dying = world_of(database, box, worker="worker-2")
    dying.clock.now = world.clock.now
    await dying.post.look()
    await until(lambda: receiver.posts)
    for task in dying.post._sending:
        task.cancel()
    await until(lambda: not dying.post._sending)
    receiver.open.set()
    await delivered(world)
    assert states(world) == ["waiting"]
    world.clock.now += LEASE
    world.clock.forward(seconds=1)
    await delivered(world)
    assert states(world) == ["sent"]
    assert len(receiver.ids) == 2
    assert len(set(receiver.ids)) == 1


async def test_a_receiver_with_another_secret_refuses_and_it_is_given_up(world, receiver):
    receiver.secret = new_secret()
    await waiting(world)
    await delivered(world)
    assert (receiver.refused, receiver.posts) == (1, [])
    assert [(one.state, one.outcome) for one in on_their_way(world)] == [("failed", "http:401")]


async def test_a_new_secret_and_the_one_before_are_both_believed_for_a_day(world, receiver):
    hook = (await world.notices.overview(boss(world))).hooks[0].id
    new = await world.notices.rotate(boss(world), hook)
    assert await world.notices.test(boss(world), hook) == "http:204"
    receiver.secret = new
    assert await world.notices.test(boss(world), hook) == "http:204"
    assert receiver.refused == 0


async def test_nobody_is_followed_elsewhere(world, receiver):
    await world.notices.add(boss(world), WrittenHook("Away", receiver.url.replace("/in", "/away")))
    hooks = {one.name: one.id for one in (await world.notices.overview(boss(world))).hooks}
    assert await world.notices.test(boss(world), hooks["Away"]) == "http:307"
    assert receiver.elsewhere == 0


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "0x7f.1"])
async def test_nothing_is_posted_into_the_network_of_the_server(sqlite, receiver, host):
    told = Plan(url="http://localhost:3000", tick=60.0)
    async with World(sqlite, plan=told, clock=clock()).running() as world:
        url = f"http://{host}:{receiver.port}/in"
        await world.notices.add(boss(world), WrittenHook("Inside", url))
        (hook,) = (await world.notices.overview(boss(world))).hooks
        assert await world.notices.test(boss(world), hook.id) in ("not_public", "unreachable")
    assert receiver.posts == []
    assert receiver.refused == 0


async def test_a_mail_server_that_is_away_is_tried_again(world, box):
    mailbox(world, world.ada)
    box.answer = "451 later"
    await waiting(world)
    world.clock.forward(minutes=2)
    await delivered(world)
    box.answer = "250 OK"
    world.clock.forward(seconds=PAUSES[0] + 1)
    await delivered(world)
    assert states(world) == ["sent", "sent"]
    assert len(box.letters) == 1


async def test_erasing_a_person_takes_their_address_and_their_notices(world):
    mailbox(world, world.bob)
    world.rule({"decide": [{"by": "role", "roles": ["approver"]}]})
    await world.people.set_roles(boss(world), world.bob.id, ["approver"])
    await waiting(world, BY_OTHERS)
    assert [one.user for one in on_their_way(world) if one.channel == "mail"] == [world.bob.id]
    await world.services.departures.erase(boss(world), world.bob.id, "asked for it")
    assert [one for one in on_their_way(world) if one.channel == "mail"] == []
    assert await world.mailboxes.of(boss(world), world.bob.id) is None


async def test_no_secret_is_in_a_log_a_record_or_an_export(world, receiver, caplog):
    caplog.set_level(logging.DEBUG)
    url = receiver.url + "?key=s3cret-of-the-address"
    with capture_logs() as logs:
        secret = await world.notices.add(boss(world), WrittenHook("Secret", url))
        receiver.secret = secret
        hooks = {one.name: one.id for one in (await world.notices.overview(boss(world))).hooks}
        assert await world.notices.test(boss(world), hooks["Secret"]) == "http:204"
        new = await world.notices.rotate(boss(world), hooks["Secret"])
        tom = world.person("tom", "Tom", "approver")
        asked = await waiting(world, BY_OTHERS)
        world.agent.scripts += [answer("ok")]
        await world.approvals.decide(tom, asked, Answer("approve"))
        await world.idle()
        await delivered(world)
        export = await world.services.departures.export(boss(world), world.ada.id)
        seen = await world.notices.overview(boss(world))
    with world.database.reading() as session:
        stored = [repr(session.execute(table.select()).all()) for table in stored_tables()]
        audited = deliveries.counts(session)
    ours = [one.getMessage() for one in caplog.records if not one.name.startswith(("httpx", "httpcore"))]
    told = f"{logs} {ours} {export} {seen} {stored} {audited}"
    for hidden in (secret, new, receiver.secret, "s3cret-of-the-address"):
        assert hidden not in told


def test_the_verifier_of_the_documentation_believes_what_is_ours_and_nothing_else():
    verified, secret, now = verifier(), new_secret(), int(time.time())
    body = json.dumps({"type": "question.test"}).encode()
    headers = dict(signed(body, key="n-1", at=now, known_by=[secret]))
    assert verified(headers, body, secret)
    assert not verified(headers, body + b" ", secret)
    assert not verified(headers, body, new_secret())
    assert not verified(headers | {"webhook-id": "n-2"}, body, secret)
    old = dict(signed(body, key="n-1", at=now - 301, known_by=[secret]))
    assert not verified(old, body, secret)
    assert not verified({}, body, secret)
