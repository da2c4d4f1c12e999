"""Who stands behind a connection: by its session, in single-user mode, or by the word of a proxy."""

from starlette.types import Scope

from chat_app.services.accounts import Accounts
from chat_app.services.provided import Claim, Provided
from chat_app.services.proxy import Proxies, Vouched
from chat_app.services.sign_ins import SignIn, Visitor

PROXY = "proxy"
"""The issuer of identities that a proxy vouches for, and the way in."""


class Entrance:
    """Finds the sign-in of a connection; a page may be given a new one."""

    def __init__(self, accounts: Accounts, provided: Provided, proxies: Proxies) -> None:
        """Look in `accounts`; let in by `provided` whom `proxies` vouch for."""
        self._accounts = accounts
        self._provided = provided
        self._proxies = proxies

    async def look(self, scope: Scope, cookies: str, *, page: bool) -> tuple[SignIn | None, bytes | None]:
        """Return the sign-in of a connection, and for a `page` without one the Set-Cookie value of a new one.

        Raises:
            ProviderFailed: the proxy vouches for somebody who may not come in.
            DataError: the database does not answer.
        """
        found = await self._accounts.signed_in(cookies)
        if self._accounts.ways.proxy:
            return await self._by_proxy(scope, found, page=page)
        if found is None and page and self._accounts.ways.single:
            return None, await self._accounts.sign_in_local(self.visitor(scope))
        return found, None

    def visitor(self, scope: Scope) -> Visitor:
        """Return where a browser is and what it calls itself."""
        headers = dict(scope["headers"])
        device = headers.get(b"user-agent", b"").decode("latin-1")
        return Visitor(self._proxies.address(_peer(scope), headers), device)

    async def _by_proxy(
        self, scope: Scope, found: SignIn | None, *, page: bool
    ) -> tuple[SignIn | None, bytes | None]:
        """Let the proxy's word decide: who it no longer vouches for is out, who it vouches for now is in."""
        vouched = self._proxies.vouched(_peer(scope), dict(scope["headers"]))
        if found is not None and found.way == PROXY and not _is(found, vouched):
            found = None
        if found is not None or vouched is None or not page:
            return found, None
        claim = Claim(issuer=PROXY, subject=vouched.name, name=vouched.name, groups=vouched.groups)
        return None, await self._provided.come_in(claim, way=PROXY, visitor=self.visitor(scope))


def _is(found: SignIn, vouched: Vouched | None) -> bool:
    return vouched is not None and vouched.name.strip().casefold() == found.name


def _peer(scope: Scope) -> str:
    client = scope.get("client")
    return client[0] if client else ""
