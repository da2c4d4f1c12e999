import asyncio

import pytest

from chat_app.data import audit, invitations, users
from chat_app.services.accounts import Ways
from chat_app.services.people import TERMINAL
from chat_app.services.policy import Refused
from chat_app.services.problems import BadName, LastAdmin, LinkOver, NameTaken, WeakPassword
from chat_app.services.sign_ins import Visitor
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)

HERE = Visitor("10.0.0.1", "Browser")


@pytest.fixture
async def world(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        world.root = world.person("root", "Root", "admin")
        yield world


def acts(world: World) -> list[tuple[str | None, str]]:
    with world.database.reading() as session:
        return [(entry.actor, entry.action) for entry in audit.entries(session)]


async def test_a_link_makes_one_account_with_its_roles(world):
    token = await world.people.invite(world.root, ["approver", "user"], name="Cat@Example.org")
    assert (await world.accounts.welcome(token)).name == "cat@example.org"
    cookie = await world.accounts.accept(token, "ignored", "correct horse", HERE)
    found = await world.accounts.signed_in(cookie.decode().partition(";")[0])
    assert (found.person.name, found.person.roles, found.way) == ("cat", ("user", "approver"), "link")
    with pytest.raises(LinkOver):
        await world.accounts.accept(token, "dog", "correct horse", HERE)
    assert acts(world) == [(world.root.id, "person.invited"), (found.person.id, "account.join")]


async def test_two_who_use_a_link_at_once_make_one_account(world):
    token = await world.people.invite(world.root, ["user"])
    found = await asyncio.gather(
        *(world.accounts.accept(token, f"cat{n}", "correct horse", HERE) for n in range(4)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, bytes) for one in found) == 1
    assert sum(isinstance(one, LinkOver) for one in found) == 3


async def test_a_withdrawn_link_works_no_more(world):
    token = await world.people.invite(world.root, ["user"])
    with world.database.reading() as session:
        (link,) = invitations.usable(session, now=world.clock())
    await world.people.withdraw(world.root, link.id)
    with pytest.raises(LinkOver):
        await world.accounts.welcome(token)
    with pytest.raises(Refused):
        await world.people.withdraw(world.root, link.id)


async def test_a_reset_ends_what_was_open_and_only_the_last_link_works(world):
    cookie = await world.cookie_of(world.ada)
    first = await world.people.reset(world.root, world.ada.id)
    second = await world.people.reset(world.root, world.ada.id)
    with pytest.raises(LinkOver):
        await world.accounts.welcome(first)
    assert (await world.accounts.welcome(second)).kind == "reset"
    await world.accounts.accept(second, "", "correct horse", HERE)
    assert await world.accounts.signed_in(cookie) is None
    assert await world.accounts.sign_in("ada", "correct horse", HERE)


async def test_who_is_kept_out_is_out_and_cannot_come_back_by_a_link(world):
    cookie = await world.cookie_of(world.ada)
    token = await world.people.reset(world.root, world.ada.id)
    await world.people.set_active(world.root, world.ada.id, active=False)
    assert await world.accounts.signed_in(cookie) is None
    with pytest.raises(LinkOver):
        await world.accounts.accept(token, "", "correct horse", HERE)
    await world.people.set_active(world.root, world.ada.id, active=True)
    assert await world.accounts.signed_in(cookie) is None


async def test_roles_hold_from_the_next_request_on(world):
    cookie = await world.cookie_of(world.ada)
    await world.people.set_roles(world.root, world.ada.id, ["admin", "auditor"])
    assert (await world.accounts.signed_in(cookie)).person.roles == ("auditor", "admin")


async def test_sign_ins_of_others_are_ended_and_counted(world):
    cookies = [await world.cookie_of(world.ada) for _ in range(2)]
    assert await world.people.end_sign_ins(world.root, world.ada.id) == 2
    assert [await world.accounts.signed_in(cookie) for cookie in cookies] == [None, None]


async def test_the_last_admin_stays(world):
    with pytest.raises(LastAdmin):
        await world.people.set_roles(world.root, world.root.id, ["user"])
    with pytest.raises(LastAdmin):
        await world.people.set_active(world.root, world.root.id, active=False)
    await world.people.set_roles(world.root, world.root.id, ["user", "admin"])


async def test_of_two_last_admins_who_leave_at_once_one_stays(world):
    other = world.person("other", "Other", "admin")
    left = await asyncio.gather(
        world.people.set_roles(world.root, other.id, []),
        world.people.set_roles(other, world.root.id, []),
        return_exceptions=True,
    )
    assert sorted(map(type, left), key=str) == sorted([type(None), LastAdmin], key=str)


@pytest.mark.parametrize(
    "roles", [("user",), ("approver",), ("auditor",), ("user", "approver", "auditor"), ()]
)
async def test_nobody_but_an_admin_manages_people(world, roles):
    who = world.person("who", "Who", *roles) if roles else world.person("who", "Who")
    for work in (
        world.people.every(who),
        world.people.invite(who, ["admin"]),
        world.people.reset(who, world.ada.id),
        world.people.withdraw(who, "link"),
        world.people.set_roles(who, who.id, ["admin"]),
        world.people.set_active(who, world.root.id, active=False),
        world.people.end_sign_ins(who, world.root.id),
        world.people.add(who, "new", ["admin"], password="correct horse"),
    ):
        with pytest.raises(Refused):
            await work
    assert acts(world) == []


async def test_who_is_not_there_is_refused(world):
    for user in ("unknown", "\x00", world.nameless()):
        with pytest.raises(Refused):
            await world.people.reset(world.root, user)
    with pytest.raises(Refused):
        await world.people.invite(world.root, ["boss"])
    with pytest.raises(Refused):
        await world.people.id_of("unknown")


async def test_the_terminal_adds_people_and_lists_them(world):
    key = await world.people.add(TERMINAL, " Cat ", ["user"], password="correct horse")
    assert await world.people.id_of("CAT") == key
    assert [one.name for one in await world.people.every(TERMINAL)] == ["ada", "bob", "cat", "root"]
    assert acts(world) == [(None, "person.added")]
    with pytest.raises(NameTaken):
        await world.people.add(TERMINAL, "cat", ["user"], password="correct horse")
    with pytest.raises(NameTaken):
        await world.people.invite(TERMINAL, ["user"], name="cat")
    with pytest.raises(WeakPassword):
        await world.people.add(TERMINAL, "dog", ["user"], password="short")
    for name in ("erased:1", "", "a\x00b", "x" * 201):
        with pytest.raises(BadName):
            await world.people.add(TERMINAL, name, ["user"], password="correct horse")


async def test_the_first_admin_comes_by_a_link_that_each_start_renews(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        first, second = await world.people.first_admin(), await world.people.first_admin()
        with pytest.raises(LinkOver):
            await world.accounts.welcome(first)
        cookie = await world.accounts.accept(second, "boss", "correct horse", HERE)
        assert "admin" in (await world.accounts.signed_in(cookie.decode().partition(";")[0])).person.roles
        assert await world.people.first_admin() == ""


async def test_a_first_admins_link_is_worth_nothing_once_there_is_an_admin(sqlite):
    async with World(sqlite, ways=Ways(password=True)).running() as world:
        token = await world.people.first_admin()
        world.person("root", "Root", "admin")
        with pytest.raises(LinkOver):
            await world.accounts.accept(token, "boss", "correct horse", HERE)
        with world.database.reading() as session:
            assert users.named(session, "boss") is None


async def test_an_admin_sees_one_persons_sign_ins_and_ends_one(world):
    eve = world.person("eve", "Eve", "admin")
    await world.cookie_of(world.ada)
    await world.cookie_of(world.ada)
    assert (await world.people.one(eve, world.ada.id)).name == "ada"
    newest, other = await world.people.sign_ins(eve, world.ada.id)
    await world.people.end_sign_in(eve, world.ada.id, newest.id)
    assert [one.id for one in await world.people.sign_ins(eve, world.ada.id)] == [other.id]
    for user, sign_in in ((world.ada.id, newest.id), (world.bob.id, other.id)):
        with pytest.raises(Refused):
            await world.people.end_sign_in(eve, user, sign_in)
