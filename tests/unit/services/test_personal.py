import json

import pytest

from chat_app.data import audit, exchanges, messages, threads, users
from chat_app.data.records import AttachmentRecord, AuthSessionRecord, FeedbackRecord, IdentityRecord
from chat_app.data.sql import add
from chat_app.data.tables import Attachment, Feedback, Identity, table_of
from chat_app.services.approvals import Answer
from chat_app.services.personal import Personal
from chat_app.services.policy import Refused
from chat_app.services.problems import Busy
from tests.support.world import World, answer, ask

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
async def world(database):
    async with World(database).running() as world:
        yield world


@pytest.fixture
def personal(world) -> Personal:
    return Personal(world.database, now=world.clock)


async def full(world) -> str:
    """Give Ada a chat with a decision in it, and one of everything else that can be hers."""
    thread = await world.said("A secret", ask())
    world.agent.scripts.append(answer("done"))
    await world.approvals.decide(world.ada, world.questions(thread)[0].id, Answer("approve", "fine"))
    await world.idle()
    now, mine = world.clock(), {"by": world.ada.id}
    spoken = world.messages(thread)[0].id
    with world.database.transaction() as session:
        from chat_app.data import auth_sessions

        auth_sessions.create(
            session,
            AuthSessionRecord(
                id="s", user=world.ada.id, token_hash="hush", created=now, expires_at=now, last_seen=now
            ),
        )
        identity = IdentityRecord(
            id="i", user=world.ada.id, issuer="https://id", subject="ada", created=now, last_seen=now
        )
        add(session, table_of(Identity), [identity])
        opinion = FeedbackRecord(id="f", message=spoken, verdict="good", created=now, updated=now, **mine)
        add(session, table_of(Feedback), [opinion])
        file = AttachmentRecord(
            id="a", thread=thread, name="n", media_type="t", size=1, sha256="0" * 64, created=now, **mine
        )
        add(session, table_of(Attachment), [file])
    return thread


async def test_an_export_holds_everything_of_a_person_and_no_key(world, personal):
    thread = await full(world)
    other = world.thread(world.bob)
    lines = list(personal.export("ada"))

    kinds = [line["kind"] for line in lines]
    wanted = ["user", "sign_in", "identity", "feedback", "attachment", "decision", "thread", "message", "run"]
    assert [kind for kind in dict.fromkeys(kinds) if kind != "act"] == [
        *wanted,
        "question",
        "answer",
        "event",
    ]
    assert {line["id"] for line in lines if line["kind"] == "thread"} == {thread}
    text = json.dumps(lines)
    assert "A secret" in text
    assert "hush" not in text
    assert other.id not in text


async def test_a_chat_that_goes_while_it_is_exported_is_left_out(world, personal):
    thread = await full(world)
    lines = personal.export("ada")
    found = [next(lines)]
    for line in lines:
        found.append(line)
        if line["kind"] == "decision":
            break
    with world.database.transaction() as session:
        threads.erase(session, [thread])

    assert thread not in {line.get("id") for line in lines if line["kind"] == "thread"}


async def test_an_erased_person_leaves_a_row_without_a_name(world, personal):
    thread = await full(world)
    kept = world.thread(world.bob)

    assert personal.erase("ada", by="admin", reason="asked for") == 1
    with world.database.reading() as session:
        left = users.get(session, world.ada.id)
        assert (left.display_name, left.active, left.roles) == ("", False, ())
        assert threads.every_id(session) == [kept.id]
        assert messages.of_thread(session, thread) == ()
        acts = [
            one for name in ("thread:" + thread, "user:" + left.id) for one in audit.of_object(session, name)
        ]
        assert [(one.actor, one.action, one.reason) for one in acts] == [
            ("admin", "thread.erased", "asked for"),
            ("admin", "user.erased", "asked for"),
        ]
    with pytest.raises(Refused):
        next(personal.export("ada"))
    assert personal.erase(left.name, by=None) == 0


async def test_nobody_is_erased_while_an_answer_is_under_way(world, personal):
    thread = world.thread()
    with world.database.transaction() as session:
        run = world.opener.open(session, thread, kind="send", by=world.ada.id)
    with pytest.raises(Busy):
        personal.erase("ada", by=None)
    with world.database.transaction() as session:
        assert threads.every_id(session) == [thread.id]
        exchanges.end(session, run.exchange, worker_id=world.worker, now=world.clock())
