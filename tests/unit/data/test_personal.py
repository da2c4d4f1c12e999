from sqlalchemy import select

from chat_app.data import auth_sessions, decisions, deliveries, mail_addresses, personal
from chat_app.data.decisions import decision
from chat_app.data.records import AuthSessionRecord, IdentityRecord, MailAddressRecord
from chat_app.data.sql import add
from chat_app.data.tables import Identity, table_of
from tests.support.records import (
    NOON,
    a_decision,
    a_delivery,
    stored_exchange,
    stored_question,
    stored_run,
    stored_thread,
)

pytest_plugins = ("tests.support.databases",)


def test_what_is_a_persons_own_goes_and_their_answers_lose_their_words(database):
    with database.transaction() as session:
        thread, other = stored_thread(session), stored_thread(session)
        run = stored_run(session, stored_exchange(session, other), status="interrupted")
        answer = a_decision(interrupt=stored_question(session, run).id, by=thread.owner, note="mine")
        assert decisions.record(session, answer)
        for owner in (thread.owner, other.owner):
            mine = IdentityRecord(
                id=owner, user=owner, issuer="i", subject=owner, created=NOON, last_seen=NOON
            )
            add(session, table_of(Identity), [mine])
            signed_in = AuthSessionRecord(
                id=owner, user=owner, token_hash=owner, created=NOON, expires_at=NOON, last_seen=NOON
            )
            auth_sessions.create(session, signed_in)
            address = MailAddressRecord(user=owner, address="a@example.org", changed=NOON)
            mail_addresses.put(session, address)
            deliveries.add(session, [a_delivery(user=owner, channel="mail")])
        assert [kind for kind, _ in personal.of_user(session, thread.owner)] == [
            "identity",
            "mail_address",
            "delivery",
        ]
        personal.erase(session, thread.owner)

        assert list(personal.of_user(session, thread.owner)) == []
        assert auth_sessions.of_user(session, thread.owner) == ()
        assert len(list(personal.of_user(session, other.owner))) == 3
        assert len(auth_sessions.of_user(session, other.owner)) == 1
        assert session.execute(select(decision.c.note)).scalars().all() == [""]
