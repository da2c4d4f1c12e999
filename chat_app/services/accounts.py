"""Who is asking: sessions of browsers, kept in SQL and named by a cookie.

In single-user mode there is one local user with every role, and every browser that opens a page is signed in as it;
the server listens on loopback only. A session is a random token in an HttpOnly cookie; SQL holds its hash.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from http.cookies import SimpleCookie

from chat_app.data import auth_sessions, users
from chat_app.data.db import Database
from chat_app.data.records import AuthSessionRecord, UserRecord
from chat_app.services.policy import Person

LOCAL_NAME = "local"
LOCAL_DISPLAY_NAME = "You"
EVERY_ROLE = ("user", "approver", "auditor", "admin")
TOKEN_BYTES = 32
TOUCH_AFTER = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class CookieShape:
    """How the session cookie is named and how far it travels."""

    name: str
    days: int
    secure: bool


def read_cookie(header: str, name: str) -> str:
    """Return the value of cookie `name` in a Cookie header, or an empty string.

    Cookies know no ports: on localhost a browser also sends those of every other program there, of any form. Ours is
    found among them without judging the others.
    """
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


class Accounts:
    """Sign in, and find out who a cookie belongs to."""

    def __init__(
        self,
        database: Database,
        cookie: CookieShape,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """Keep sessions in `database`."""
        self._database = database
        self._cookie = cookie
        self._now = now
        self._new_id = new_id

    async def start(self) -> None:
        """Make sure the local user exists."""
        await asyncio.to_thread(self._ensure_local)

    async def person_of(self, cookie_header: str) -> Person | None:
        """Return who a Cookie header stands for; None without a live session."""
        token = read_cookie(cookie_header, self._cookie.name)
        return await asyncio.to_thread(self._find, _hash(token)) if token else None

    async def sign_in_local(self) -> bytes:
        """Start a session of the local user and return the Set-Cookie value that carries it."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        await asyncio.to_thread(self._start_session, _hash(token))
        return self._set_cookie(token)

    def _ensure_local(self) -> UserRecord:
        with self._database.transaction() as session:
            user = UserRecord(
                id=self._new_id(),
                name=LOCAL_NAME,
                display_name=LOCAL_DISPLAY_NAME,
                roles=EVERY_ROLE,
                created=self._now(),
            )
            return users.ensure(session, user)

    def _start_session(self, token_hash: str) -> None:
        user, now = self._ensure_local(), self._now()
        with self._database.transaction() as session:
            auth_sessions.create(
                session,
                AuthSessionRecord(
                    id=self._new_id(),
                    user=user.id,
                    token_hash=token_hash,
                    created=now,
                    expires_at=now + timedelta(days=self._cookie.days),
                    last_seen=now,
                ),
            )

    def _find(self, token_hash: str) -> Person | None:
        now = self._now()
        with self._database.reading() as session:
            found = auth_sessions.find(session, token_hash, now=now)
            user = users.get(session, found.user) if found else None
        if found is None or user is None or not user.active:
            return None
        if now - found.last_seen > TOUCH_AFTER:
            self._touch(found, now)
        return Person(user.id, user.display_name, user.roles)

    def _touch(self, found: AuthSessionRecord, now: datetime) -> None:
        """A session lives on while it is used; noted now and then, not at every request."""
        with self._database.transaction() as session:
            auth_sessions.touch(
                session, found.id, now=now, expires_at=now + timedelta(days=self._cookie.days)
            )

    def _set_cookie(self, token: str) -> bytes:
        jar: SimpleCookie = SimpleCookie()
        jar[self._cookie.name] = token
        morsel = jar[self._cookie.name]
        morsel["path"], morsel["httponly"], morsel["samesite"] = "/", True, "Lax"
        morsel["max-age"], morsel["secure"] = self._cookie.days * 86_400, self._cookie.secure
        return morsel.OutputString().encode("latin-1")


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
