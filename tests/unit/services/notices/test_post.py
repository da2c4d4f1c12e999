"""The post: each delivery by one worker, tried again later, given up in the end, kept to be looked up."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import httpx
import pytest

from chat_app.data import deliveries
from chat_app.data.errors import DatabaseBusy
from chat_app.services.accounts import Ways
from chat_app.services.notices.composer import Composer
from chat_app.services.notices.post import AT_ONCE, AT_ONE_TARGET, KEPT, LEASE, PAUSES, Post
from chat_app.services.policy import Policy
from tests.fakes import until
from tests.support.noticed import URL, Receiver, delivered, hooked, on_their_way, plan
from tests.support.records import fresh
from tests.support.world import World, ask

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def receiver():
    return Receiver()


@pytest.fixture
async def world(sqlite, receiver):
    async with World(sqlite, plan=plan(receiver), ways=Ways(password=True)).running() as world:
        yield world


@pytest.fixture
async def waiting(world):
    """A question that waits, with its notice on the way."""
    await hooked(world)
    await world.said("Send it", ask())
    return on_their_way(world)[0]


def one(world):
    return on_their_way(world)[0]


async def test_what_is_due_is_sent_once(world, receiver, waiting):
    await delivered(world)
    await delivered(world)
    assert [post.headers["webhook-id"] for post in receiver.posts] == [waiting.id]
    sent = one(world)
    assert (sent.state, sent.outcome, sent.attempts, sent.held_by) == ("sent", "http:204", 1, None)


async def test_what_fails_for_now_is_tried_again_with_the_same_id_until_it_is_given_up(
    world, receiver, waiting
):
    receiver.answers = [httpx.Response(503)] * (len(PAUSES) + 1)
    for pause in PAUSES:
        await delivered(world)
        assert one(world).state == "waiting"
        world.clock.forward(seconds=pause - 1)
        assert await world.post.look() == 0
        world.clock.forward(seconds=2)
    await delivered(world)
    given_up = one(world)
    assert (given_up.state, given_up.outcome, given_up.attempts) == ("failed", "http:503", len(PAUSES) + 1)
    assert {post.headers["webhook-id"] for post in receiver.posts} == {waiting.id}
    assert len(set(map(bytes, (post.content for post in receiver.posts)))) == 1


async def test_a_receiver_may_ask_for_a_longer_pause(world, receiver, waiting):
    receiver.answers = [httpx.Response(429, headers={"retry-after": "3600"})]
    await delivered(world)
    assert one(world).due - one(world).created > timedelta(seconds=3599)
    world.clock.forward(seconds=3601)
    await delivered(world)
    assert one(world).state == "sent"


async def test_what_is_refused_for_good_or_needed_by_nobody_is_not_tried_again(world, receiver, waiting):
    receiver.answers = [httpx.Response(404)]
    await delivered(world)
    assert (one(world).state, one(world).outcome) == ("failed", "http:404")
    with world.database.transaction() as session:
        assert deliveries.again(session, waiting.id, now=world.clock())
    await world.removal.delete(world.ada, waiting_thread(world))
    await delivered(world)
    assert (one(world).state, one(world).outcome) == ("dropped", "gone")


def waiting_thread(world) -> str:
    return world.agent.requests[0].thread_id


async def test_a_target_that_hangs_holds_up_no_other(world, receiver, waiting):
    with world.database.transaction() as session:
        more = [replace(waiting, id=fresh("d"), notice=fresh("n")) for _ in range(AT_ONE_TARGET + 2)]
        deliveries.add(session, more)
    receiver.open.clear()
    assert await world.post.look() == AT_ONE_TARGET
    await until(lambda: len(receiver.posts) == AT_ONE_TARGET)
    assert await world.post.look() == 0
    other, _ = await hooked(world, name="other")
    with world.database.transaction() as session:
        deliveries.add(session, [replace(waiting, id="d-other", webhook=other, target=other)])
    assert await world.post.look() == 1
    receiver.open.set()
    await until(lambda: not world.post._sending)
    await delivered(world)
    assert {one.state for one in on_their_way(world)} == {"sent"}


async def test_only_so_many_are_under_way_at_once(world, receiver, waiting):
    with world.database.transaction() as session:
        hooks = [
            replace(waiting, id=fresh("d"), notice=fresh("n"), target=fresh("t")) for _ in range(AT_ONCE + 5)
        ]
        deliveries.add(session, hooks)
    assert await world.post.look() == AT_ONCE
    await until(lambda: not world.post._sending)


async def test_with_no_room_nothing_is_taken(world, waiting):
    busy = {asyncio.ensure_future(asyncio.sleep(0)): f"t{number}" for number in range(AT_ONCE)}
    world.post._sending.update(busy)
    assert await world.post.look() == 0
    await asyncio.gather(*busy)
    world.post._sending.clear()


def another(world, worker: str, **how) -> Post:
    return Post(
        world.database,
        Composer(Policy(), url=URL, names=False),
        world.post._channels,
        worker=worker,
        now=world.clock,
        **how,
    )


async def test_of_two_workers_one_sends(world, receiver, waiting):
    other = another(world, "worker-2")
    counts = await asyncio.gather(world.post.look(), other.look())
    assert sorted(counts) == [0, 1]
    await until(lambda: not world.post._sending and not other._sending)
    assert len(receiver.posts) == 1


async def test_what_a_dead_worker_held_is_sent_after_its_lease(world, receiver, waiting):
    now = world.clock()
    with world.database.transaction() as session:
        deliveries.take(session, waiting.id, by="dead", now=now, until=now + LEASE)
    assert await world.post.look() == 0
    world.clock.now = now + LEASE + timedelta(seconds=1)
    await delivered(world)
    assert (one(world).state, one(world).attempts) == ("sent", 2)


async def test_a_process_that_is_alone_sends_at_once_what_an_earlier_one_held(world, receiver, waiting):
    now = world.clock()
    with world.database.transaction() as session:
        deliveries.take(session, waiting.id, by="dead", now=now, until=now + LEASE)
    beside = another(world, "beside", tick=0.01)
    await beside.start(alone=False)
    await beside.stop()
    assert receiver.posts == []
    world.post._channels["webhook"] = Kept()
    alone = another(world, "alone", tick=0.01)
    await alone.start()
    await until(lambda: one(world).state == "sent")
    await alone.stop()


class Kept:
    """Takes everything, and stays open."""

    async def send(self, _target, _notice):
        return "taken"

    async def aclose(self):
        return None


async def test_a_stop_lets_what_is_being_sent_arrive(world, receiver, waiting):
    receiver.open.clear()
    await world.post.look()
    await until(lambda: receiver.posts)
    stopping = asyncio.ensure_future(world.post.stop())
    await asyncio.sleep(0)
    receiver.open.set()
    await stopping
    assert one(world).state == "sent"


async def test_what_takes_too_long_at_a_stop_is_left_to_the_next_process(world, receiver, waiting):
    receiver.open.clear()
    slow = another(world, "slow", grace=0.01)
    await slow.look()
    await until(lambda: receiver.posts)
    await slow.stop()
    assert (one(world).state, one(world).held_by) == ("waiting", "slow")


class Away:
    """Stands for a database, and for what reads it, while it cannot be reached."""

    def reading(self):
        raise DatabaseBusy("away")

    def compose(self, _session, _delivery):
        raise DatabaseBusy("away")


async def test_while_the_database_is_away_the_post_waits(world, receiver, waiting):
    post = another(world, "worker-2")
    there, post._database = post._database, Away()
    await post._look()
    post._database, post._composer = there, Away()
    assert await post.look() == 1
    await until(lambda: not post._sending)
    assert (one(world).state, one(world).held_by) == ("waiting", "worker-2")
    assert receiver.posts == []


async def test_what_became_of_old_ones_is_forgotten(world, waiting):
    await delivered(world)
    assert world.post.purge() == 0
    world.clock.now += KEPT + timedelta(seconds=1)
    assert world.post.purge() == 1
    assert on_their_way(world) == ()
