from ipaddress import ip_network

import pytest

from chat_app.services.proxy import Proxies, Vouched

PROXIES = Proxies(networks=(ip_network("10.0.0.0/8"), ip_network("fd00::/8")), secret="hush")
SAID = {
    b"x-parley-proxy-secret": b"hush",
    b"x-forwarded-user": "Zo\u00eb".encode(),
    b"x-forwarded-groups": b"a, b ,,c",
}


def test_a_known_proxy_that_knows_the_secret_vouches():
    for peer in ("10.1.2.3", "fd00::1", "fd00::1%eth0"):
        assert PROXIES.vouched(peer, SAID) == Vouched("Zo\u00eb", ("a", "b", "c"))


@pytest.mark.parametrize("peer", ["192.0.2.1", "", "nonsense", "::1", "127.0.0.1"])
def test_nobody_else_vouches_whatever_they_send(peer):
    assert PROXIES.vouched(peer, SAID) is None


@pytest.mark.parametrize("secret", [b"", b"hus", b"hush ", b"HUSH"])
def test_a_proxy_without_the_secret_is_not_believed(secret):
    assert PROXIES.vouched("10.0.0.1", {**SAID, b"x-parley-proxy-secret": secret}) is None


def test_without_a_secret_of_ours_nobody_vouches():
    nobody = Proxies(networks=PROXIES.networks)
    assert nobody.vouched("10.0.0.1", {**SAID, b"x-parley-proxy-secret": b""}) is None


@pytest.mark.parametrize("user", [b"", b"  "])
def test_a_proxy_that_names_nobody_vouches_for_nobody(user):
    assert PROXIES.vouched("10.0.0.1", {**SAID, b"x-forwarded-user": user}) is None


@pytest.mark.parametrize(
    ("peer", "forwarded", "address"),
    [
        ("192.0.2.1", b"203.0.113.9", "192.0.2.1"),
        ("10.0.0.1", b"203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", b"6.6.6.6, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", b"10.0.0.2", "10.0.0.1"),
        ("10.0.0.1", b"", "10.0.0.1"),
    ],
)
def test_a_browser_is_where_the_last_proxy_of_ours_saw_it(peer, forwarded, address):
    assert PROXIES.address(peer, {b"x-forwarded-for": forwarded}) == address
