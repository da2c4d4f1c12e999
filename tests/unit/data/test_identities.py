from chat_app.data import identities, users
from chat_app.data.records import IdentityRecord
from tests.support.records import NOON, SECOND, a_user

pytest_plugins = ("tests.support.databases",)


def test_a_subject_is_one_person_here(database):
    ada, bob = a_user(), a_user()
    one = IdentityRecord(id="i1", user=ada.id, issuer="https://id", subject="s", created=NOON, last_seen=NOON)
    with database.transaction() as session:
        users.ensure(session, ada)
        users.ensure(session, bob)
        assert identities.find(session, "https://id", "s") is None
        assert identities.create(session, one)
        again = IdentityRecord(
            id="i2", user=bob.id, issuer="https://id", subject="s", created=NOON, last_seen=NOON
        )
        assert not identities.create(session, again)
        identities.touch(session, "i1", now=NOON + SECOND)
        found = identities.find(session, "https://id", "s")
        assert identities.of_user(session, ada.id, "https://id") == found
        assert identities.of_user(session, ada.id, "https://other") is None
        assert not identities.drop(session, bob.id, "https://id")
        assert identities.drop(session, ada.id, "https://id")
        assert identities.find(session, "https://id", "s") is None
    assert (found.user, found.last_seen) == (ada.id, NOON + SECOND)
