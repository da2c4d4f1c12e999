from datetime import timedelta

import pytest
from sqlalchemy import update

from chat_app.data import auth_sessions, users
from chat_app.data.records import AuthSessionRecord
from chat_app.data.tables import User, table_of
from tests.support.records import NOON, SECOND, a_user

pytest_plugins = ("tests.support.databases",)

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def signed_in(database) -> AuthSessionRecord:
    ada = a_user()
    record = AuthSessionRecord(
        id="s1", user=ada.id, token_hash="hash", created=NOON, expires_at=LATER, last_seen=NOON
    )
    with database.transaction() as session:
        users.ensure(session, ada)
        auth_sessions.create(session, record)
    return record


def found(database, *, now=NOON):
    with database.reading() as session:
        return auth_sessions.find(session, "hash", now=now)


def test_a_sign_in_is_found_by_its_hash(database, signed_in):
    assert found(database) == signed_in


def test_a_hash_nobody_has_finds_nothing(database, signed_in):
    with database.reading() as session:
        assert auth_sessions.find(session, "other", now=NOON) is None


def test_a_sign_in_is_over_when_its_time_has_come(database, signed_in):
    assert found(database, now=LATER - SECOND) == signed_in
    assert found(database, now=LATER) is None


def test_a_revoked_sign_in_is_over_and_revoked_once(database, signed_in):
    with database.transaction() as session:
        assert auth_sessions.revoke(session, "s1", now=NOON)
        assert not auth_sessions.revoke(session, "s1", now=NOON)

    assert found(database) is None


def test_revoking_all_ends_every_open_one(database, signed_in):
    with database.transaction() as session:
        assert auth_sessions.revoke_all(session, signed_in.user, now=NOON) == 1
        assert auth_sessions.revoke_all(session, signed_in.user, now=NOON) == 0

    assert found(database) is None


def test_who_may_no_longer_come_in_is_not_found(database, signed_in):
    with database.transaction() as session:
        session.execute(update(table_of(User)).values(active=False))

    assert found(database) is None


def test_using_a_sign_in_prolongs_it(database, signed_in):
    with database.transaction() as session:
        assert auth_sessions.touch(session, "s1", now=NOON + SECOND, expires_at=LATER + SECOND)

    used = found(database, now=LATER)
    assert used is not None
    assert (used.last_seen, used.expires_at) == (NOON + SECOND, LATER + SECOND)


def test_using_a_revoked_sign_in_is_refused(database, signed_in):
    with database.transaction() as session:
        auth_sessions.revoke(session, "s1", now=NOON)

        assert not auth_sessions.touch(session, "s1", now=NOON, expires_at=LATER)
