from datetime import timedelta
from hashlib import sha256
from http.cookies import SimpleCookie

import pytest
from pwdlib.hashers.argon2 import Argon2Hasher

from chat_app.data import auth_sessions, invitations, passwords, users
from chat_app.services.accounts import EVERY_ROLE, Accounts, CookieShape, Ways, read_cookie
from chat_app.services.passwords import Passwords
from chat_app.services.people import TERMINAL
from chat_app.services.personal import Personal
from chat_app.services.policy import Refused
from chat_app.services.problems import BadName, LinkOver, NameTaken, TooFast, WeakPassword, WrongPassword
from chat_app.services.rates import Rates
from chat_app.services.sign_ins import Visitor
from tests.fakes import FakeClock, counting_ids
from tests.support.world import CHEAP, COOKIE, World

pytest_plugins = ("tests.support.databases",)


@pytest.fixture
def clock():
    return FakeClock()


def accounts_of(sqlite, clock, *, days: int = 30, secure: bool = False) -> Accounts:
    shape = CookieShape(name="parley_session", days=days, secure=secure)
    return Accounts(sqlite, shape, now=clock, new_id=counting_ids(), hashes=Passwords(CHEAP))


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


# ---------------------------------------------------------------- with accounts


HERE = Visitor("10.0.0.1", "Browser")


