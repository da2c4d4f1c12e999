"""What admins do about notices: add, try, rotate, switch off, remove, send again; all of it in the audit."""

import asyncio

import httpx
import pytest

from chat_app.data import audit, deliveries, webhooks
from chat_app.services.accounts import Ways
from chat_app.services.notices import WrittenHook
from chat_app.services.notices.mail import MailServer
from chat_app.services.notices.signing import signature
from chat_app.services.notices.webhook import target_of
from chat_app.services.policy import Refused
from chat_app.services.problems import BadNotice
from tests.fakes import until
from tests.support.mail import mail_server
from tests.support.noticed import Receiver, boss, delivered, hooked, mailbox, on_their_way, plan
from tests.support.world import World, ask

pytest_plugins = ("tests.support.databases",)

MAIL = MailServer(host="127.0.0.1", port=9, security="none", sender="parley@example.org")
OURS = ("webhook", "mail", "delivery")
GOOD = WrittenHook("Chat", "https://hooks.example/in?key=s3cret", ("asked",))


@pytest.fixture
def receiver():
    return Receiver()


@pytest.fixture
async def world(sqlite, receiver):
    told = plan(receiver, mail=MAIL)
    async with World(sqlite, plan=told, ways=Ways(password=True)).running() as world:
        yield world


def acts(world) -> list[str]:
    with world.database.reading() as session:
        return [one.action for one in audit.entries(session) if one.action.split(".")[0] in OURS]


async def test_a_webhook_is_kept_encrypted_and_its_secret_is_handed_out_once(world):
    secret = await world.notices.add(boss(world), GOOD)
    seen = await world.notices.overview(boss(world))
    (hook,) = seen.hooks
    assert (hook.name, hook.place, hook.kinds, hook.enabled) == (
        "Chat",
        "https://hooks.example",
        ("asked",),
        True,
    )
    assert secret.startswith("whsec_")
    for hidden in (secret, "s3cret"):
        assert hidden not in repr(seen)
        assert hidden not in hook.sealed
    assert acts(world) == ["webhook.added"]


@pytest.mark.parametrize(
    ("written", "field"),
    [
        (WrittenHook("", GOOD.url), "name"),
        (WrittenHook("x" * 201, GOOD.url), "name"),
        (WrittenHook("a", "ftp://hooks.example"), "url"),
        (WrittenHook("a", "https://"), "url"),
        (WrittenHook("a", "https://user:pw@hooks.example"), "url"),
        (WrittenHook("a", "https://hooks.example:port/"), "url"),
        (WrittenHook("a", "https://hooks.example/\r\nX: y"), "url"),
        (WrittenHook("a", "https://hooks.example/" + "x" * 2000), "url"),
        (WrittenHook("taken", GOOD.url), "taken"),
    ],
)
async def test_what_cannot_be_used_is_said(world, written, field):
    await world.notices.add(boss(world), WrittenHook("taken", GOOD.url))
    with pytest.raises(BadNotice) as trouble:
        await world.notices.add(boss(world), written)
    assert trouble.value.field == field


async def test_without_kinds_a_webhook_hears_of_everything(world):
    await world.notices.add(boss(world), WrittenHook("all", GOOD.url, ("nonsense",)))
    await world.notices.add(boss(world), WrittenHook("every", GOOD.url))
    kinds = {one.name: one.kinds for one in (await world.notices.overview(boss(world))).hooks}
    assert kinds["all"] == ()
    assert len(kinds["every"]) == 6


async def test_nobody_but_an_admin_does_any_of_it(world):
    hook, _ = await hooked(world)
    book = world.notices
    for who in (world.ada, world.person("au", "Au", "auditor"), world.person("ap", "Ap", "approver")):
        for work in (
            book.overview(who),
            book.add(who, GOOD),
            book.rotate(who, hook),
            book.switch(who, hook, enabled=False),
            book.drop(who, hook),
            book.test(who, hook),
            book.test_mail(who),
            book.again(who, "d-1"),
        ):
            with pytest.raises(Refused):
                await work


