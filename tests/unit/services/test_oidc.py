import httpx
import pytest
from joserfc.jwk import RSAKey

from chat_app.services.oidc import Oidc, Provider, local_path
from chat_app.services.policy import Refused
from chat_app.services.problems import ProviderFailed
from chat_app.services.sign_ins import Visitor
from tests.support.provider import TestProvider
from tests.support.world import World

pytest_plugins = ("tests.support.databases",)

ISSUER = "http://id.example"
BACK = "http://localhost:3000/auth/provider/back"
HERE = Visitor("10.0.0.1", "Browser")
KEY = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})
STRANGERS = RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})


@pytest.fixture
def world(sqlite):
    return World(sqlite, role_map={"*": "user", "bosses": "admin"})


@pytest.fixture
def provider(world):
    return TestProvider(ISSUER, lambda: world.clock().timestamp(), BACK, key=KEY)


@pytest.fixture
def oidc(world, provider):
    settings = Provider(issuer=ISSUER, client_id="parley", client_secret="client-secret", back=BACK)
    return Oidc(
        world.database, world.provided, settings, now=world.clock, transport=httpx.ASGITransport(provider.app)
    )


async def through(provider: TestProvider, url: str) -> dict[str, str]:
    """Follow a browser to the provider, and return what it brings back."""
    async with httpx.AsyncClient(transport=httpx.ASGITransport(provider.app)) as browser:
        answer = await browser.get(url)
    place = httpx.URL(answer.headers["location"])
    assert str(place).startswith(BACK)
    return dict(place.params)


async def came(oidc: Oidc, provider: TestProvider, back: str = "/"):
    departure = await oidc.depart(back)
    said = await through(provider, departure.url)
    return await oidc.arrive(said, state=departure.state, visitor=HERE)


async def test_whom_the_provider_vouches_for_comes_in_and_goes_where_they_wanted(world, oidc, provider):
    provider.person |= {"name": "Zo\u00eb", "groups": ["bosses", 3]}
    arrival = await came(oidc, provider, "/t/abc")
    found = await world.accounts.signed_in(arrival.cookie.decode().partition(";")[0])
    assert (found.name, found.person.name, found.person.roles, found.way) == (
        "zoe@example.org",
        "Zo\u00eb",
        ("user", "admin"),
        "oidc",
    )
    assert arrival.back == "/t/abc"


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"email_verified": False, "preferred_username": "zoe"}, "zoe"),
        ({"email_verified": "true", "preferred_username": "zoe"}, "zoe"),
        ({"email_verified": False}, "s1"),
    ],
)
async def test_an_address_nobody_verified_is_no_name(world, oidc, provider, claims, name):
    provider.person |= claims
    arrival = await came(oidc, provider)
    assert (await world.accounts.signed_in(arrival.cookie.decode().partition(";")[0])).name == name


@pytest.mark.parametrize(
    "twist",
    [
        {"iss": "http://evil.example"},
        {"aud": "another-client"},
        {"aud": ["another-client"]},
        {"nonce": "another"},
        {"exp": 1},
        {"sub": ""},
        {"sub": 7},
    ],
)
async def test_an_id_token_for_somebody_else_lets_nobody_in(oidc, provider, twist):
    provider.twist = lambda claims: claims | twist
    with pytest.raises(ProviderFailed):
        await came(oidc, provider)


@pytest.mark.parametrize("missing", ["iss", "aud", "sub", "exp", "iat", "nonce"])
async def test_an_id_token_that_leaves_something_out_lets_nobody_in(oidc, provider, missing):
    provider.twist = lambda claims: {name: value for name, value in claims.items() if name != missing}
    with pytest.raises(ProviderFailed):
        await came(oidc, provider)


async def test_a_signature_of_a_stranger_lets_nobody_in(oidc, provider):
    provider.signing = STRANGERS
    with pytest.raises(ProviderFailed, match="does not hold"):
        await came(oidc, provider)


async def test_a_browser_that_did_not_leave_is_not_taken_back(oidc, provider):
    departure = await oidc.depart("/")
    said = await through(provider, departure.url)
    for state in ("", "another"):
        with pytest.raises(ProviderFailed, match="another browser"):
            await oidc.arrive(said, state=state, visitor=HERE)
    with pytest.raises(ProviderFailed, match="nobody left"):
        await oidc.arrive(said | {"state": "x"}, state="x", visitor=HERE)
    assert await oidc.arrive(said, state=departure.state, visitor=HERE)
    with pytest.raises(ProviderFailed, match="nobody left"):
        await oidc.arrive(said, state=departure.state, visitor=HERE)


