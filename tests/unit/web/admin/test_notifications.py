"""Where notices go, as an admin's browser gets it: no secret twice, every outcome in words."""

import re

import httpx
import pytest

from chat_app.data import deliveries, mail_addresses
from chat_app.services.accounts import Ways
from chat_app.services.notices.mail import MailServer
from tests.support.admin import served
from tests.support.noticed import Receiver, delivered, on_their_way, plan
from tests.support.world import World, ask

pytest_plugins = ("tests.support.databases",)

HERE = "/admin/notifications"
MAIL = MailServer(host="127.0.0.1", port=9, security="none", sender="parley@example.org")
HOOK = {"name": "Chat <b>", "url": "https://hooks.example/T0/s3cret", "kind": ["asked", "decided"]}


@pytest.fixture
def receiver():
    return Receiver()


@pytest.fixture
async def world(sqlite, receiver):
    told = plan(receiver, mail=MAIL)
    async with World(sqlite, plan=told, ways=Ways(password=True)).running() as world:
        yield world


@pytest.fixture
async def client(world):
    async with served(world, "admin") as client:
        yield client


async def add(client, **form) -> tuple[str, str]:
    """Add a webhook; returns where it is changed, and its secret."""
    page = (await client.post(f"{HERE}/add", data=HOOK | form)).text
    (secret,) = re.findall(r'value="(whsec_[^"]+)"', page)
    return re.findall(rf'action="({HERE}/webhooks/[^"]+)"', page)[0], secret


async def act(client, path: str, name: str) -> httpx.Response:
    return await client.post(path, data={"act": name})


async def test_a_secret_is_shown_once_and_an_address_not_even_that(client):
    _, secret = await add(client)
    page = (await client.get(HERE)).text
    assert secret not in page
    assert "s3cret" not in page
    assert "https://hooks.example/…" in page
    assert "Chat &lt;b&gt;" in page
    assert "Question asked, Decided by somebody else" in page


async def test_what_cannot_be_kept_is_told_beside_what_was_typed(client):
    wrong = await client.post(f"{HERE}/add", data=HOOK | {"url": "hooks.example"})
    assert (wrong.status_code, "must begin with http" in wrong.text) == (422, True)
    assert 'value="hooks.example"' in wrong.text
    assert 'value="expired" checked' not in wrong.text
    await add(client)
    assert "This name is taken." in (await client.post(f"{HERE}/add", data=HOOK)).text


async def test_a_webhook_is_switched_given_another_secret_and_removed(client):
    path, secret = await add(client)
    assert (await act(client, path, "disable")).headers["location"] == f"{HERE}?done=yes"
    page = (await client.get(f"{HERE}?done=yes")).text
    assert "Switch on" in page
    assert "Saved" in page or 'role="status"' in page
    await act(client, path, "enable")
    rotated = (await act(client, path, "rotate")).text
    (new,) = re.findall(r'value="(whsec_[^"]+)"', rotated)
    assert new != secret
    assert secret not in rotated
    assert (await act(client, path, "nonsense")).status_code == 404
    await act(client, path, "drop")
    assert "There is none yet." in (await client.get(HERE)).text


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (httpx.Response(200), "Taken (HTTP 200)."),
        (httpx.Response(302), "It leads elsewhere (HTTP 302), where nothing is posted."),
        (httpx.Response(404), "Refused there (HTTP 404)."),
        (httpx.Response(500), "It failed there (HTTP 500)."),
        (httpx.ConnectError("no"), "Nobody answers there."),
    ],
)
async def test_a_test_tells_in_words_how_it_went(client, receiver, answer, words):
    path, _ = await add(client)
    receiver.answers = [answer]
    page = (await act(client, path, "test")).text
    assert f"Test: <span>{words}</span>" in page
    assert page.count(words) == 2


async def test_what_was_stored_under_another_key_is_told(client, world):
    path, _ = await add(client)
    world.notices._keyring._fernet = type(world.notices._keyring)("another")._fernet
    page = await act(client, path, "rotate")
    assert (page.status_code, "the key has changed" in page.text) == (422, True)


async def test_a_test_by_mail_goes_to_who_asks_and_needs_an_address(client, world):
    page = await client.post(f"{HERE}/mail")
    assert (page.status_code, "You have no mail address here." in page.text) == (422, True)
    eve = world.person("eve", "Eve")
    await client.post(f"/admin/people/{eve.id}/change", data={"act": "mail", "address": "eve@example.org"})
    assert "Nobody answers there." in (await client.post(f"{HERE}/mail")).text


async def test_what_was_given_up_is_sent_again(client, world, receiver):
    await add(client)
    receiver.answers = [httpx.Response(404)]
    await world.said("Send it", ask())
    await delivered(world)
    page = (await client.get(f"{HERE}?state=failed")).text
    assert "Given up" in page
    assert "Given up (1)" in page
    (path,) = re.findall(rf'action="({HERE}/sent/[^"]+)"', page)
    assert (await client.post(path)).headers["location"] == f"{HERE}?done=yes"
    assert [one.state for one in on_their_way(world)] == ["waiting"]
    assert (await client.post(path)).status_code == 404
    assert "Nothing fits." in (await client.get(f"{HERE}?state=sent")).text


async def test_what_only_a_machine_said_is_shown_as_it_is(client, world):
    await add(client)
    await world.said("Send it", ask())
    (one,) = on_their_way(world)
    now = world.clock()
    with world.database.transaction() as session:
        deliveries.take(session, one.id, by="w", now=now, until=now)
        deliveries.settle(session, one.id, by="w", state="failed", outcome="<odd>", at=now)
    assert "&lt;odd&gt;" in (await client.get(HERE)).text


async def test_an_address_of_a_person_is_set_and_judged(client, world):
    path = f"/admin/people/{world.ada.id}"
    wrong = await client.post(f"{path}/change", data={"act": "mail", "address": "ada"})
    assert (wrong.status_code, "That is no mail address." in wrong.text) == (422, True)
    await client.post(f"{path}/change", data={"act": "mail", "address": "ada@example.org"})
    assert 'value="ada@example.org"' in (await client.get(path)).text
    with world.database.reading() as session:
        assert mail_addresses.get(session, world.ada.id).address == "ada@example.org"


async def test_without_a_mail_server_the_page_says_what_names_one(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world, served(world, "admin") as client:
        page = (await client.get(HERE)).text
        assert "PARLEY_MAIL_HOST" in page
        assert "Mail address" not in (await client.get(f"/admin/people/{world.ada.id}")).text
