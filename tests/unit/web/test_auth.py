import re
from contextlib import asynccontextmanager

import httpx
import pytest
from joserfc.jwk import RSAKey
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from chat_app.services import holder
from chat_app.services.accounts import Ways
from chat_app.services.holder import install
from chat_app.services.people import TERMINAL
from chat_app.services.proxy import Proxies
from chat_app.services.rates import Rates
from chat_app.services.sign_ins import Visitor
from chat_app.ui.gate import draw
from chat_app.web import auth
from chat_app.web.entrance import Entrance
from chat_app.web.guard import Guard, person_of
from tests.support.provider import TestProvider
from tests.support.world import PROVIDER, World

pytest_plugins = ("tests.support.databases",)

ORIGIN = "http://localhost:3000"
OURS = {"origin": ORIGIN}
PAGE = {"accept": "text/html"}
KEY = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})


async def who(request) -> PlainTextResponse:
    person = person_of(request.scope)
    return PlainTextResponse(person.name if person else "nobody")


@asynccontextmanager
async def served(world: World):
    """Serve sign-in and account behind the guard, with the services of `world`."""
    before = list(holder._held)
    entrance = Entrance(world.accounts, world.provided, Proxies())
    doors = auth.Doors(draw, entrance, setting="", known=frozenset({"en", "de"}), secure=False)
    app = Starlette(routes=[*auth.routes(doors), Route("/{path:path}", who)])
    guard = Guard(app, entrance=entrance, origins={"localhost:3000": ORIGIN})
    async with world.running():
        install(world.services)
        async with httpx.AsyncClient(transport=httpx.ASGITransport(guard), base_url=ORIGIN) as client:
            yield client
    holder._held[:] = before


@pytest.fixture
async def world(sqlite):
    return World(sqlite, ways=Ways(password=True), rates=Rates({"sign_in": "3 per hour"}))


@pytest.fixture
async def client(world):
    async with served(world) as client:
        await world.people.add(TERMINAL, "cat", ["user"], password="correct horse")
        yield client


async def enter(client: httpx.AsyncClient, password: str = "correct horse", **more: str) -> httpx.Response:
    return await client.post(
        "/auth/sign-in", data={"name": "cat", "password": password, **more}, headers=OURS
    )


async def test_a_person_comes_in_and_goes_where_they_wanted(client):
    page = await client.get("/t/abc", headers=PAGE)
    assert page.headers["location"] == "/sign-in?back=/t/abc"
    form = await client.get("/sign-in?back=/t/abc", headers=PAGE)
    assert (form.status_code, form.headers["cache-control"]) == (200, "no-store")
    assert 'name="back" value="/t/abc"' in form.text
    answer = await enter(client, back="/t/abc")
    assert (answer.status_code, answer.headers["location"]) == (303, "/t/abc")
    assert (await client.get("/t/abc", headers=PAGE)).text == "cat"
    assert (await client.get("/sign-in?back=/t/abc", headers=PAGE)).headers["location"] == "/t/abc"


async def test_nobody_is_led_to_another_site(client):
    assert (await enter(client, back="//evil.example")).headers["location"] == "/"


async def test_a_wrong_password_is_told_beside_its_field_with_the_tries_left(client):
    answer = await enter(client, "wrong")
    assert answer.status_code == 401
    assert "Name and password do not match. 2 tries left." in answer.text
    assert 'value="cat"' in answer.text
    assert "set-cookie" not in answer.headers
    for _ in range(2):
        await enter(client, "wrong")
    late = await enter(client)
    assert late.status_code == 429
    assert re.search(r"Try again in \d+ seconds", late.text)


async def test_the_page_speaks_the_language_of_the_browser(client):
    page = await client.get("/sign-in", headers={**PAGE, "accept-language": "de"})
    assert '<html lang="de" dir="ltr">' in page.text


