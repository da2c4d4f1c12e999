"""What a notice says, put together when it is sent."""

import pytest

from chat_app.data import deliveries
from chat_app.services.accounts import Ways
from chat_app.services.approvals import Answer
from chat_app.services.notices import NotSent, Reader
from chat_app.services.notices.composer import Composer, ids_in
from chat_app.services.notices.mail import MailServer
from chat_app.services.policy import Policy
from chat_app.services.rows import iso
from tests.support.noticed import URL, Receiver, hooked, keep_out, mailbox, on_their_way, plan
from tests.support.records import a_delivery
from tests.support.world import World, answer, ask, question

pytest_plugins = ("tests.support.databases",)

MAIL = MailServer(host="mail.example", port=25, security="none", sender="parley@example.org")
BY_OTHERS = {"decide": [{"by": "role", "roles": ["approver"]}]}


@pytest.fixture
async def world(sqlite):
    told = plan(Receiver(), mail=MAIL)
    async with World(sqlite, plan=told, ways=Ways(password=True)).running() as world:
        yield world


def composed(world, delivery, *, names=False):
    with world.database.reading() as session:
        return Composer(Policy(), url=URL, names=names).compose(session, delivery)


def dropped(world, delivery) -> tuple[str, str]:
    with pytest.raises(NotSent) as trouble:
        composed(world, delivery)
    return trouble.value.outcome, trouble.value.fate


async def waiting(world, policy=None, person=None):
    """Let a question wait, with its notice on the way by webhook and by mail."""
    mailbox(world, person or world.ada)
    await hooked(world)
    world.rule(policy)
    thread = await world.said("What is secret", ask(question(expiresAt="2030-05-01T13:00:00Z")))
    hook, mail = on_their_way(world)
    return thread, world.questions(thread)[0], hook, mail


async def test_ids_and_a_link_leave_and_no_word_of_the_chat(world):
    thread, asked, hook, _ = await waiting(world)
    notice = composed(world, hook)
    assert (notice.id, notice.kind, notice.at) == (hook.id, "asked", hook.created)
    assert (notice.question, notice.thread, notice.people) == (asked.id, thread, (Reader(world.ada.id),))
    assert iso(notice.expires_at) == "2030-05-01T13:00:00+00:00"
    assert notice.link == f"{URL}/t/{thread}"
    for word in ("secret", "send_mail", "a@b.c", "May I", "Ada", "ada"):
        assert word not in repr(notice)


async def test_where_names_may_leave_they_do(world):
    _, _, hook, mail = await waiting(world)
    named = composed(world, hook, names=True)
    assert (named.tool, named.title) == ("send_mail", "What is secret")
    assert named.people == (Reader(world.ada.id, "ada"),)
    assert composed(world, mail, names=True).people == (Reader(world.ada.id, "ada", "ada@example.org"),)
    keep_out(world, world.ada)
    assert composed(world, hook, names=True).people == (Reader(world.ada.id),)


async def test_who_does_not_own_the_chat_is_led_to_the_inbox(world):
    tom = world.person("tom", "Tom", "approver")
    _, asked, hook, mail = await waiting(world, BY_OTHERS, tom)
    assert composed(world, hook).link == composed(world, mail).link == f"{URL}/approvals?open={asked.id}"


async def test_a_decision_is_told_with_who_made_it(world):
    tom = world.person("tom", "Tom", "approver")
    thread, asked, _, _ = await waiting(world, BY_OTHERS, tom)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(tom, asked.id, Answer("reject", note="too dear"))
    await world.idle()
    notice = composed(world, on_their_way(world)[-1])
    assert (notice.kind, notice.by, notice.decision, notice.link) == (
        "decided", tom.id, "reject", f"{URL}/t/{thread}",
    )  # fmt: skip
    assert "too dear" not in repr(notice)


async def test_what_is_over_is_not_written_to_anybody_about(world):
    _, asked, hook, mail = await waiting(world)
    world.agent.scripts.append(answer("ok"))
    await world.approvals.decide(world.ada, asked.id, Answer("approve"))
    await world.idle()
    assert dropped(world, mail) == ("over", "dropped")
    assert composed(world, hook).decision == ""


async def test_who_may_not_decide_any_more_is_not_written_to(world):
    _, _, _, mail = await waiting(world)
    world.rule(BY_OTHERS)
    assert dropped(world, mail) == ("not_theirs", "dropped")


async def test_who_wants_no_mail_any_more_or_is_kept_out_gets_none(world):
    _, _, _, mail = await waiting(world)
    await world.mailboxes.want(world.ada, wanted=False)
    assert dropped(world, mail) == ("unwanted", "dropped")
    await world.mailboxes.want(world.ada, wanted=True)
    keep_out(world, world.ada)
    assert dropped(world, mail) == ("unwanted", "dropped")


async def test_what_is_gone_is_told_to_nobody(world):
    thread, _, hook, _ = await waiting(world)
    await world.removal.delete(world.ada, thread)
    assert dropped(world, hook) == ("gone", "dropped")
    assert dropped(world, a_delivery(kind="test")) == ("gone", "dropped")


@pytest.mark.parametrize("facts", [None, [], {"people": "ada"}])
def test_facts_of_another_form_name_nobody(facts):
    assert ids_in(a_delivery(facts=facts), "people") == []


async def test_what_a_reminder_by_mail_says_once_it_expired_still_goes_to_who_asked(world):
    _, asked, _, mail = await waiting(world)
    with world.database.transaction() as session:
        told = a_delivery(kind="expired", channel="mail", user=world.ada.id, interrupt=asked.id)
        deliveries.add(session, [told])
    world.rule(BY_OTHERS)
    assert composed(world, told).kind == "expired"
    assert dropped(world, mail)[1] == "dropped"
