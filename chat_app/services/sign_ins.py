"""Sign-ins of browsers: kept in SQL, named by a cookie that holds a random token, of which SQL holds the hash.

A sign-in ends when it is not used for some days, after some more days whatever happens, when it is revoked, and when
its person may no longer come in. It is asked about at every request and every event, so an end holds at once.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from http.cookies import SimpleCookie

from sqlalchemy.orm import Session

from chat_app.data import auth_sessions, users
from chat_app.data.db import Database
from chat_app.data.records import AuthSessionRecord, UserRecord
from chat_app.services.policy import Person

TOKEN_BYTES = 32
TOUCH_AFTER = timedelta(minutes=5)
LONGEST_DEVICE = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class CookieShape:
    """How the session cookie is named and how far it travels.

    A sign-in lasts `days` after its last use, and `most_days` at most.
    """

    name: str
    days: int
    secure: bool
    most_days: int = 90


@dataclass(frozen=True, slots=True)
class Visitor:
    """A browser that asks to come in: from which address, and what it calls itself."""

    address: str = ""
    device: str = ""


@dataclass(frozen=True, slots=True)
class SignIn:
    """A live sign-in: its id, whose it is, how they came in (local, password, link, oidc, proxy), and their name.

    `name` is the one they sign in with; the person's own is what they are called.
    """

    id: str
    person: Person
    way: str
    name: str


def hash_of(token: str) -> str:
    """Return what is kept of a token."""
    return sha256(token.encode()).hexdigest()


def new_token() -> str:
    """Return a secret that nobody can guess."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def read_cookie(header: str, name: str) -> str:
    """Return the value of cookie `name` in a Cookie header, or an empty string.

    Cookies know no ports: on localhost a browser also sends those of every other program there, of any form. Ours is
    found among them without judging the others.
    """
    pairs = (pair.strip().partition("=") for pair in header.split(";"))
    return next((value for key, _, value in pairs if key == name), "")


class SignIns:
    """Begins, finds and ends them. Synchronous: its callers run it in a worker thread."""

    def __init__(
        self,
        database: Database,
        cookie: CookieShape,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """Keep sign-ins in `database`."""
        self._database = database
        self._cookie = cookie
        self._now = now
        self._new_id = new_id

    def begin(self, session: Session, user: UserRecord, *, way: str, visitor: Visitor) -> bytes:
        """Store a sign-in and return the Set-Cookie value that carries it; it holds once this is committed."""
        now, token = self._now(), new_token()
        record = AuthSessionRecord(
            id=self._new_id(),
            user=user.id,
            token_hash=hash_of(token),
            created=now,
            expires_at=now + timedelta(days=self._cookie.days),
            last_seen=now,
            ends_at=now + timedelta(days=self._cookie.most_days),
            way=way,
            device=visitor.device[:LONGEST_DEVICE],
        )
        auth_sessions.create(session, record)
        return self._set_cookie(token, self._cookie.days * 86_400)

    def find(self, cookie_header: str) -> SignIn | None:
        """Return the live sign-in that a Cookie header names; its use is noted now and then."""
        token = read_cookie(cookie_header, self._cookie.name)
        if not token:
            return None
        now = self._now()
        with self._database.reading() as session:
            found = auth_sessions.find(session, hash_of(token), now=now)
            user = users.get(session, found.user) if found else None
        if found is None or user is None:
            return None
        if now - found.last_seen > TOUCH_AFTER:
            self._touch(found, now)
        return SignIn(found.id, Person(user.id, user.display_name, user.roles), found.way, user.name)

    def end(self, session: Session, sign_in: SignIn) -> None:
        """End a sign-in."""
        auth_sessions.revoke(session, sign_in.id, now=self._now())

    def farewell(self) -> bytes:
        """Return the Set-Cookie value that makes a browser forget its session."""
        return self._set_cookie("", 0)

    def _touch(self, found: AuthSessionRecord, now: datetime) -> None:
        """A session lives on while it is used; noted now and then, not at every request."""
        with self._database.transaction() as session:
            auth_sessions.touch(
                session, found.id, now=now, expires_at=now + timedelta(days=self._cookie.days)
            )

    def _set_cookie(self, token: str, seconds: int) -> bytes:
        jar: SimpleCookie = SimpleCookie()
        jar[self._cookie.name] = token
        morsel = jar[self._cookie.name]
        morsel["path"], morsel["httponly"], morsel["samesite"] = "/", True, "Lax"
        morsel["max-age"], morsel["secure"] = seconds, self._cookie.secure
        return morsel.OutputString().encode("latin-1")
