import asyncio

import pytest

from chat_app.data import audit, identities
from chat_app.services.policy import Refused
from chat_app.services.problems import ProviderFailed
from chat_app.services.provided import Claim
from chat_app.services.sign_ins import Visitor
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)

HERE = Visitor("10.0.0.1", "Browser")


def claim(**more) -> Claim:
    return Claim(
        **{"issuer": "https://id", "subject": "s1", "name": "Zoe@Example.org", "display_name": "Zo\u00eb"}
        | more
    )


@pytest.fixture
def world(sqlite):
    return World(sqlite)


async def came(world: World, claimed: Claim):
    cookie = await world.provided.come_in(claimed, way="oidc", visitor=HERE)
    return await world.accounts.signed_in(cookie.decode().partition(";")[0])


async def test_the_first_coming_makes_the_account_and_the_next_finds_it(world):
    first, again = await came(world, claim()), await came(world, claim(name="renamed"))
    assert (first.person.name, first.person.roles, first.way, first.name) == (
        "Zo\u00eb",
        ("user",),
        "oidc",
        "zoe@example.org",
    )
    assert again.person == first.person


async def test_another_subject_with_a_name_that_is_taken_is_not_let_in(world):
    await came(world, claim())
    for stranger in (claim(subject="s2"), claim(issuer="https://other"), claim(subject="s3", name="ada")):
        with pytest.raises(ProviderFailed):
            await came(world, stranger)
    with world.database.reading() as session:
        assert identities.find(session, "https://id", "s2") is None


async def test_who_is_kept_out_stays_out(world):
    found = await came(world, claim())
    await world.people.set_active(world.person("root", "Root", "admin"), found.person.id, active=False)
    with pytest.raises(ProviderFailed):
        await came(world, claim())


async def test_groups_give_roles_anew_at_each_coming(sqlite):
    world = World(sqlite, role_map={"staff": "user", "bosses": "admin"})
    world.person("root", "Root", "admin")
    assert (await came(world, claim(groups=("staff", "bosses", "x")))).person.roles == ("user", "admin")
    assert (await came(world, claim(groups=("staff",)))).person.roles == ("user",)
    assert (await came(world, claim(groups=("staff",)))).person.roles == ("user",)
    with pytest.raises(ProviderFailed):
        await came(world, claim(groups=("x",)))
    with world.database.reading() as session:
        assert [entry.action for entry in audit.entries(session)] == ["account.provided", "person.roles"]


async def test_where_no_group_is_mapped_roles_are_kept_here(world):
    found = await came(world, claim())
    root = world.person("root", "Root", "admin")
    await world.people.set_roles(root, found.person.id, ["user", "approver"])
    assert (await came(world, claim())).person.roles == ("user", "approver")


@pytest.mark.parametrize("name", ["", "erased:1", "a\x00b"])
async def test_a_name_that_cannot_be_used_lets_nobody_in(world, name):
    with pytest.raises(ProviderFailed):
        await came(world, claim(name=name))


async def test_who_has_no_name_of_their_own_is_called_by_their_address(world):
    assert (await came(world, claim(display_name=" "))).person.name == "Zoe"


# ---------------------------------------------------------------- somebody who is here already


async def test_who_is_here_already_comes_in_by_an_issuer_once_they_connected_it_themselves(world):
    theirs = claim(name="ada")
    with pytest.raises(ProviderFailed):
        await came(world, theirs)  # the name alone makes nobody Ada
    await world.provided.connect(world.ada.id, theirs)
    await world.provided.connect(world.ada.id, theirs)
    assert await world.provided.known_at(world.ada.id, theirs.issuer)
    assert (await came(world, claim(name="called otherwise"))).person.id == world.ada.id
    with world.database.reading() as session:
        assert [entry.action for entry in audit.entries(session)] == ["account.connected"]


async def test_one_of_there_is_one_of_here_and_no_other(world):
    await world.provided.connect(world.ada.id, claim())
    for person, other in ((world.bob, claim()), (world.ada, claim(subject="s2"))):
        with pytest.raises(ProviderFailed, match=r"somebody else (here|there) already"):
            await world.provided.connect(person.id, other)
    assert (await came(world, claim())).person.id == world.ada.id


async def test_two_who_connect_the_same_one_at_once_leave_it_with_one(world):
    tried = [world.provided.connect(person.id, claim()) for person in (world.ada, world.bob)]
    ended = await asyncio.gather(*tried, return_exceptions=True)
    assert sorted(type(one).__name__ for one in ended) == ["NoneType", "ProviderFailed"]


async def test_who_is_kept_out_or_has_no_role_there_connects_nothing(sqlite):
    world = World(sqlite, role_map={"staff": "user"})
    await world.people.set_active(world.person("root", "Root", "admin"), world.ada.id, active=False)
    for person, groups in ((world.ada.id, ("staff",)), ("nobody", ("staff",)), (world.bob.id, ("x",))):
        with pytest.raises(ProviderFailed):
            await world.provided.connect(person, claim(groups=groups))
    assert not await world.provided.known_at(world.ada.id, "https://id")


async def test_who_has_a_password_disconnects_and_who_has_none_stays_connected(world):
    root = world.person("root", "Root", "admin")
    await world.people.add(root, "cat", ["user"], password="correct horse")
    await came(world, claim())
    person = next(one for one in await world.people.every(root) if one.name == "cat")
    await world.provided.connect(person.id, claim(subject="s9"))
    await world.provided.disconnect(person.id, "https://id")
    zoe = next(one for one in await world.people.every(root) if one.name == "zoe@example.org")
    for refused in (person.id, zoe.id):
        with pytest.raises(Refused):
            await world.provided.disconnect(refused, "https://id")
    assert (await came(world, claim())).person.id == zoe.id


async def test_groups_take_the_last_admin_from_nobody(sqlite):
    world = World(sqlite, role_map={"staff": "user", "bosses": "admin"})
    first = await came(world, claim(groups=("bosses",)))
    assert (await came(world, claim(groups=("staff",)))).person.roles == ("user", "admin")
    second = claim(subject="s2", name="second", groups=("bosses",))
    await came(world, second)
    assert (await came(world, claim(groups=("staff",)))).person.roles == ("user",)
    assert first.person.roles == ("admin",)
