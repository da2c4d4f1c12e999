from chat_app.data import users
from tests.support.records import a_user

pytest_plugins = ("tests.support.databases",)


def test_a_user_is_created_the_first_time_and_found_afterwards(database):
    local, again = a_user(name="local", roles=("admin",)), a_user(name="local")
    with database.transaction() as session:
        assert users.ensure(session, local) == local
    with database.transaction() as session:
        assert users.ensure(session, again) == local


def test_a_user_is_found_by_id_and_by_name(database):
    ada = a_user(name="ada")
    with database.transaction() as session:
        users.ensure(session, ada)

        assert users.get(session, ada.id) == users.named(session, "ada") == ada
        assert users.get(session, "nobody") is users.named(session, "nobody") is None