async def test_what_is_not_there_is_refused(world):
    book, by = world.notices, boss(world)
    for work in (
        book.rotate(by, "gone"),
        book.switch(by, "gone", enabled=True),
        book.drop(by, "gone"),
        book.test(by, "gone"),
        book.again(by, "gone"),
    ):
        with pytest.raises(Refused):
            await work


async def test_a_new_secret_signs_beside_the_one_before(world, receiver):
    hook, old = await hooked(world)
    new = await world.notices.rotate(boss(world), hook)
    assert await world.notices.test(boss(world), hook) == "http:204"
    (post,) = receiver.posts
    at = int(post.headers["webhook-timestamp"])
    marks = [signature(post.content, key=post.headers["webhook-id"], at=at, secret=one) for one in (new, old)]
    assert post.headers["webhook-signature"].split() == marks
    with world.database.reading() as session:
        kept = target_of(world.notices._keyring, webhooks.get(session, hook))
    assert (kept.secret, kept.before) == (new, old)


async def test_a_test_is_tried_once_and_kept(world, receiver):
    hook, _ = await hooked(world)
    receiver.answers = [httpx.Response(500)]
    assert await world.notices.test(boss(world), hook) == "http:500"
    await delivered(world)
    (line,) = (await world.notices.overview(boss(world))).lines
    assert (line.delivery.kind, line.delivery.state, line.delivery.outcome, line.to) == (
        "test", "failed", "http:500", "chat",
    )  # fmt: skip
    assert receiver.told[0]["type"] == "question.test"
    with pytest.raises(Refused):
        await world.notices.again(boss(world), line.delivery.id)


async def test_a_test_of_a_webhook_that_goes_meanwhile_leaves_no_row(world, receiver):
    hook, _ = await hooked(world)
    receiver.open.clear()
    trying = asyncio.ensure_future(world.notices.test(boss(world), hook))
    await until(lambda: receiver.posts)
    await world.notices.drop(boss(world), hook)
    receiver.open.set()
    assert await trying == "http:204"
    assert on_their_way(world) == ()
    assert acts(world)[-2:] == ["webhook.removed", "webhook.tested"]


async def test_one_that_is_switched_off_gets_nothing_till_it_is_on_again(world, receiver):
    hook, _ = await hooked(world)
    await world.said("Send it", ask())
    await world.notices.switch(boss(world), hook, enabled=False)
    await delivered(world)
    assert [one.state for one in on_their_way(world)] == ["dropped"]
    await world.notices.switch(boss(world), hook, enabled=True)
    (sent,) = on_their_way(world)
    await world.notices.again(boss(world), sent.id)
    await delivered(world)
    assert [one.state for one in on_their_way(world)] == ["sent"]
    assert acts(world)[-3:] == ["webhook.disabled", "webhook.enabled", "delivery.retried"]


async def test_lists_can_be_narrowed_to_a_state(world):
    await hooked(world)
    await world.said("Send it", ask())
    mailbox(world, boss(world))
    seen = await world.notices.overview(boss(world), "sent")
    assert (seen.lines, seen.counts, seen.mail, seen.own_address) == (
        (), {"waiting": 1}, "127.0.0.1", "boss@example.org",
    )  # fmt: skip
    assert len((await world.notices.overview(boss(world), "nonsense")).lines) == 1


async def test_a_mail_that_is_a_test_goes_to_who_asks(world):
    with pytest.raises(BadNotice):
        await world.notices.test_mail(boss(world))
    mailbox(world, boss(world))
    assert await world.notices.test_mail(boss(world)) == "unreachable"
    async with mail_server() as box:
        world.notices._channels["mail"]._server = box.server()
        assert await world.notices.test_mail(boss(world)) == "taken"
    assert box.letters[0]["To"] == "boss@example.org"
    with world.database.reading() as session:
        assert deliveries.counts(session) == {"failed": 1, "sent": 1}
