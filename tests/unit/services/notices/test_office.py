from chat_app.services.keyring import Keyring
from chat_app.services.notices import Notice, Plan, bare, open_office
from chat_app.services.notices.mail import MailServer
from chat_app.services.policy import Policy
from tests.fakes import NOON, FakeClock, counting_ids

pytest_plugins = ("tests.support.databases",)


def opened(sqlite, **plan):
    return open_office(
        sqlite,
        Policy(),
        Keyring(""),
        Plan(url="http://p", **plan),
        worker="w",
        now=FakeClock(),
        new_id=counting_ids(),
    )


def test_mail_is_a_channel_where_a_server_is_set(sqlite):
    server = MailServer(host="mail.example", port=25, security="none", sender="p@example.org")
    assert set(opened(sqlite).post._channels) == {"webhook", "added"}
    assert not opened(sqlite).mailboxes.sends
    with_mail = opened(sqlite, mail=server)
    assert set(with_mail.post._channels) == {"webhook", "added", "mail"}
    assert with_mail.mailboxes.sends


def test_without_words_a_notice_says_its_kind_and_its_link():
    letter = bare(Notice(id="n", kind="asked", at=NOON, link="http://p/t/1"))
    assert (letter.subject, letter.text) == ("Parley: question.asked", "http://p/t/1")
