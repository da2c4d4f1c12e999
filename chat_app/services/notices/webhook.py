"""Posts notices to where admins want them: signed, to public addresses, following nobody elsewhere."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from urllib.parse import urlsplit

import httpx
from pydantic import JsonValue

from chat_app.agui import trusted
from chat_app.data import webhooks
from chat_app.data.db import Database
from chat_app.data.records import WebhookRecord
from chat_app.services.addresses import NotPublic, PublicOnly
from chat_app.services.keyring import Keyring
from chat_app.services.notices.kinds import Notice, NotSent
from chat_app.services.notices.signing import signed
from chat_app.services.problems import HeadersLost
from chat_app.services.rows import iso

WITHIN_S = 15.0
"""How long one post may take, from looking up the name to the last header of the answer."""
OVERLAP = timedelta(hours=24)
"""How long a secret still signs after another took its place."""
PASSING = frozenset({408, 425, 429})
"""Refusals that pass by themselves; any other below 500 stays one."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where to post to, and the secrets that sign: the present one, and for a day the one before."""

    url: str = field(repr=False)
    secret: str = field(repr=False)
    before: str = field(default="", repr=False)
    changed: str = ""

    def known_by(self, now: datetime) -> list[str]:
        """Return the secrets that a receiver may know at `now`."""
        overlaps = self.before and now < datetime.fromisoformat(self.changed) + OVERLAP
        return [self.secret, self.before] if overlaps else [self.secret]


def sealed(keyring: Keyring, target: Target) -> str:
    """Return a target as it may be stored."""
    kept = keyring.sealed(
        {"url": target.url, "secret": target.secret, "before": target.before, "changed": target.changed}
    )
    assert kept is not None  # it is never empty
    return kept


def target_of(keyring: Keyring, hook: WebhookRecord) -> Target:
    """Return where a webhook posts to.

    Raises:
        HeadersLost: it was stored under another key.
    """
    return Target(**keyring.opened(hook.sealed))


def place_of(url: str) -> str:
    """Return what may be shown of an address: path and query may hold secrets.

    >>> place_of("https://hooks.example:8443/services/T0/xyz?key=1")
    'https://hooks.example:8443'
    """
    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{port}"


class WebhookChannel:
    """Posts to webhooks by their ids."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        keyring: Keyring,
        *,
        now: Callable[[], datetime],
        private: bool = False,
        transport: httpx.AsyncBaseTransport | None = None,
        within: float = WITHIN_S,
    ) -> None:
        """Read webhooks from `database`; with `private`, addresses that are not public are posted to as well."""
        self._database = database
        self._keyring = keyring
        self._now = now
        self._within = within
        inner = transport or httpx.AsyncHTTPTransport(verify=trusted())
        self._client = httpx.AsyncClient(
            transport=inner if private else PublicOnly(inner),
            timeout=within,
            follow_redirects=False,
            cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            trust_env=False,
        )

    async def aclose(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def send(self, target: str, notice: Notice) -> str:
        """Post a notice to the webhook with the id `target`; return how it was answered.

        Raises:
            NotSent: it was not taken.
        """
        hook = await asyncio.to_thread(self._hook, target)
        if hook is None or not hook.enabled:
            raise NotSent("off", fate="dropped")
        try:
            there = target_of(self._keyring, hook)
        except HeadersLost as error:
            raise NotSent("key_lost", fate="failed") from error
        return await self._post(there, notice)

    async def _post(self, there: Target, notice: Notice) -> str:
        now, body = self._now(), as_json(notice)
        headers = {
            "content-type": "application/json",
            "user-agent": "Parley",
            **signed(body, key=notice.id, at=int(now.timestamp()), known_by=there.known_by(now)),
        }
        try:
            async with (
                asyncio.timeout(self._within),
                self._client.stream("POST", there.url, content=body, headers=headers) as answer,
            ):
                return self._judged(answer)
        except NotPublic as error:
            raise NotSent("not_public", fate="failed") from error
        except (TimeoutError, httpx.TimeoutException) as error:
            raise NotSent("timeout") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise NotSent("unreachable") from error

    def _judged(self, answer: httpx.Response) -> str:
        code = f"http:{answer.status_code}"
        if answer.is_success:
            return code
        passes = answer.is_server_error or answer.status_code in PASSING
        after = seconds_of(answer.headers.get("retry-after", ""), self._now())
        raise NotSent(code, fate="again" if passes else "failed", after=after)

    def _hook(self, webhook_id: str) -> WebhookRecord | None:
        with self._database.reading() as session:
            return webhooks.get(session, webhook_id)


def as_json(notice: Notice) -> bytes:
    """Return the body of a post: the kind, when it happened, and the ids; names where there are any."""
    data: dict[str, JsonValue] = {
        "question": notice.question,
        "thread": notice.thread,
        "agent": notice.agent,
        "link": notice.link,
        "people": [one.id for one in notice.people],
        "expires_at": iso(notice.expires_at),
        "by": notice.by,
        "decision": notice.decision,
    }
    names: dict[str, JsonValue] = {one.id: one.name for one in notice.people if one.name}
    more: dict[str, JsonValue] = {"tool": notice.tool, "title": notice.title, "names": names}
    told = {name: value for name, value in (data | more).items() if value}
    body = {"type": f"question.{notice.kind}", "timestamp": iso(notice.at), "data": told}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def seconds_of(header: str, now: datetime) -> float:
    """Return the seconds that a Retry-After asks for, 0 where it is none.

    >>> seconds_of("120", datetime.now(UTC)), seconds_of("soon", datetime.now(UTC))
    (120.0, 0.0)
    """
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        at = parsedate_to_datetime(header)
    except ValueError:
        return 0.0
    aware = at if at.tzinfo is not None else at.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())
