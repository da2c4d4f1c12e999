"""Who is told of what: written down once for each, in the transaction in which it happened."""

from datetime import timedelta

import pytest

from chat_app.data import interrupts
from chat_app.services.accounts import Ways
from chat_app.services.approvals import Answer
from chat_app.services.notices.mail import MailServer
from chat_app.services.notices.teller import MAIL_AFTER
from tests.support.noticed import Receiver, hooked, keep_out, kinds, mailbox, on_their_way, plan
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)

MAIL = MailServer(host="mail.example", port=25, security="none", sender="parley@example.org")
BY_OTHERS = {"decide": [{"by": "role", "roles": ["approver"]}]}


@pytest.fixture
async def world(sqlite):
    told = plan(Receiver(), mail=MAIL)
    async with World(sqlite, plan=told, ways=Ways(password=True)).running() as world:
        yield world


def told(world) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return of each notice to a webhook its kind, and who it is for."""
    names = {world.ada.id: "ada", world.bob.id: "bob"}
    found = [one for one in on_their_way(world) if one.channel == "webhook"]
    return [(one.kind, tuple(names.get(who, who) for who in one.facts["people"])) for one in found]


async def asked(world, policy=None, **more):
    world.rule(policy)
    thread = await world.said("Send it", ask(question(**more)))
    return thread, world.questions(thread)[0]


async def test_without_any_channel_nothing_is_written(sqlite):
    async with World(sqlite).running() as world:
        mailbox(world, world.ada)
        await asked(world)
        assert on_their_way(world) == ()


async def test_who_decides_is_told_that_a_question_waits(world):
    tom = world.person("tom", "Tom", "approver")
    for person in (world.ada, world.bob, tom):
        mailbox(world, person)
    await hooked(world)
    await asked(world, BY_OTHERS)
    hook, mail = on_their_way(world)
    assert (hook.kind, hook.channel, hook.facts["people"]) == ("asked", "webhook", [tom.id])
    assert (mail.channel, mail.user, mail.due - mail.created) == ("mail", tom.id, MAIL_AFTER)


async def test_who_has_no_mail_or_wants_none_is_not_written_to(world):
    eve, tom = world.person("eve", "Eve", "approver"), world.person("tom", "Tom", "approver")
    mailbox(world, tom, wanted=False)
    mailbox(world, eve)
    keep_out(world, eve)
    await asked(world, BY_OTHERS)
    assert on_their_way(world) == ()


async def test_a_webhook_hears_of_the_kinds_it_is_for_while_it_is_on(world):
    await hooked(world, "decided", name="later")
    off, _ = await hooked(world, name="off")
    boss = world.person("boss", "Boss")
    await world.notices.switch(boss, off, enabled=False)
    await asked(world)
    assert on_their_way(world) == ()


async def test_a_question_given_to_somebody_is_told_to_them_each_time(world):
    tom, eve = world.person("tom", "Tom", "approver"), world.person("eve", "Eve", "approver")
    await hooked(world, "assigned")
    _, one = await asked(world, BY_OTHERS)
    await world.inbox.claim(tom, one.id)
    assert told(world) == []
    await world.inbox.give(tom, one.id, eve.id)
    await world.inbox.give(eve, one.id, tom.id)
    assert told(world) == [("assigned", (eve.id,)), ("assigned", (tom.id,))]
    await world.inbox.give(tom, one.id, "")
    assert len(told(world)) == 2


async def test_time_reminds_who_has_it_in_hand_and_tells_who_asked_that_it_expired(world):
    tom = world.person("tom", "Tom", "approver")
    eve = world.person("eve", "Eve", "approver")
    await hooked(world, "reminder", "expired", "escalated")
    rules = BY_OTHERS | {"waiting": {"remind": 120, "escalate": 60, "to": ["admin"]}}
    soon = (world.clock() + timedelta(minutes=10)).isoformat()
    _, one = await asked(world, rules, expiresAt=soon)
    world.clock.forward(minutes=2)
    world.times.look_after()
    boss = world.person("boss", "Boss")
    assert told(world) == [("escalated", (boss.id, eve.id, tom.id))]
    await world.inbox.claim(tom, one.id)
    world.clock.forward(minutes=7)
    world.times.look_after()
    world.times.look_after()
    world.clock.forward(minutes=2)
    world.times.look_after()
    assert told(world)[1:] == [("reminder", (tom.id,)), ("expired", ("ada", tom.id))]


async def test_without_anybody_in_charge_all_who_decide_are_reminded(world):
    await hooked(world, "reminder")
    soon = (world.clock() + timedelta(minutes=10)).isoformat()
    await asked(world, {"waiting": {"remind": 120}}, expiresAt=soon)
    world.clock.forward(minutes=9)
    world.times.look_after()
    assert told(world) == [("reminder", ("ada",))]


async def test_who_asked_hears_what_others_decided_and_not_what_they_did_themselves(world):
    tom = world.person("tom", "Tom", "approver")
    await hooked(world, "decided")
    _, one = await asked(world, BY_OTHERS)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(tom, one.id, Answer("approve"))
    await world.idle()
    (sent,) = on_their_way(world)
    assert (sent.kind, sent.facts) == ("decided", {"people": [world.ada.id], "by": [tom.id]})
    _, other = await asked(world)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, other.id, Answer("approve"))
    await world.idle()
    assert kinds(world) == [("decided", "webhook")]


async def test_what_happened_once_is_written_down_once(world):
    await hooked(world, "asked")
    _, one = await asked(world)
    with world.database.transaction() as session:
        world.tell(session, "asked", interrupts.get(session, one.id))
    assert told(world) == [("asked", ("ada",))]


async def test_of_a_thread_that_is_gone_nothing_is_told(world):
    await hooked(world)
    thread, one = await asked(world)
    await world.removal.delete(world.ada, thread)
    with world.database.transaction() as session:
        world.tell(session, "reminder", interrupts.get(session, one.id))
    assert told(world) == [("asked", ("ada",))]
