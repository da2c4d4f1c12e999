import httpx
import pytest

from chat_app.services.addresses import PublicOnly, is_public, resolve


async def asked(url: str, *addresses: str) -> httpx.Request:
    """Return what is sent on when the name in `url` has these addresses."""
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        return httpx.Response(200)

    async def resolved(_host: str, _port: int) -> tuple[str, ...]:
        if not addresses:
            raise OSError
        return addresses

    async with httpx.AsyncClient(transport=PublicOnly(httpx.MockTransport(answer), resolved)) as client:
        await client.post(url, content=b"x")
    return sent[0]


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_request_goes_to_the_address_that_was_judged_under_its_own_name(scheme):
    request = await asked(f"{scheme}://agent.example/run", "93.184.216.34", "2606:4700::1")
    assert request.url == f"{scheme}://93.184.216.34/run"
    assert request.headers["host"] == "agent.example"
    assert request.extensions["sni_hostname"] == "agent.example"


@pytest.mark.parametrize(
    "addresses",
    [
        ("127.0.0.1",),
        ("93.184.216.34", "10.0.0.1"),
        ("169.254.169.254",),
        ("::1",),
        ("fe80::1%eth0",),
        ("::ffff:192.168.0.1",),
        ("224.0.0.1",),
        (),
    ],
)
async def test_nothing_is_sent_into_the_network_of_the_server(addresses):
    with pytest.raises(httpx.ConnectError, match=r"agent\.example"):
        await asked("http://agent.example/", *addresses)


async def test_the_system_knows_the_addresses_of_this_machine():
    assert "127.0.0.1" in await resolve("127.0.0.1", 80)
    assert not is_public("nonsense")
