import pytest

from chat_app.data import mail_addresses, users
from chat_app.data.records import MailAddressRecord
from tests.support.records import NOON, a_user

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def session(database):
    with database.transaction() as session:
        yield session


def test_a_person_has_one_address_and_says_whether_it_is_used(session):
    ada, bob = (users.ensure(session, a_user()).id for _ in range(2))
    for address in ("old@example.org", "ada@example.org"):
        mail_addresses.put(session, MailAddressRecord(user=ada, address=address, changed=NOON))
    assert mail_addresses.get(session, ada).address == "ada@example.org"
    assert mail_addresses.wanting(session, [ada, bob]) == (ada,)
    assert mail_addresses.want(session, ada, wanted=False, at=NOON)
    assert not mail_addresses.want(session, bob, wanted=True, at=NOON)
    assert mail_addresses.wanting(session, [ada, bob]) == ()
    assert mail_addresses.drop(session, ada)
    assert not mail_addresses.drop(session, ada)
    assert mail_addresses.get(session, ada) is None