async def test_who_takes_too_long_leaves_again(world, oidc, provider):
    departure = await oidc.depart("/")
    said = await through(provider, departure.url)
    world.clock.forward(minutes=11)
    with pytest.raises(ProviderFailed, match="too long ago"):
        await oidc.arrive(said, state=departure.state, visitor=HERE)


async def test_who_is_signed_in_connects_who_they_are_there_and_comes_in_as_both(world, oidc, provider):
    departure = await oidc.depart("/account?done=connected", user=world.ada.id)
    said = await through(provider, departure.url)
    arrival = await oidc.arrive(said, state=departure.state, visitor=HERE, user=world.ada.id)
    assert (arrival.cookie, arrival.back) == (b"", "/account?done=connected")
    assert await oidc.connected(world.ada.id)
    again = await came(oidc, provider)
    found = await world.accounts.signed_in(again.cookie.decode().partition(";")[0])
    assert found.person.id == world.ada.id
    with pytest.raises(Refused):
        await oidc.disconnect(world.ada.id)  # there is no password to come back with


@pytest.mark.parametrize("now", ["somebody else", "nobody"])
async def test_who_left_to_connect_must_be_who_comes_back(world, oidc, provider, now):
    departure = await oidc.depart("/account", user=world.ada.id)
    said = await through(provider, departure.url)
    user = world.bob.id if now == "somebody else" else None
    with pytest.raises(ProviderFailed, match="another person"):
        await oidc.arrive(said, state=departure.state, visitor=HERE, user=user)
    assert not await oidc.connected(world.ada.id)
    assert not await oidc.connected(world.bob.id)


async def test_a_code_of_another_attempt_is_not_taken(oidc, provider):
    mine, other = await oidc.depart("/"), await oidc.depart("/")
    stolen = await through(provider, other.url)
    with pytest.raises(ProviderFailed, match="does not answer"):
        await oidc.arrive(stolen | {"state": mine.state}, state=mine.state, visitor=HERE)


async def test_who_says_no_at_the_provider_stays_out(oidc, provider):
    provider.refuses = True
    with pytest.raises(ProviderFailed, match="access_denied"):
        await came(oidc, provider)


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "http://evil.example"},
        {"token_endpoint": None},
        {"authorization_endpoint": 3},
        {"jwks_uri": None},
    ],
)
async def test_a_provider_that_is_another_is_not_asked(oidc, provider, discovery):
    provider.discovery = discovery
    with pytest.raises(ProviderFailed):
        await oidc.depart("/")


async def test_a_wrong_client_secret_lets_nobody_in(world, oidc, provider):
    departure = await oidc.depart("/")
    said = await through(provider, departure.url)
    provider.secret = "changed"
    with pytest.raises(ProviderFailed):
        await oidc.arrive(said, state=departure.state, visitor=HERE)


@pytest.mark.parametrize("body", ["no json", "[]", None])
async def test_a_provider_that_does_not_answer_is_a_trouble_in_words(world, body):
    def answer(_: httpx.Request) -> httpx.Response:
        return httpx.Response(500) if body is None else httpx.Response(200, text=body)

    settings = Provider(issuer=ISSUER, client_id="parley", back=BACK)
    oidc = Oidc(
        world.database, world.provided, settings, now=world.clock, transport=httpx.MockTransport(answer)
    )
    with pytest.raises(ProviderFailed):
        await oidc.depart("/")


async def test_an_answer_without_an_id_token_lets_nobody_in(world, oidc, provider):
    provider.id_token = lambda _nonce: None
    with pytest.raises(ProviderFailed, match="no ID token"):
        await came(oidc, provider)


@pytest.mark.parametrize("path", ["/", "/t/abc", "/t/abc?x=1"])
def test_a_path_of_ours_is_gone_back_to(path):
    assert local_path(path) == path


@pytest.mark.parametrize(
    "path",
    [
        "",
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "\\\\evil",
        "/\t/evil.example",
        "evil",
        "/a\nb",
    ],
)
def test_a_path_that_leads_elsewhere_leads_to_the_first_page(path):
    assert local_path(path) == "/"


def test_a_providers_secret_is_not_printed():
    assert "hush" not in repr(Provider(issuer=ISSUER, client_id="c", client_secret="hush", back=BACK))


@pytest.mark.parametrize("claims", [{"sub": ""}, {"sub": 7}])
def test_claims_that_name_nobody_are_nobody(oidc, claims):
    with pytest.raises(ProviderFailed, match="names nobody"):
        oidc._claim(claims)
