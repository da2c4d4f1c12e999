"""Mail, against a real server: what it takes, what it refuses, and what no header can be made of."""

import asyncio
import socket
import ssl

import pytest

from chat_app.services.notices import Letter, MailChannel, Notice, NotSent, Reader
from chat_app.services.notices.mail import message
from tests.fakes import NOON
from tests.support.mail import PASSWORD, mail_server, make_certificate

ADA = Reader("ada", address="ada@example.org")


def notice(**values) -> Notice:
    return Notice(
        **{"id": "n-1", "kind": "asked", "at": NOON, "link": "http://p/t/1", "people": (ADA,)} | values
    )


def worded(found: Notice) -> Letter:
    return Letter(f"A question waits: {found.title}", f"Look: {found.link}\n")


def channel(box, **server) -> MailChannel:
    return MailChannel(box.server(**server), worded, within=2.0)


@pytest.fixture
def certificate(tmp_path):
    return make_certificate(tmp_path)


@pytest.fixture
async def box():
    async with mail_server() as box:
        yield box


async def refused(sender: MailChannel, sent: Notice | None = None) -> tuple[str, str]:
    with pytest.raises(NotSent) as trouble:
        await sender.send("ada", sent or notice())
    return trouble.value.outcome, trouble.value.fate


async def test_a_mail_arrives_whole(box):
    sender = channel(box)
    assert await sender.send("ada", notice()) == "taken"
    await sender.aclose()
    (letter,) = box.letters
    assert letter["From"] == "parley@example.org"
    assert letter["To"] == "ada@example.org"
    assert letter["Message-ID"] == "<n-1@example.org>"
    assert letter["Auto-Submitted"] == "auto-generated"
    assert letter["Date"].datetime == NOON
    assert letter.get_content_type() == "text/plain"
    assert letter.get_content().strip() == "Look: http://p/t/1"


@pytest.mark.parametrize("title", ["a\r\nBcc: eve@example.org", "a\nX: y", "a\x0b\x0cb", "ä" * 400])
async def test_no_title_makes_a_header(box, title):
    await channel(box).send("ada", notice(title=title))
    (letter,) = box.letters
    assert set(letter.keys()) >= {"Subject", "To"}
    assert not {"Bcc", "X"} & set(letter.keys())
    assert letter["To"] == "ada@example.org"


@pytest.mark.parametrize("address", ["ada@example.org\r\nBcc: eve@example.org", "ada", "a@b, c@d", ""])
async def test_what_is_no_address_is_written_to_never(box, address):
    to = notice(people=(Reader("ada", address=address),))
    assert await refused(channel(box), to) == ("bad_address", "failed")
    assert box.letters == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("550 no such person", ("smtp:550", "failed")),
        ("451 later", ("smtp:451", "again")),
        ("421 closing", ("smtp:421", "again")),
    ],
)
async def test_a_recipient_is_refused_for_good_or_for_now(box, answer, told):
    box.answer = answer
    assert await refused(channel(box)) == told


@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_over_tls_the_certificate_is_judged(certificate, security):
    trusting = ssl.create_default_context(cafile=certificate)
    async with mail_server(security=security, certificate=certificate, signs_in=True) as box:
        login = {"security": security, "user": "parley", "password": PASSWORD}
        sender = MailChannel(box.server(**login), worded, tls=trusting)
        assert await sender.send("ada", notice()) == "taken"
        await asyncio.to_thread(sender.look)
        assert await refused(channel(box, **login)) == ("bad_certificate", "again")
        wrong = MailChannel(box.server(**login | {"password": "guess"}), worded, tls=trusting)
        assert await refused(wrong) == ("not_let_in", "again")
    assert len(box.letters) == 1
    assert PASSWORD not in repr(box.server(password=PASSWORD))


async def test_without_the_tls_that_is_asked_for_nothing_is_sent(box):
    assert await refused(channel(box, security="starttls")) == ("no_tls", "again")
    assert box.letters == []


async def test_where_nobody_answers_it_is_tried_again(box):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        slow = MailChannel(box.server(port=silent.getsockname()[1]), worded, within=0.05)
        assert await refused(slow) == ("timeout", "again")
        port = silent.getsockname()[1]
    assert await refused(channel(box, port=port)) == ("unreachable", "again")
    with pytest.raises(NotSent):
        await asyncio.to_thread(channel(box, port=port).look)


async def test_a_sender_the_server_does_not_know_is_told(certificate):
    trusting = ssl.create_default_context(cafile=certificate)
    async with mail_server(security="tls", certificate=certificate, signs_in=True) as box:
        assert await refused(MailChannel(box.server(security="tls"), worded, tls=trusting)) == (
            "smtp:530",
            "failed",
        )


def test_a_long_subject_is_cut():
    made = message(notice(), Letter("x" * 500, ""), sender="p@example.org", to="a@example.org")
    assert len(made["Subject"]) == 200


async def test_a_connection_that_is_never_made_takes_too_long(box):
    class Never(MailChannel):
        def _opened(self):
            raise TimeoutError

    assert await refused(Never(box.server(), worded)) == ("timeout", "again")
