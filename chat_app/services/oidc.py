"""Sign-in by an OpenID Connect provider: discovery, authorization code with PKCE (S256), a verified ID token.

What a browser must bring back is kept here and taken once: `state` in SQL and in a cookie of that browser, so that
nobody is signed in as somebody else by a link; `nonce` in the ID token; the code verifier, which never leaves us.
"""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote_plus, urlsplit

import httpx
from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from chat_app.agui import trusted
from chat_app.data import sign_in_attempts
from chat_app.data.db import Database
from chat_app.data.records import SignInAttemptRecord
from chat_app.services.problems import ProviderFailed
from chat_app.services.provided import Claim, Provided
from chat_app.services.sign_ins import Visitor, hash_of, new_token

DISCOVERY = "/.well-known/openid-configuration"
ATTEMPT_LASTS = timedelta(minutes=10)
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
"""Signatures that only the provider can make; never one that our own secret could make, and never none."""
LEEWAY_S = 60
WAIT_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """The provider as settings name it, and where it sends browsers back to."""

    issuer: str
    client_id: str
    client_secret: str = field(default="", repr=False)
    scopes: str = "openid profile email"
    groups_claim: str = "groups"
    back: str


@dataclass(frozen=True, slots=True)
class Departure:
    """Where a browser goes to sign in, and the state it must bring back."""

    url: str
    state: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """A browser that came back: the Set-Cookie value of its session, and where it wanted to go.

    There is no cookie for who was signed in already and connected who they are there.
    """

    cookie: bytes
    back: str


