"""What a proxy in front may say about a browser: its address, and, when it signs people in, who it is.

A header is believed only when the connection comes from a configured address; a person only when the proxy also knows
the shared secret. Anybody can send a header.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Network, ip_address

SECRET_HEADER = b"x-parley-proxy-secret"
FORWARDED_FOR = b"x-forwarded-for"

Headers = Mapping[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Vouched:
    """Who a proxy says a browser is: the name it knows them by, and their groups."""

    name: str
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxies:
    """The proxies in front. Without a secret they vouch for nobody."""

    networks: Sequence[IPv4Network | IPv6Network] = ()
    secret: str = ""
    user_header: str = "x-forwarded-user"
    groups_header: str = "x-forwarded-groups"

    def trusts(self, address: str) -> bool:
        """Return whether a connection comes from one of the proxies."""
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(found in network for network in self.networks if found.version == network.version)

    def address(self, peer: str, headers: Headers) -> str:
        """Return where a browser is: the last of the forwarded addresses that is no proxy of ours."""
        if not self.trusts(peer):
            return peer
        named = [one.strip() for one in headers.get(FORWARDED_FOR, b"").decode("latin-1").split(",")]
        return next((one for one in reversed(named) if one and not self.trusts(one)), peer)

    def vouched(self, peer: str, headers: Headers) -> Vouched | None:
        """Return who the proxy vouches for; None when it is no proxy of ours, or names nobody."""
        given = headers.get(SECRET_HEADER, b"")
        if not (self.secret and self.trusts(peer) and secrets.compare_digest(given, self.secret.encode())):
            return None
        name = _said(headers, self.user_header).strip()
        if not name:
            return None
        groups = (group.strip() for group in _said(headers, self.groups_header).split(","))
        return Vouched(name, tuple(group for group in groups if group))


def _said(headers: Headers, name: str) -> str:
    """Return a header as text: proxies send names as UTF-8."""
    return headers.get(name.lower().encode(), b"").decode("utf-8", "replace")
