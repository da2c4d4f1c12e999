"""The ASGI guard in front of everything: which Host, which Origin, which session.

- Host must be on the allow-list (else 421): with DNS rebinding, Origin and Host agree, so Origin alone proves nothing.
- A WebSocket or an unsafe method must come from our own Origin (else 403): the one people open this Host by, scheme
  and all, which behind a proxy is not what the connection tells.
- `/_event`, `/_upload` and `/api/…` need a session (else 401). A page is given one in single-user mode and by a proxy
  that vouches for its browser; otherwise it leads to the sign-in.
- Who asks cannot be found out while the database is away: then the answer is 503, and a WebSocket tries again.
- `/agent` is for programs: it takes a bearer token instead and judges it itself (`/awkward` exists in tests only).
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping
from urllib.parse import quote
from uuid import uuid4

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from chat_app.services.policy import Person
from chat_app.services.problems import WORDED, ProviderFailed, problem_of
from chat_app.services.sign_ins import SignIn
from chat_app.web.entrance import Entrance

_log = structlog.get_logger(__name__)

LONGEST_ID = 100
UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})
NEEDS_SESSION = ("/_event", "/_upload", "/api/")
KNOWS_SESSION = ("/auth/", "/account", "/sign-in", "/join/", "/admin")
"""What says by itself who may come."""
OPEN = ("/agent", "/awkward")
SIGN_IN = "/sign-in"
LIVE = "/api/live"
# Scripts and styles of the built page stand in its HTML; nothing is ever evaluated from a string.
POLICY = (
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)
SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
)
SENTENCES = {
    421: b"This address is not one Parley answers to. Open it by the URL printed at start, or set PARLEY_PUBLIC_URL.",
    403: b"The request came from another site and was refused.",
    401: b"Sign in first.",
    503: b"The database does not answer. Try again in a moment.",
}

Headers = dict[bytes, bytes]


class Guard:
    """Let through what may pass; answer the rest with a status and a sentence."""

    def __init__(
        self, app: ASGIApp, *, entrance: Entrance, origins: Mapping[str, str], images: Iterable[str] = ()
    ) -> None:
        """Guard `app`; pages may show `images` of these hosts.

        `origins` are the allowed values of Host, with port, lower case, and the Origin of each.
        """
        self._app = app
        self._entrance = entrance
        self._origins = origins
        self._policy = policy_of(images)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Judge one connection."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers: Headers = dict(scope["headers"])
        # every line that is logged on the way names the request
        with bound_contextvars(request=_request_id(headers)):
            if status := self._refusal(scope, headers):
                _log.info("request_refused", path=_shown(scope["path"]), status=status)
                await _deny(scope["type"], status, receive, send)
                return
            await self._with_session(scope, headers, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> int:
        origin = self._origins.get(headers.get(b"host", b"").decode("latin-1").lower())
        if origin is None:
            return 421
        if _is_open(scope["path"]):
            return 0
        careful = scope["type"] == "websocket" or scope["method"] in UNSAFE
        return 403 if careful and not _is_ours(headers, origin) else 0

    async def _with_session(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        path = scope["path"]
        needed = path.startswith(NEEDS_SESSION)
        page = scope["type"] == "http" and b"text/html" in headers.get(b"accept", b"")
        if _is_open(path) or not (needed or page or path.startswith(KNOWS_SESSION)):
            await self._app(scope, receive, _with_headers(send, None, self._policy))
            return
        try:
            sign_in, cookie = await self._entrance.look(scope, _cookies(scope), page=page and not needed)
        except ProviderFailed as error:
            _log.warning("not_let_in", why=error.why)
            await _deny(scope["type"], 403, receive, send)
            return
        except WORDED as error:
            problem_of(error)
            await _deny(scope["type"], 503, receive, send)
            return
        if sign_in is None and cookie is None and not path.startswith(KNOWS_SESSION):
            await self._turn_away(scope, receive, send, page=page and not needed)
            return
        _introduce(scope, sign_in)
        with bound_contextvars(user=sign_in.person.id if sign_in is not None else ""):
            await self._app(scope, receive, _with_headers(send, cookie, self._policy))

    async def _turn_away(self, scope: Scope, receive: Receive, send: Send, *, page: bool) -> None:
        """Lead a page to the sign-in; tell the live channel why it is closed; refuse the rest."""
        if page:
            await _redirect(f"{SIGN_IN}?back={quote(scope['path'])}", send)
        elif scope["type"] == "websocket" and scope["path"] == LIVE:
            # a handshake that is refused tells a browser nothing, and it would try for ever
            await receive()
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": 4401})
        else:
            await _deny(scope["type"], 401, receive, send)


def policy_of(images: Iterable[str]) -> bytes:
    """Return the content security policy of a page that may show images of these hosts."""
    shown = " ".join(["img-src 'self' data:", *images])
    return "; ".join([*POLICY, shown]).encode()


def _request_id(headers: Headers) -> str:
    """Return the id a proxy gave the request, when it is one to log, else a new one."""
    given = headers.get(b"x-request-id", b"").decode("latin-1")
    return given if given.isascii() and given.isprintable() and 0 < len(given) <= LONGEST_ID else uuid4().hex


def _shown(path: str) -> str:
    """Return a path as it may be logged: a link that works once is a secret."""
    return "/join/…" if path.startswith("/join/") else path[:200]


def _introduce(scope: Scope, sign_in: SignIn | None) -> None:
    scope.setdefault("state", {})["sign_in"] = sign_in


def sign_in_of(scope: Scope) -> SignIn | None:
    """Return the sign-in that the guard found behind this connection."""
    found = scope.get("state", {}).get("sign_in")
    return found if isinstance(found, SignIn) else None


def person_of(scope: Scope) -> Person | None:
    """Return who the guard found behind this connection."""
    found = sign_in_of(scope)
    return found.person if found is not None else None


def _is_open(path: str) -> bool:
    return any(path == root or path.startswith(f"{root}/") for root in OPEN)


def _cookies(scope: Scope) -> str:
    """Return all cookies as one header; HTTP/2 may send each in one of its own (RFC 9113 §8.2.3)."""
    crumbs = [value for name, value in scope["headers"] if name == b"cookie"]
    return b"; ".join(crumbs).decode("latin-1")


def _is_ours(headers: Headers, ours: str) -> bool:
    origin = headers.get(b"origin", b"").decode("latin-1")
    if not origin:
        return headers.get(b"sec-fetch-site", b"none") in (b"none", b"same-origin")
    return origin.lower() == ours


def _with_headers(send: Send, cookie: bytes | None, policy: bytes) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            named = (b"content-security-policy", policy)
            extra = [*SECURITY_HEADERS, named, *([(b"set-cookie", cookie)] if cookie else [])]
            message = {**message, "headers": [*message.get("headers", ()), *extra]}
        await send(message)

    return sending


async def _redirect(place: str, send: Send) -> None:
    headers = [(b"location", place.encode()), (b"content-length", b"0"), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _deny(kind: str, status: int, receive: Receive, send: Send) -> None:
    if kind == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 4000 + status})
        return
    body = SENTENCES[status]
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