class Oidc:
    """Sends browsers to the provider and takes them back."""

    def __init__(
        self,
        database: Database,
        provided: Provided,
        provider: Provider,
        *,
        now: Callable[[], datetime],
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Keep attempts in `database`; reach the provider over `transport` (None: the network)."""
        self._database = database
        self._provided = provided
        self._provider = provider
        self._now = now
        self._transport = transport

    async def depart(self, back: str, *, user: str | None = None) -> Departure:
        """Return where to send a browser that wants to go to the path `back`.

        With the id of a `user` it goes there to connect who they are at the provider.

        Raises:
            ProviderFailed: the provider cannot be asked.
        """
        verifier, nonce, state = secrets.token_urlsafe(48), new_token(), new_token()
        async with self._client() as client:
            found = await self._discovered(client)
        url: str = prepare_grant_uri(
            found["authorization_endpoint"],
            self._provider.client_id,
            "code",
            redirect_uri=self._provider.back,
            scope=self._provider.scopes,
            state=state,
            nonce=nonce,
            code_challenge=create_s256_code_challenge(verifier),
            code_challenge_method="S256",
        )
        attempt = SignInAttemptRecord(
            state_hash=hash_of(state),
            nonce=nonce,
            verifier=verifier,
            back=local_path(back),
            user=user,
            expires_at=self._now() + ATTEMPT_LASTS,
        )
        await asyncio.to_thread(self._begin, attempt)
        return Departure(url, state)

    async def arrive(
        self, said: Mapping[str, str], *, state: str, visitor: Visitor, user: str | None = None
    ) -> Arrival:
        """Sign in a browser that comes back with `said` (the query) and the `state` of its cookie.

        Who left to connect who they are there (`user`, as they are signed in now) is connected instead.

        Raises:
            ProviderFailed: the provider did not vouch for it, or this is not the browser, or person, that left.
        """
        if not state or not secrets.compare_digest(said.get("state", "").encode(), state.encode()):
            raise ProviderFailed("another browser left than came back")
        attempt = await asyncio.to_thread(self._take, hash_of(state))
        if attempt is None:
            raise ProviderFailed("nobody left, or too long ago")
        if "code" not in said:
            raise ProviderFailed(f"the provider said {said.get('error', 'nothing')[:200]}")
        claim = self._claim(await self._claims(said["code"], attempt))
        if attempt.user is None:
            return Arrival(await self._provided.come_in(claim, way="oidc", visitor=visitor), attempt.back)
        if attempt.user != user:
            raise ProviderFailed("another person came back than left")
        await self._provided.connect(attempt.user, claim)
        return Arrival(b"", attempt.back)

    async def connected(self, user: str) -> bool:
        """Return whether a person is known at the provider."""
        return await self._provided.known_at(user, self._provider.issuer)

    async def disconnect(self, user: str) -> None:
        """Forget who a person is at the provider.

        Raises:
            Refused: they are nobody there, or could not sign in any more.
        """
        await self._provided.disconnect(user, self._provider.issuer)

    # ------------------------------------------------------------ the provider

    def _client(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            verify=trusted(), transport=self._transport, timeout=WAIT_S, follow_redirects=False
        )

    async def _discovered(self, client: httpx.AsyncClient) -> dict[str, Any]:
        found = await _document(client.get(f"{self._provider.issuer.rstrip('/')}{DISCOVERY}"))
        if found.get("issuer") != self._provider.issuer:
            raise ProviderFailed(f"the provider calls itself {found.get('issuer')!r}")
        missing = [name for name in ENDPOINTS if not isinstance(found.get(name), str)]
        if missing:
            raise ProviderFailed(f"the provider does not name its {missing[0]}")
        return found

    async def _claims(self, code: str, attempt: SignInAttemptRecord) -> dict[str, Any]:
        async with self._client() as client:
            found = await self._discovered(client)
            tokens = await self._exchanged(client, found["token_endpoint"], code, attempt.verifier)
            keys = await _document(client.get(found["jwks_uri"]))
        return self._verified(tokens.get("id_token"), keys, nonce=attempt.nonce)

    async def _exchanged(
        self, client: httpx.AsyncClient, url: str, code: str, verifier: str
    ) -> dict[str, Any]:
        """Return what the provider gives for a code (RFC 6749 §4.1.3, RFC 7636 §4.5)."""
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self._provider.back,
            "code_verifier": verifier,
        }
        name, secret = self._provider.client_id, self._provider.client_secret
        if not secret:
            return await _document(client.post(url, data=fields | {"client_id": name}))
        # both are form-encoded before they become one header (RFC 6749 §2.3.1)
        basic = httpx.BasicAuth(quote_plus(name), quote_plus(secret))
        return await _document(client.post(url, data=fields, auth=basic))

    def _verified(self, token: object, keys: dict[str, Any], *, nonce: str) -> dict[str, Any]:
        """Return the claims of an ID token that this provider made for us, now, and for this attempt."""
        if not isinstance(token, str):
            raise ProviderFailed("there is no ID token")
        wanted = jwt.JWTClaimsRegistry(
            now=lambda: int(self._now().timestamp()),
            leeway=LEEWAY_S,
            iss={"essential": True, "value": self._provider.issuer},
            aud={"essential": True, "value": self._provider.client_id},
            sub={"essential": True},
            exp={"essential": True},
            iat={"essential": True},
            nonce={"essential": True, "value": nonce},
        )
        try:
            read = jwt.decode(token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)  # type: ignore[arg-type]
            wanted.validate(read.claims)
        except (JoseError, ValueError, KeyError, TypeError) as error:
            raise ProviderFailed(f"the ID token does not hold: {error}") from error
        return read.claims

    def _claim(self, claims: dict[str, Any]) -> Claim:
        subject, groups = claims["sub"], claims.get(self._provider.groups_claim, [])
        if not isinstance(subject, str) or not subject:
            raise ProviderFailed("the ID token names nobody")
        listed = groups if isinstance(groups, list) else [groups]
        return Claim(
            issuer=self._provider.issuer,
            subject=subject,
            name=_name(claims) or subject,
            display_name=str(claims.get("name") or ""),
            groups=tuple(group for group in listed if isinstance(group, str)),
        )

    # ------------------------------------------------------------ in a worker thread

    def _begin(self, attempt: SignInAttemptRecord) -> None:
        with self._database.transaction() as session:
            sign_in_attempts.begin(session, attempt, now=self._now())

    def _take(self, state_hash: str) -> SignInAttemptRecord | None:
        with self._database.transaction() as session:
            return sign_in_attempts.take(session, state_hash, now=self._now())


ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")


async def _document(asking: Awaitable[httpx.Response]) -> dict[str, Any]:
    """Return the JSON object the provider answers with.

    Raises:
        ProviderFailed: it does not answer with one.
    """
    try:
        answer = await asking
        answer.raise_for_status()
        found = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        raise ProviderFailed(f"the provider does not answer: {error}") from error
    if not isinstance(found, dict):
        raise ProviderFailed("the provider does not answer with a JSON object")
    return found


def _name(claims: Mapping[str, Any]) -> str:
    """Return what to call a person: an address the provider has verified, else the name they prefer."""
    verified = claims.get("email") if claims.get("email_verified") is True else None
    return str(verified or claims.get("preferred_username") or "")


def local_path(path: str) -> str:
    """Return a path of this server; anything that leads elsewhere becomes the first page.

    Browsers read a backslash as a slash, and skip tabs and line ends.
    """
    parts = urlsplit(path)
    plain = path.isprintable() and "\\" not in path
    ours = (
        plain and path.startswith("/") and not path.startswith("//") and not parts.netloc and not parts.scheme
    )
    return path if ours else "/"
