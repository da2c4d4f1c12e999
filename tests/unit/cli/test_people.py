import pytest

from chat_app.cli import people
from chat_app.cli.database import bring_up_to_date
from chat_app.cli.errors import Stop
from chat_app.cli.people import Role
from chat_app.settings import Settings


@pytest.fixture
def settings(tmp_path) -> Settings:
    found = Settings(data_dir=tmp_path, sign_in="password")
    bring_up_to_date(found, lambda _: None)
    return found


def test_the_first_admins_link_is_made_until_there_is_one(settings):
    link = people.first_admin_link(settings)
    assert link.startswith("http://localhost:3000/join/")
    people.add(settings, "root", [Role.admin], "correct horse")
    assert people.first_admin_link(settings) == ""


def test_without_passwords_there_are_no_links(settings):
    other = settings.model_copy(update={"sign_in": ()})
    assert people.first_admin_link(other) == ""
    for work in (lambda: people.invite(other, "", [Role.user]), lambda: people.reset(other, "root")):
        with pytest.raises(Stop, match="PARLEY_SIGN_IN=password"):
            work()


def test_people_are_added_listed_and_changed(settings):
    people.add(settings, "root", [Role.admin], "correct horse")
    people.add(settings, "Ada@Example.org", [Role.user], "correct horse")
    people.set_roles(settings, "ada@example.org", [Role.user, Role.approver])
    people.set_active(settings, "ada@example.org", active=False)
    assert [line.split() for line in people.listed(settings)] == [
        ["ada@example.org", "user,", "approver", "(kept", "out)"],
        ["root", "admin"],
    ]
    people.set_active(settings, "ada@example.org", active=True)
    assert "/join/" in people.reset(settings, "ada@example.org")
    assert "/join/" in people.invite(settings, "bob", [Role.user])


def test_trouble_is_a_sentence(settings):
    people.add(settings, "root", [Role.admin], "correct horse")
    for work, words in (
        (lambda: people.add(settings, "root", [], "correct horse"), "This name is taken"),
        (lambda: people.add(settings, "bob", [], "short"), "Choose another password"),
        (lambda: people.set_active(settings, "root", active=False), "This is the last admin"),
        (lambda: people.set_roles(settings, "nobody", []), "Nobody signs in as nobody"),
        (lambda: people.reset(settings, "nobody"), "Nobody signs in as nobody"),
    ):
        with pytest.raises(Stop, match=words):
            work()
