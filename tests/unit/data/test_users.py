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


def test_a_name_is_one_persons(database):
    with database.transaction() as session:
        assert users.create(session, a_user(name="ada"))
        assert not users.create(session, a_user(name="ada"))


def test_people_are_listed_by_name_and_found_by_role(database):
    boss, ada = a_user(name="boss", roles=("admin",)), a_user(name="ada", roles=("user",))
    with database.transaction() as session:
        for one in (boss, ada):
            users.create(session, one)
        users.create(session, a_user(name=f"{users.ERASED}1", roles=("admin",)))
        users.lock_admins(session)
        assert users.every(session) == (ada, boss)
        assert users.active_with(session, "admin") == (boss,)
        assert users.set_active(session, boss.id, active=False)
        assert users.active_with(session, "admin") == ()
        assert users.set_roles(session, ada.id, ["admin"])
        assert users.set_display_name(session, ada.id, "Ada L.")
        found = users.get(session, ada.id)
        assert (found.roles, found.display_name) == (("admin",), "Ada L.")
        assert not users.set_roles(session, "unknown", [])
        assert not users.set_active(session, "unknown", active=True)
        assert not users.set_display_name(session, "unknown", "")
