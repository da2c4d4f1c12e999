from datetime import timedelta

import pytest

from chat_app.data import invitations, users
from chat_app.data.records import InvitationRecord
from tests.support.records import NOON, a_user, fresh

pytest_plugins = ("tests.support.databases",)

LATER = NOON + timedelta(days=1)


def a_link(**values) -> InvitationRecord:
    name = fresh("link")
    base = {"id": name, "kind": "join", "token_hash": name, "created": NOON, "expires_at": LATER}
    return InvitationRecord(**base | values)


@pytest.fixture
def link(database) -> InvitationRecord:
    record = a_link(roles=("user", "admin"), name="ada")
    with database.transaction() as session:
        invitations.create(session, record)
    return record


def test_a_link_is_found_by_its_hash_until_its_time_is_over(database, link):
    with database.reading() as session:
        assert invitations.find(session, link.token_hash, now=NOON) == link
        assert invitations.find(session, link.token_hash, now=LATER) is None
        assert invitations.find(session, "another", now=NOON) is None


def test_a_link_is_used_once(database, link):
    with database.transaction() as session:
        assert invitations.use(session, link.id, now=NOON)
        assert not invitations.use(session, link.id, now=NOON)
        assert invitations.find(session, link.token_hash, now=NOON) is None
        assert invitations.usable(session, now=NOON) == ()
        assert not invitations.withdraw(session, link.id)


def test_a_link_that_is_over_cannot_be_used(database, link):
    with database.transaction() as session:
        assert not invitations.use(session, link.id, now=LATER)


def test_a_link_nobody_used_can_be_withdrawn(database, link):
    with database.transaction() as session:
        assert invitations.usable(session, now=NOON) == (link,)
        assert invitations.withdraw(session, link.id)
        assert not invitations.withdraw(session, link.id)


def test_links_are_withdrawn_by_their_kind_and_person(database, link):
    ada, bob = a_user(), a_user()
    with database.transaction() as session:
        for user in (ada, bob):
            users.ensure(session, user)
            invitations.create(session, a_link(kind="reset", user=user.id))
        invitations.create(session, a_link(kind="first_admin"))
        assert invitations.withdraw_all(session, ["reset"], user_id=ada.id) == 1
        assert invitations.withdraw_all(session, ["first_admin", "reset"]) == 2
        assert invitations.usable(session, now=NOON) == (link,)