async def test_signing_out_leads_to_the_sign_in_and_the_cookie_is_worth_nothing(client):
    await enter(client)
    cookie = client.cookies["parley_session"]
    answer = await client.post("/auth/sign-out", headers=OURS)
    assert (answer.headers["location"], "parley_session" in client.cookies) == ("/sign-in", False)
    stolen = await client.get("/", headers={**PAGE, "cookie": f"parley_session={cookie}"})
    assert stolen.headers["location"] == "/sign-in?back=/"


@pytest.mark.parametrize(
    "path", ["/auth/sign-in", "/auth/sign-out", "/auth/join", "/auth/password", "/auth/end", "/auth/mail"]
)
async def test_a_form_of_another_site_is_refused(client, path):
    assert (await client.post(path, headers={"origin": "http://evil.example"})).status_code == 403


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"a=1&" * 20, b"name=" + b"x" * 20_000])
async def test_what_no_form_of_ours_sends_lets_nobody_in(client, body):
    answer = await client.post("/auth/sign-in", content=body, headers=OURS)
    assert answer.status_code == 401


# ---------------------------------------------------------------- links


async def test_a_link_makes_an_account_once(world, client):
    token = await world.people.invite(TERMINAL, ["user"])
    page = await client.get(f"/join/{token}", headers=PAGE)
    assert "Make your account" in page.text
    weak = await client.post(
        "/auth/join", data={"token": token, "name": "dog", "password": "x"}, headers=OURS
    )
    assert (weak.status_code, 'value="dog"' in weak.text) == (422, True)
    done = await client.post(
        "/auth/join", data={"token": token, "name": "dog", "password": "correct horse"}, headers=OURS
    )
    assert (done.status_code, done.headers["location"]) == (303, "/")
    assert (await client.get("/", headers=PAGE)).text == "dog"
    for gone in (
        await client.get(f"/join/{token}"),
        await client.post("/auth/join", data={"token": token}, headers=OURS),
    ):
        assert (gone.status_code, "does not work any more" in gone.text) == (410, True)


async def test_a_link_that_ends_while_its_form_is_filled_is_over(world, client):
    token = await world.people.reset(TERMINAL, await world.people.id_of("cat"))
    assert "For cat." in (await client.get(f"/join/{token}", headers=PAGE)).text
    await world.people.reset(TERMINAL, await world.people.id_of("cat"))
    answer = await client.post("/auth/join", data={"token": token, "password": "x"}, headers=OURS)
    assert answer.status_code == 410


# ---------------------------------------------------------------- account


async def test_a_person_sees_their_browsers_and_ends_one(world, client):
    await enter(client)
    other = await world.accounts.sign_in("cat", "correct horse", Visitor(device="Fox"))
    page = await client.get("/account", headers=PAGE)
    assert "Fox" in page.text
    held = await world.accounts.signed_in(other.decode().partition(";")[0])
    answer = await client.post("/auth/end", data={"sign_in": held.id}, headers=OURS)
    assert answer.headers["location"] == "/account?done=ended"
    assert "Fox" not in (await client.get("/account?done=ended", headers=PAGE)).text
    again = await client.post("/auth/end", data={"sign_in": held.id}, headers=OURS)
    assert (again.status_code, "not there any more" in again.text) == (404, True)


async def test_all_other_browsers_are_signed_out_at_once(world, client):
    await enter(client)
    await world.cookie_of(world.ada)
    await client.post("/auth/end", data={"sign_in": "others"}, headers=OURS)
    assert (await client.get("/", headers=PAGE)).text == "cat"


async def test_a_password_is_changed(client):
    await enter(client)
    wrong = await client.post("/auth/password", data={"old": "x", "password": "another horse"}, headers=OURS)
    assert (wrong.status_code, "do not match" in wrong.text) == (401, True)
    done = await client.post(
        "/auth/password", data={"old": "correct horse", "password": "another horse"}, headers=OURS
    )
    assert done.headers["location"] == "/account?done=changed"
    assert "Your password is changed" in (await client.get("/account?done=changed", headers=PAGE)).text


