"""Posts to webhooks: what is sent, what is believed of the answer, and where nothing is sent to."""

import asyncio
import json
from datetime import timedelta

import httpx
import pytest

from chat_app.data import webhooks
from chat_app.services.keyring import Keyring
from chat_app.services.notices import Notice, NotSent, Reader
from chat_app.services.notices.signing import new_secret, signature
from chat_app.services.notices.webhook import (
    Target,
    WebhookChannel,
    as_json,
    place_of,
    sealed,
    seconds_of,
    target_of,
)
from chat_app.services.rows import iso
from tests.fakes import NOON, FakeClock
from tests.support.noticed import Receiver
from tests.support.records import a_webhook

pytest_plugins = ("tests.support.databases",)

SECRET = new_secret()
NOTICE = Notice(
    id="n-1", kind="reminder", at=NOON, link="http://p/t/1", question="q", people=(Reader("ada"),)
)
KEYRING = Keyring("a key")


class Silent(httpx.AsyncBaseTransport):
    """Never answers."""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        await asyncio.Event().wait()
        raise AssertionError(request)


@pytest.fixture
def hook(sqlite):
    def keep(url: str = "http://hooks.example/in?key=s3cret", keyring: Keyring = KEYRING, **values):
        target = Target(url, SECRET, values.pop("before", ""), values.pop("changed", ""))
        record = a_webhook(sealed=sealed(keyring, target), **values)
        with sqlite.transaction() as session:
            webhooks.create(session, record)
        return record.id

    return keep


def channel(sqlite, transport, **how) -> WebhookChannel:
    return WebhookChannel(sqlite, KEYRING, now=FakeClock(), **{"private": True, "transport": transport} | how)


async def refused(channel: WebhookChannel, hook: str) -> tuple[str, str, float]:
    with pytest.raises(NotSent) as trouble:
        await channel.send(hook, NOTICE)
    return trouble.value.outcome, trouble.value.fate, trouble.value.after


async def test_a_post_is_signed_and_says_what_happened(sqlite, hook):
    there = Receiver()
    posting = channel(sqlite, there)
    assert await posting.send(hook(), NOTICE) == "http:204"
    await posting.aclose()
    (post,) = there.posts
    at = int(NOON.timestamp())
    assert str(post.url) == "http://hooks.example/in?key=s3cret"
    assert post.headers["webhook-id"] == "n-1"
    assert post.headers["webhook-timestamp"] == str(at)
    assert post.headers["webhook-signature"] == signature(post.content, key="n-1", at=at, secret=SECRET)
    assert json.loads(post.content) == {
        "type": "question.reminder",
        "timestamp": iso(NOON),
        "data": {"question": "q", "link": "http://p/t/1", "people": ["ada"]},
    }


async def test_for_a_day_the_secret_before_signs_too(sqlite, hook):
    before, there = new_secret(), Receiver()
    posting = channel(sqlite, there)
    await posting.send(hook(before=before, changed=iso(NOON - timedelta(hours=23))), NOTICE)
    await posting.send(hook(before=before, changed=iso(NOON - timedelta(hours=24))), NOTICE)
    assert [len(post.headers["webhook-signature"].split()) for post in there.posts] == [2, 1]


async def test_no_webhook_and_one_that_is_off_get_nothing(sqlite, hook):
    posting = channel(sqlite, Receiver())
    assert await refused(posting, hook(enabled=False)) == ("off", "dropped", 0.0)
    assert await refused(posting, "unknown") == ("off", "dropped", 0.0)


async def test_what_was_kept_under_another_key_is_told(sqlite, hook):
    posting = channel(sqlite, Receiver())
    assert await refused(posting, hook(keyring=Keyring("another"))) == ("key_lost", "failed", 0.0)


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (httpx.Response(500), ("http:500", "again", 0.0)),
        (httpx.Response(503, headers={"retry-after": "120"}), ("http:503", "again", 120.0)),
        (httpx.Response(429, headers={"retry-after": "Wed, 01 May 2030 12:00:30 GMT"}), ("http:429", "again", 30.0)),
        (httpx.Response(408), ("http:408", "again", 0.0)),
        (httpx.Response(404), ("http:404", "failed", 0.0)),
        (httpx.Response(410), ("http:410", "failed", 0.0)),
        (httpx.Response(302, headers={"location": "http://10.0.0.1/"}), ("http:302", "failed", 0.0)),
        (httpx.ConnectError("no"), ("unreachable", "again", 0.0)),
        (httpx.ReadTimeout("no"), ("timeout", "again", 0.0)),
        (httpx.RemoteProtocolError("no"), ("unreachable", "again", 0.0)),
    ],
)  # fmt: skip
async def test_answers_say_whether_to_try_again(sqlite, hook, answer, told):
    there = Receiver(answer)
    assert await refused(channel(sqlite, there), hook()) == told
    assert len(there.posts) == 1


async def test_who_never_answers_is_given_up_in_time(sqlite, hook):
    assert await refused(channel(sqlite, Silent(), within=0.02), hook()) == ("timeout", "again", 0.0)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/", "http://10.1.2.3/", "http://[::1]/", "http://169.254.169.254/"]
)
async def test_nothing_is_posted_into_the_network_of_the_server(sqlite, hook, url):
    there = Receiver()
    assert await refused(channel(sqlite, there, private=False), hook(url)) == ("not_public", "failed", 0.0)
    assert there.posts == []


def test_names_are_told_where_there_are_any():
    named = Notice(
        id="n",
        kind="asked",
        at=NOON,
        link="l",
        tool="refund",
        title="Ä",
        people=(Reader("a", "ada"), Reader("b")),
    )
    data = json.loads(as_json(named))["data"]
    assert (data["tool"], data["title"], data["names"]) == ("refund", "Ä", {"a": "ada"})


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("", 0.0),
        ("-5", 0.0),
        ("²", 0.0),
        ("Wed, 01 May 2030 11:00:00 GMT", 0.0),
        ("Wed, 01 May 2030 12:01:00", 60.0),
    ],
)
def test_a_pause_that_is_asked_for(header, seconds):
    assert seconds_of(header, NOON) == seconds


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://hooks.example/T0/xyz", "https://hooks.example"),
        ("http://[::1]:8000/x", "http://[::1]:8000"),
    ],
)
def test_of_an_address_the_place_alone_is_shown(url, place):
    assert place_of(url) == place


def test_a_target_comes_back_as_it_was_kept():
    kept = a_webhook(sealed=sealed(KEYRING, Target("http://h/", SECRET)))
    assert target_of(KEYRING, kept) == Target("http://h/", SECRET)
    assert SECRET not in kept.sealed
    assert SECRET not in repr(target_of(KEYRING, kept))