@pytest.fixture
async def world(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        token = await world.people.invite(TERMINAL, ["user"], name="cat")
        await world.accounts.accept(token, "", "correct horse", HERE)
        yield world


async def signed_in(world: World, cookie: bytes):
    return await world.accounts.signed_in(header_of(cookie))


async def test_a_name_and_its_password_let_in(world):
    found = await signed_in(world, await world.accounts.sign_in(" Cat ", "correct horse", HERE))
    assert (found.person.name, found.way) == ("cat", "password")


@pytest.mark.parametrize(
    ("name", "password"), [("cat", "wrong horse"), ("dog", "correct horse"), ("ada", ""), ("\x00", "x")]
)
async def test_a_wrong_name_and_a_wrong_password_are_refused_alike(world, name, password):
    with pytest.raises(WrongPassword) as refused:
        await world.accounts.sign_in(name, password, HERE)
    assert refused.value.problem == WrongPassword.problem


async def test_who_is_kept_out_does_not_come_in(world):
    root = world.person("root", "Root", "admin")
    await world.people.set_active(root, await world.people.id_of("cat"), active=False)
    with pytest.raises(WrongPassword):
        await world.accounts.sign_in("cat", "correct horse", HERE)


async def test_without_passwords_no_password_and_no_link_lets_in(sqlite):
    async with World(sqlite, ways=Ways(proxy=True)).running() as world:
        await world.people.add(TERMINAL, "cat", ["user"], password="correct horse")
        token = await world.people.invite(TERMINAL, ["user"])
        with pytest.raises(WrongPassword):
            await world.accounts.sign_in("cat", "correct horse", HERE)
        with pytest.raises(LinkOver):
            await world.accounts.welcome(token)


async def test_a_session_of_the_local_user_is_nobodys_with_accounts(world):
    assert await signed_in(world, await world.accounts.sign_in_local()) is None


async def test_tries_are_counted_and_then_refused(sqlite):
    rates = Rates({"sign_in": "3 per hour", "address": "5 per hour"})
    async with World(sqlite, ways=Ways(password=True), rates=rates).running() as world:
        await world.people.add(TERMINAL, "cat", ["user"], password="correct horse")
        for left in (2, 1, 0):
            with pytest.raises(WrongPassword) as refused:
                await world.accounts.sign_in("cat", "wrong", HERE)
            assert refused.value.left == left
        with pytest.raises(TooFast):
            await world.accounts.sign_in("cat", "correct horse", HERE)
        assert await world.accounts.sign_in("cat", "correct horse", Visitor("10.0.0.2"))
        with pytest.raises(WrongPassword):
            await world.accounts.sign_in("dog", "x", HERE)
        with pytest.raises(TooFast):
            await world.accounts.sign_in("fox", "x", HERE)


async def test_who_comes_in_may_try_anew(sqlite):
    rates = Rates({"sign_in": "2 per hour"})
    async with World(sqlite, ways=Ways(password=True), rates=rates).running() as world:
        await world.people.add(TERMINAL, "cat", ["user"], password="correct horse")
        for _ in range(3):
            with pytest.raises(WrongPassword):
                await world.accounts.sign_in("cat", "wrong", HERE)
            await world.accounts.sign_in("cat", "correct horse", HERE)


async def test_signing_out_ends_the_session_for_every_tab(world):
    cookie = await world.accounts.sign_in("cat", "correct horse", HERE)
    found = await signed_in(world, cookie)
    with world.accounts.watch.tab(found.id, found.person.roles) as tab:
        gone = await world.accounts.sign_out(header_of(cookie))
        assert tab.out
    assert b"Max-Age=0" in gone
    assert await signed_in(world, cookie) is None
    assert b"Max-Age=0" in await world.accounts.sign_out(header_of(cookie))


async def test_a_person_sees_and_ends_their_own_sign_ins_alone(world):
    mine = await signed_in(world, await world.accounts.sign_in("cat", "correct horse", HERE))
    foreign = await world.accounts.signed_in(await world.cookie_of(world.ada))
    held = await world.accounts.open_sign_ins(mine.person)
    assert [(one.id == mine.id, one.device, one.token_hash) for one in held] == [
        (True, "Browser", ""),
        (False, "Browser", ""),
    ]
    for key in (foreign.id, "unknown", "\x00"):
        with pytest.raises(Refused):
            await world.accounts.end_sign_in(mine.person, key)
    await world.accounts.end_sign_in(mine.person, held[1].id)
    assert [one.id for one in await world.accounts.open_sign_ins(mine.person)] == [mine.id]


async def test_all_other_sign_ins_end_at_once(world):
    cookies = [await world.accounts.sign_in("cat", "correct horse", HERE) for _ in range(3)]
    await world.accounts.end_others(await signed_in(world, cookies[1]))
    assert [await signed_in(world, cookie) is not None for cookie in cookies] == [False, True, False]


async def test_a_changed_password_ends_every_other_sign_in(world):
    other, cookie = [await world.accounts.sign_in("cat", "correct horse", HERE) for _ in range(2)]
    mine = await signed_in(world, cookie)
    with pytest.raises(WrongPassword):
        await world.accounts.change_password(mine, "wrong", "another horse")
    with pytest.raises(WeakPassword):
        await world.accounts.change_password(mine, "correct horse", "short")
    await world.accounts.change_password(mine, "correct horse", "another horse")
    assert (await signed_in(world, other), await signed_in(world, cookie)) == (None, mine)
    with pytest.raises(WrongPassword):
        await world.accounts.sign_in("cat", "correct horse", HERE)
    assert await world.accounts.sign_in("cat", "another horse", HERE)


async def test_a_hash_that_cost_too_little_is_replaced_when_its_owner_comes(world):
    dearer = Passwords(Argon2Hasher(time_cost=2, memory_cost=16, parallelism=1))
    accounts = Accounts(
        world.database, COOKIE, now=world.clock, new_id=world.new_id, ways=Ways(password=True), hashes=dearer
    )
    user = await world.people.id_of("cat")
    with world.database.reading() as session:
        before = passwords.of_user(session, user)
    await accounts.sign_in("cat", "correct horse", HERE)
    with world.database.reading() as session:
        after = passwords.of_user(session, user)
    assert before.hash != after.hash
    assert await accounts.sign_in("cat", "correct horse", HERE)


async def test_a_name_that_is_taken_leaves_the_link_alone(world):
    token = await world.people.invite(TERMINAL, ["user"])
    for name, trouble in (("CAT", NameTaken), ("", BadName), ("a:b", BadName)):
        with pytest.raises(trouble):
            await world.accounts.accept(token, name, "correct horse", HERE)
    with pytest.raises(WeakPassword):
        await world.accounts.accept(token, "dog", "short", HERE)
    assert await world.accounts.accept(token, "dog", "correct horse", HERE)


@pytest.mark.parametrize("token", ["", "guess", "\x00", "ü" * 999])
async def test_a_link_that_never_was_is_over(world, token):
    with pytest.raises(LinkOver):
        await world.accounts.welcome(token)


async def test_no_hash_and_no_token_is_in_an_export(world):
    await world.accounts.sign_in("cat", "correct horse", HERE)
    exported = str(list(Personal(world.database, now=world.clock).export("cat")))
    assert "argon2" not in exported
    assert "token_hash" not in exported


async def test_a_link_whose_time_ends_while_it_is_used_lets_nobody_in(world):
    token = await world.people.invite(TERMINAL, ["user"])
    with world.database.reading() as session:
        (link,) = invitations.usable(session, now=world.clock())
    # looked at twice before it is used, a millisecond apart
    world.clock.now = link.expires_at - timedelta(milliseconds=2)
    with pytest.raises(LinkOver):
        await world.accounts.accept(token, "dog", "correct horse", HERE)
    with world.database.reading() as session:
        assert users.named(session, "dog") is None


async def test_who_is_kept_out_sets_no_new_password(world):
    root = world.person("root", "Root", "admin")
    cat = await world.people.id_of("cat")
    before = await world.people.reset(root, cat)
    await world.people.set_active(root, cat, active=False)
    for token in (before, await world.people.reset(root, cat)):
        with pytest.raises(LinkOver):
            await world.accounts.accept(token, "", "another horse", HERE)
