"""A small OpenID Connect provider: discovery, authorization code with PKCE, signed ID tokens. Tests say who is there.

It checks what a provider checks: the client, its secret, where a browser is sent back to, the code verifier, and that a
code is used once. `twist` lets a test change what is signed.
"""

import asyncio
import base64
import secrets
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from urllib.parse import urlencode

import uvicorn
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.support.processes import free_port


@dataclass
class Grant:
    """What was asked for when a code was given out."""

    nonce: str
    challenge: str
    back: str


@dataclass
class TestProvider:
    """The provider at `issuer`; `person` are the claims of whoever comes."""

    __test__ = False

    issuer: str
    now: Callable[[], float]
    back: str
    client: str = "parley"
    secret: str = "client-secret"
    person: dict = field(
        default_factory=lambda: {"sub": "s1", "email": "zoe@example.org", "email_verified": True}
    )
    twist: Callable[[dict], dict] = lambda claims: claims
    key: RSAKey = field(
        default_factory=lambda: RSAKey.generate_key(2048, {"kid": "k1", "use": "sig", "alg": "RS256"})
    )
    signing: RSAKey | None = None
    discovery: dict = field(default_factory=dict)
    refuses: bool = False
    grants: dict[str, Grant] = field(default_factory=dict)

    @property
    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/.well-known/openid-configuration", self.discovered),
                Route("/authorize", self.authorize),
                Route("/token", self.token, methods=["POST"]),
                Route("/keys", self.keys),
            ]
        )

    async def discovered(self, _: Request) -> Response:
        found = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
        }
        return JSONResponse(found | self.discovery)

    async def authorize(self, request: Request) -> Response:
        asked = request.query_params
        wanted = (
            asked["client_id"],
            asked["redirect_uri"],
            asked["response_type"],
            asked["code_challenge_method"],
        )
        assert wanted == (self.client, self.back, "code", "S256"), wanted
        assert "openid" in asked["scope"].split()
        if self.refuses:
            return RedirectResponse(
                f"{self.back}?{urlencode({'error': 'access_denied', 'state': asked['state']})}", 303
            )
        code = secrets.token_urlsafe(16)
        self.grants[code] = Grant(asked["nonce"], asked["code_challenge"], asked["redirect_uri"])
        return RedirectResponse(f"{self.back}?{urlencode({'code': code, 'state': asked['state']})}", 303)

    async def token(self, request: Request) -> Response:
        said = await request.form()
        basic = base64.b64encode(f"{self.client}:{self.secret}".encode()).decode()
        public = not self.secret and said.get("client_id") == self.client
        if not public and request.headers.get("authorization") != f"Basic {basic}":
            return JSONResponse({"error": "invalid_client"}, 401)
        grant = self.grants.pop(str(said["code"]), None)
        proof = sha256(str(said["code_verifier"]).encode()).digest()
        challenge = base64.urlsafe_b64encode(proof).decode().rstrip("=")
        if grant is None or (challenge, said["redirect_uri"]) != (grant.challenge, grant.back):
            return JSONResponse({"error": "invalid_grant"}, 400)
        return JSONResponse(
            {"access_token": "a", "token_type": "Bearer", "id_token": self.id_token(grant.nonce)}
        )

    async def keys(self, _: Request) -> Response:
        return JSONResponse(KeySet([self.key]).as_dict(private=False))

    def id_token(self, nonce: str) -> str:
        now = int(self.now())
        base = {"iss": self.issuer, "aud": self.client, "iat": now, "exp": now + 300, "nonce": nonce}
        return jwt.encode(
            {"alg": "RS256", "kid": "k1"}, self.twist(base | self.person), self.signing or self.key
        )


@asynccontextmanager
async def running_provider(back: str) -> AsyncIterator[TestProvider]:
    """Serve a provider on a port of its own until the block ends; it sends browsers back to `back`."""
    port = free_port()
    provider = TestProvider(f"http://localhost:{port}", time.time, back)
    server = uvicorn.Server(
        uvicorn.Config(provider.app, port=port, log_level="critical", lifespan="off", ws="none")
    )
    serving = asyncio.ensure_future(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
        await asyncio.sleep(0.01)
    try:
        yield provider
    finally:
        server.should_exit = True
        await serving
