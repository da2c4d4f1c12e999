import pytest

from chat_app.data import audit, identities
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