async def test_nobody_has_no_account(client):
    for answer in (
        await client.get("/account"),
        await client.post("/auth/password", headers=OURS),
        await client.post("/auth/end", headers=OURS),
        await client.post("/auth/mail", headers=OURS),
    ):
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?back=/account")


async def test_a_person_turns_notices_by_mail_off_and_on(world, client):
    await enter(client)
    assert "Notices by mail" not in (await client.get("/account", headers=PAGE)).text
    world.mailboxes.sends = True
    assert "An admin can set an address for you." in (await client.get("/account", headers=PAGE)).text
    assert (await client.post("/auth/mail", data={"wanted": "no"}, headers=OURS)).headers[
        "location"
    ] == "/account"
    (cat,) = [one.id for one in await world.people.every(TERMINAL) if one.name == "cat"]
    await world.mailboxes.put(TERMINAL, cat, "cat@example.org")
    page = (await client.get("/account", headers=PAGE)).text
    assert "They go to cat@example.org." in page
    assert "Send me no more mail" in page
    off = await client.post("/auth/mail", data={"wanted": "no"}, headers=OURS)
    assert off.headers["location"] == "/account?done=mail.unwanted"
    page = (await client.get(off.headers["location"], headers=PAGE)).text
    assert "Saved. No more mail." in page
    assert "Send me notices by mail" in page
    on = await client.post("/auth/mail", data={"wanted": "yes"}, headers=OURS)
    assert "Saved. Notices come by mail." in (await client.get(on.headers["location"], headers=PAGE)).text


async def test_single_user_mode_has_no_sign_in(sqlite):
    async with served(World(sqlite)) as client:
        assert (await client.get("/sign-in", headers=PAGE)).headers["location"] == "/"
        await client.get("/", headers=PAGE)
        page = await client.get("/account", headers=PAGE)
        assert "no accounts" in page.text
        for path in ("/auth/provider", "/auth/provider/back"):
            assert (await client.get(path)).headers["location"] == "/sign-in"


# ---------------------------------------------------------------- the provider


@pytest.fixture
async def elsewhere(sqlite):
    world = World(sqlite, ways=Ways(provider="Acme"))
    provider = TestProvider(PROVIDER.issuer, lambda: world.clock().timestamp(), PROVIDER.back, key=KEY)
    provider.secret = ""
    world.services.oidc._transport = httpx.ASGITransport(provider.app)
    async with served(world) as client:
        yield world, provider, client


async def journey(client: httpx.AsyncClient, provider: TestProvider) -> httpx.Response:
    leaving = await client.get("/auth/provider?back=/t/abc", headers=PAGE)
    assert leaving.status_code == 303
    async with httpx.AsyncClient(transport=httpx.ASGITransport(provider.app)) as browser:
        back = (await browser.get(leaving.headers["location"])).headers["location"]
    return await client.get(back, headers=PAGE)


async def test_a_person_comes_in_by_the_provider(elsewhere):
    _, provider, client = elsewhere
    assert "Continue with Acme" in (await client.get("/sign-in", headers=PAGE)).text
    answer = await journey(client, provider)
    assert (answer.status_code, answer.headers["location"]) == (303, "/t/abc")
    assert auth.STATE_COOKIE not in client.cookies
    assert (await client.get("/", headers=PAGE)).text == "zoe"


async def test_who_the_provider_refuses_is_told_in_words(elsewhere):
    _, provider, client = elsewhere
    provider.refuses = True
    answer = await journey(client, provider)
    assert answer.headers["location"] == "/sign-in?problem=provider"
    assert "You were not signed in" in (await client.get(answer.headers["location"], headers=PAGE)).text


async def test_a_way_back_without_its_cookie_lets_nobody_in(elsewhere):
    _, provider, client = elsewhere
    leaving = await client.get("/auth/provider", headers=PAGE)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(provider.app)) as browser:
        back = (await browser.get(leaving.headers["location"])).headers["location"]
    client.cookies.clear()
    assert (await client.get(back, headers=PAGE)).headers["location"] == "/sign-in?problem=provider"


