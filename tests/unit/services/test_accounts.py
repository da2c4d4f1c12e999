from datetime import timedelta
from hashlib import sha256
from http.cookies import SimpleCookie

import pytest

from chat_app.data import auth_sessions, users
from chat_app.services.accounts import EVERY_ROLE, Accounts, CookieShape, read_cookie
from tests.fakes import FakeClock, counting_ids

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def clock():
    return FakeClock()


def accounts_of(sqlite, clock, *, days: int = 30, secure: bool = False) -> Accounts:
    shape = CookieShape(name="parley_session", days=days, secure=secure)
    return Accounts(sqlite, shape, now=clock, new_id=counting_ids())


def header_of(cookie: bytes) -> str:
    return cookie.decode().partition(";")[0]


def token_hash(cookie: bytes) -> str:
    return sha256(header_of(cookie).partition("=")[2].encode()).hexdigest()


@pytest.mark.parametrize(
    ("header", "value"),
    [
        ("s=abc", "abc"),
        ("a=1; s=abc; b=2", "abc"),
        ("a=1;s=abc", "abc"),
        ("s=", ""),
        ("", ""),
        ("other=abc", ""),
        ("xs=abc", ""),
        ('theme={"a": "b;c"}; s=abc', "abc"),
        ("[odd]=1; näme=x; s=abc", "abc"),
        ("s=a=b", "a=b"),
        ("s=first; s=second", "first"),
    ],
)
def test_our_cookie_is_found_among_any_others(header, value):
    assert read_cookie(header, "s") == value


async def test_the_local_user_is_made_once(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    await accounts.start()
    await accounts.start()
    with sqlite.reading() as session:
        user = users.named(session, "local")
    assert (user.display_name, user.roles) == ("You", EVERY_ROLE)


async def test_a_signed_in_browser_is_the_local_user(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    await accounts.start()
    cookie = await accounts.sign_in_local()
    person = await accounts.person_of(header_of(cookie))
    assert (person.name, person.roles) == ("You", EVERY_ROLE)


async def test_signing_in_needs_no_start(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    assert await accounts.person_of(header_of(await accounts.sign_in_local())) is not None


@pytest.mark.parametrize("secure", [True, False])
async def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(sqlite, clock, secure):
    cookie = await accounts_of(sqlite, clock, days=7, secure=secure).sign_in_local()
    (morsel,) = SimpleCookie(cookie.decode()).values()
    assert morsel["httponly"]
    assert (morsel["samesite"], morsel["path"], morsel["max-age"]) == ("Lax", "/", str(7 * 86_400))
    assert morsel["domain"] == ""
    assert bool(morsel["secure"]) is secure


async def test_the_token_is_stored_nowhere(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    cookie = await accounts.sign_in_local()
    with sqlite.reading() as session:
        stored = auth_sessions.find(session, token_hash(cookie), now=clock())
    assert header_of(cookie).partition("=")[2] not in str(stored)


async def test_two_browsers_have_sessions_of_their_own(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    one, other = await accounts.sign_in_local(), await accounts.sign_in_local()
    assert token_hash(one) != token_hash(other)
    assert await accounts.person_of(header_of(one)) == await accounts.person_of(header_of(other))


@pytest.mark.parametrize("header", ["", "parley_session=", "parley_session=guess", "other=x"])
async def test_who_has_no_session_is_nobody(sqlite, clock, header):
    assert await accounts_of(sqlite, clock).person_of(header) is None


async def test_a_session_ends_when_it_is_not_used(sqlite, clock):
    accounts = accounts_of(sqlite, clock, days=1)
    header = header_of(await accounts.sign_in_local())
    clock.forward(days=1)
    assert await accounts.person_of(header) is None


async def test_a_session_lives_on_while_it_is_used(sqlite, clock):
    accounts = accounts_of(sqlite, clock, days=1)
    header = header_of(await accounts.sign_in_local())
    for _ in range(5):
        clock.forward(hours=20)
        assert await accounts.person_of(header) is not None


async def test_use_is_noted_now_and_then(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    cookie = await accounts.sign_in_local()
    begun = clock.now

    async def last_seen():
        assert await accounts.person_of(header_of(cookie)) is not None
        with sqlite.reading() as session:
            return auth_sessions.find(session, token_hash(cookie), now=clock()).last_seen

    clock.forward(minutes=5)
    assert await last_seen() == begun
    clock.forward(seconds=1)
    assert await last_seen() == begun + timedelta(minutes=5, seconds=1)


async def test_a_revoked_session_is_over(sqlite, clock):
    accounts = accounts_of(sqlite, clock)
    cookie = await accounts.sign_in_local()
    with sqlite.transaction() as session:
        found = auth_sessions.find(session, token_hash(cookie), now=clock())
        auth_sessions.revoke(session, found.id, now=clock())
    assert await accounts.person_of(header_of(cookie)) is None
