"""Keeps agents that people add from reaching into the network the server stands in.

A name is resolved when a connection is made, every address it has must be a public one, and the connection goes to the
address that was judged: a name that answers otherwise a moment later gains nothing.
"""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Sequence

import httpx

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name."""


async def resolve(host: str, port: int) -> Sequence[str]:
    """Return the addresses of a name, as the system knows them.

    Raises:
        OSError: it has none.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(entry[4][0]) for entry in found]


def is_public(address: str) -> bool:
    """Return whether an address is of the open internet: no loopback, private, link-local or reserved one.

    >>> [is_public(one) for one in ("8.8.8.8", "127.0.0.1", "10.1.2.3", "169.254.169.254", "::ffff:10.0.0.1", "x")]
    [True, False, False, False, False, False]
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    inner = getattr(found, "ipv4_mapped", None) or found
    return inner.is_global and not inner.is_multicast


class NotPublic(httpx.ConnectError):
    """A name has an address that is not a public one."""


class PublicOnly(httpx.AsyncBaseTransport):
    """Sends requests to public addresses alone."""

    def __init__(self, inner: httpx.AsyncBaseTransport, resolve: Resolve = resolve) -> None:
        """Send by `inner` what goes to where `resolve` says."""
        self._inner = inner
        self._resolve = resolve

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request to the address that was judged; the name stays in Host, and TLS is judged by it.

        Raises:
            httpx.ConnectError: the name has no address; `NotPublic`: it has one that is not public.
        """
        host = request.url.host
        address = await self._judged(host, request)
        pinned = httpx.Request(
            request.method,
            request.url.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions={**request.extensions, "sni_hostname": host},
        )
        return await self._inner.handle_async_request(pinned)

    async def aclose(self) -> None:
        """Close what sends."""
        await self._inner.aclose()

    async def _judged(self, host: str, request: httpx.Request) -> str:
        port = request.url.port or (443 if request.url.scheme == "https" else 80)
        try:
            addresses = await self._resolve(host, port)
        except OSError as error:
            raise httpx.ConnectError(f"{host} has no address", request=request) from error
        if not addresses or not all(map(is_public, addresses)):
            raise NotPublic(f"{host} is not at a public address", request=request)
        return addresses[0]