async def test_a_provider_that_is_away_is_told_in_words(elsewhere):
    world, _, client = elsewhere
    world.services.oidc._transport = httpx.MockTransport(lambda _: httpx.Response(503))
    assert (await client.get("/auth/provider", headers=PAGE)).headers[
        "location"
    ] == "/sign-in?problem=provider"


async def through(provider: TestProvider, leaving: httpx.Response) -> str:
    """Follow a browser that is sent to the provider by a page; return where that sends it back to."""
    assert (leaving.status_code, leaving.headers["cache-control"]) == (200, "no-store")
    async with httpx.AsyncClient(transport=httpx.ASGITransport(provider.app)) as browser:
        answer = await browser.get(leaving.headers["refresh"].partition("url=")[2])
    return answer.headers["location"]


@pytest.fixture
async def both(elsewhere):
    world, provider, client = elsewhere
    world.accounts.ways = Ways(password=True, provider="Acme")
    await world.people.add(TERMINAL, "cat", ["user"], password="correct horse")
    await enter(client)
    return world, provider, client


async def test_a_person_connects_who_they_are_at_the_provider_and_disconnects_again(both):
    _, provider, client = both
    assert "Connect with Acme" in (await client.get("/account", headers=PAGE)).text
    back = await through(provider, await client.post("/auth/connect", headers=OURS))
    answer = await client.get(back, headers=PAGE)
    assert answer.headers["location"] == "/account?done=connected"
    assert "You are connected" in (await client.get(answer.headers["location"], headers=PAGE)).text
    await client.post("/auth/sign-out", headers=OURS)
    assert (await journey(client, provider)).headers["location"] == "/t/abc"
    assert (await client.get("/", headers=PAGE)).text == "cat"
    # who came by the provider is not offered what could lock them out
    assert "Disconnect" not in (await client.get("/account", headers=PAGE)).text
    assert (await client.post("/auth/disconnect", headers=OURS)).headers["location"] == "/account"
    await client.post("/auth/sign-out", headers=OURS)
    await enter(client)
    gone = await client.post("/auth/disconnect", headers=OURS)
    assert gone.headers["location"] == "/account?done=disconnected"
    assert (await client.post("/auth/disconnect", headers=OURS)).status_code == 404
    assert "Connect with Acme" in (await client.get("/account", headers=PAGE)).text


async def test_another_who_came_meanwhile_is_connected_with_nobody(both):
    world, provider, client = both
    await world.people.add(TERMINAL, "dan", ["user"], password="correct horse")
    back = await through(provider, await client.post("/auth/connect", headers=OURS))
    await client.post("/auth/sign-out", headers=OURS)
    await client.post("/auth/sign-in", data={"name": "dan", "password": "correct horse"}, headers=OURS)
    answer = await client.get(back, headers=PAGE)
    assert answer.headers["location"] == "/account?done=unconnected"
    assert "nothing was connected" in (await client.get(answer.headers["location"], headers=PAGE)).text


async def test_nobody_connects_and_a_form_of_another_site_connects_nothing(both):
    world, _, client = both
    evil = await client.post("/auth/connect", headers={"origin": "http://evil.example"})
    assert evil.status_code == 403
    assert "refresh" not in (await client.get("/auth/connect", headers=PAGE)).headers
    world.services.oidc._transport = httpx.MockTransport(lambda _: httpx.Response(503))
    away = await client.post("/auth/connect", headers=OURS)
    assert away.headers["location"] == "/account?done=unconnected"
    world.accounts.ways = Ways(password=True)
    assert (await client.post("/auth/connect", headers=OURS)).headers["location"] == "/account"
    client.cookies.clear()
    for path in ("/auth/connect", "/auth/disconnect"):
        answer = await client.post(path, headers=OURS)
        assert answer.headers["location"] == "/sign-in?back=/account"
