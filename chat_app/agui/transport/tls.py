"""The certificates that connections to agents trust."""

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """Return the settings of TLS that every pool of the process shares.

    They hold the whole store of certificates: to read it takes 30 ms of the event loop each time.

    >>> httpx.AsyncClient(verify=trusted())
    <httpx.AsyncClient object at ...>
    """
    return httpx.create_ssl_context()
