from chat_app.data import passwords, users
from chat_app.data.records import PasswordRecord
from tests.support.records import NOON, SECOND, a_user

pytest_plugins = ("tests.support.databases",)


def test_a_password_is_set_and_replaced(database):
    ada = a_user()
    with database.transaction() as session:
        users.ensure(session, ada)
        assert passwords.of_user(session, ada.id) is None
        for hashed, at in (("one", NOON), ("two", NOON + SECOND)):
            record = PasswordRecord(user=ada.id, hash=hashed, changed=at)
            passwords.put(session, record)
            assert passwords.of_user(session, ada.id) == record


def test_a_hash_is_not_printed():
    assert "secret" not in repr(PasswordRecord(user="u", hash="secret", changed=NOON))
