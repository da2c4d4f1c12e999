"""Who is asking, and how people come in and go.

In single-user mode there is one local user with every role, and every browser that opens a page is signed in as it;
the server listens on loopback only. With accounts on, a person comes in by a password, by a link that works once, by
a provider (`oidc.py`), or by a proxy that vouches for them (`proxy.py`).
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from chat_app.data import audit, auth_sessions, invitations, passwords, users
from chat_app.data.db import Database
from chat_app.data.records import AuthSessionRecord, InvitationRecord, PasswordRecord, UserRecord
from chat_app.services.passwords import Passwords, fit
from chat_app.services.policy import Person, Refused, claimed
from chat_app.services.problems import BadName, LinkOver, NameTaken, WrongPassword
from chat_app.services.rates import Rates
from chat_app.services.rules import EVERY_ROLE
from chat_app.services.sign_ins import CookieShape, SignIn, SignIns, Visitor, hash_of, read_cookie
from chat_app.services.watch import Watch

__all__ = ["EVERY_ROLE", "Accounts", "CookieShape", "Ways", "read_cookie"]

LOCAL_NAME = "local"
LOCAL_DISPLAY_NAME = "You"
LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """How people may come in. Without any, there is one local user."""

    password: bool = False
    provider: str = ""
    """What the sign-in provider is called; empty: there is none."""
    proxy: bool = False

    @property
    def single(self) -> bool:
        """Whether everybody who reaches the server is the local user."""
        return not (self.password or self.provider or self.proxy)


@dataclass(frozen=True, slots=True)
class Welcome:
    """What a link that works once offers: an account with a chosen name (or `name`), or a new password for `name`."""

    kind: str
    name: str


class Accounts:
    """Sign in and out, keep one's password and sign-ins, and find out who a cookie belongs to."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        cookie: CookieShape,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        ways: Ways | None = None,
        rates: Rates | None = None,
        hashes: Passwords | None = None,
    ) -> None:
        """Keep people and their sign-ins in `database`."""
        self._database = database
        self._now = now
        self._new_id = new_id
        self.ways = ways or Ways()
        self.rates = rates or Rates()
        self._hashes = hashes or Passwords()
        self.sign_ins = SignIns(database, cookie, now=now, new_id=new_id)
        self.watch = Watch(database, now=now)

    async def start(self) -> None:
        """Make sure the local user exists, where there is one; tell open tabs from now on when they are out."""
        if self.ways.single:
            await asyncio.to_thread(self._ensure_local)
        self.watch.start()

    async def stop(self) -> None:
        """Tell nobody any more."""
        await self.watch.stop()

    # ------------------------------------------------------------ who is asking

    async def signed_in(self, cookie_header: str) -> SignIn | None:
        """Return the live sign-in of a Cookie header."""
        found = await asyncio.to_thread(self.sign_ins.find, cookie_header)
        # what single-user mode let in is nobody's once people have accounts
        return None if found is None or (found.way == "local" and not self.ways.single) else found

    async def person_of(self, cookie_header: str) -> Person | None:
        """Return who a Cookie header stands for; None without a live session."""
        found = await self.signed_in(cookie_header)
        return None if found is None else found.person

    # ------------------------------------------------------------ coming in

    async def sign_in_local(self, visitor: Visitor | None = None) -> bytes:
        """Start a session of the local user and return the Set-Cookie value that carries it."""
        return await asyncio.to_thread(self._sign_in_local, visitor or Visitor())

    async def sign_in(self, name: str, password: str, visitor: Visitor) -> bytes:
        """Start a session of who has this name and password; returns the Set-Cookie value.

        Raises:
            WrongPassword: there is nobody of that name and password who may come in; which it is, is not told.
            TooFast: it was tried too often.
        """
        return await asyncio.to_thread(self._sign_in, plain(name), password, visitor)

    async def welcome(self, token: str) -> Welcome:
        """Return what a link offers.

        Raises:
            LinkOver: it was used, its time is over, or there never was such a link.
        """
        return await asyncio.to_thread(self._welcome, token)

    async def accept(self, token: str, name: str, password: str, visitor: Visitor) -> bytes:
        """Use a link: make the account, or set the new password; returns the Set-Cookie value of a new session.

        Raises:
            LinkOver, BadName, NameTaken, WeakPassword: as their names say; the link can still be used.
            TooFast: it was tried too often.
        """
        return await asyncio.to_thread(self._accept, token, name, password, visitor)

    # ------------------------------------------------------------ one's own account

    async def sign_out(self, cookie_header: str) -> bytes:
        """End the session of this browser, in all its tabs; returns the Set-Cookie value that forgets it."""
        found = await asyncio.to_thread(self.sign_ins.find, cookie_header)
        if found is not None:
            await asyncio.to_thread(self._end, found.person, found.id)
            self.watch.end(found.id)
        return self.sign_ins.farewell()

    async def open_sign_ins(self, person: Person) -> tuple[AuthSessionRecord, ...]:
        """Return the person's sign-ins that hold, the one used last first."""
        return await asyncio.to_thread(self._open_sign_ins, person)

    async def end_sign_in(self, person: Person, sign_in_id: str) -> None:
        """End one of the person's own sign-ins.

        Raises:
            Refused: there is no such sign-in of this person.
        """
        if not await asyncio.to_thread(self._end, person, claimed(sign_in_id)):
            raise Refused
        self.watch.end(sign_in_id)

    async def end_others(self, sign_in: SignIn) -> None:
        """End every other sign-in of a person."""
        await asyncio.to_thread(self._end_others, sign_in)
        self.watch.look_now()

    async def change_password(self, sign_in: SignIn, old: str, new: str) -> None:
        """Change one's password; every other sign-in ends with it.

        Raises:
            WrongPassword: the old one is another, or there is none.
            WeakPassword, TooFast: as their names say.
        """
        await asyncio.to_thread(self._change_password, sign_in, old, new)
        self.watch.look_now()

    # ------------------------------------------------------------ in a worker thread

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

    def _sign_in_local(self, visitor: Visitor) -> bytes:
        user = self._ensure_local()
        with self._database.transaction() as session:
            return self.sign_ins.begin(session, user, way="local", visitor=visitor)

    def _sign_in(self, name: str, password: str, visitor: Visitor) -> bytes:
        who = name, visitor.address
        self.rates.hit("address", visitor.address)
        self.rates.hit("sign_in", *who)
        user, better = self._proven(name, password)
        if user is None:
            raise WrongPassword(self.rates.left("sign_in", *who))
        self.rates.forget("sign_in", *who)
        with self._database.transaction() as session:
            if better:
                passwords.put(session, PasswordRecord(user=user.id, hash=better, changed=self._now()))
            return self.sign_ins.begin(session, user, way="password", visitor=visitor)

    def _proven(self, name: str, password: str) -> tuple[UserRecord | None, str]:
        """Return who has this name and password, and a better hash of it, if there is one."""
        with self._database.reading() as session:
            user = users.named(session, name)
            kept = passwords.of_user(session, user.id) if user is not None and user.active else None
        fits, better = self._hashes.matches(password, kept.hash if kept is not None else None)
        return (user if fits and self.ways.password else None), better

    def _welcome(self, token: str) -> Welcome:
        with self._database.reading() as session:
            link = self._link(session, token)
            user = users.get(session, link.user) if link.user else None
        return Welcome(link.kind, user.name if user is not None else link.name)

    def _accept(self, token: str, name: str, password: str, visitor: Visitor) -> bytes:
        self.rates.hit("address", visitor.address)
        welcome = self._welcome(token)
        name = named(welcome.name or name)
        kept = self._hashes.hash(fit(password, name=name))
        with self._database.transaction() as session:
            link = self._link(session, token)
            if not invitations.use(session, link.id, now=self._now()):
                raise LinkOver
            user = self._reset(session, link) if link.user else self._join(session, link, name)
            passwords.put(session, PasswordRecord(user=user.id, hash=kept, changed=self._now()))
            cookie = self.sign_ins.begin(session, user, way="link", visitor=visitor)
            self._note(session, f"account.{link.kind}", user.id)
        return cookie

    def _link(self, session: Session, token: str) -> InvitationRecord:
        link = invitations.find(session, hash_of(token), now=self._now())
        if link is None or not self.ways.password:
            raise LinkOver
        return link

    def _join(self, session: Session, link: InvitationRecord, name: str) -> UserRecord:
        if link.kind == "first_admin" and users.active_with(session, "admin"):
            raise LinkOver
        user = UserRecord(
            id=self._new_id(), name=name, display_name=called(name), roles=link.roles, created=self._now()
        )
        if not users.create(session, user):
            raise NameTaken
        return user

    def _reset(self, session: Session, link: InvitationRecord) -> UserRecord:
        """Return whose password a link resets; who was in before is out."""
        user = users.get(session, link.user or "")
        if user is None or not user.active:
            raise LinkOver
        auth_sessions.revoke_all(session, user.id, now=self._now())
        return user

    def _open_sign_ins(self, person: Person) -> tuple[AuthSessionRecord, ...]:
        with self._database.reading() as session:
            held = auth_sessions.open_of(session, person.id, now=self._now())
        return tuple(replace(one, token_hash="") for one in held)

    def _end(self, person: Person, sign_in_id: str) -> bool:
        with self._database.transaction() as session:
            return auth_sessions.revoke(session, sign_in_id, user_id=person.id, now=self._now())

    def _end_others(self, sign_in: SignIn) -> None:
        with self._database.transaction() as session:
            auth_sessions.revoke_all(session, sign_in.person.id, now=self._now(), but=sign_in.id)

    def _change_password(self, sign_in: SignIn, old: str, new: str) -> None:
        person = sign_in.person
        self.rates.hit("sign_in", person.id)
        with self._database.reading() as session:
            user, kept = users.get(session, person.id), passwords.of_user(session, person.id)
        if user is None or not self._hashes.matches(old, kept.hash if kept is not None else None)[0]:
            raise WrongPassword(self.rates.left("sign_in", person.id))
        self.rates.forget("sign_in", person.id)
        hashed = self._hashes.hash(fit(new, name=user.name))
        with self._database.transaction() as session:
            passwords.put(session, PasswordRecord(user=user.id, hash=hashed, changed=self._now()))
            auth_sessions.revoke_all(session, user.id, now=self._now(), but=sign_in.id)
            self._note(session, "account.password", user.id)

    def _note(self, session: Session, action: str, user_id: str) -> None:
        act = audit.Act(action=action, object=f"user:{user_id}", actor=user_id, at=self._now())
        audit.append(session, act)


def plain(name: str) -> str:
    """Return a name as it is kept: without spaces around it, in small letters."""
    return name.strip().casefold()[:LONGEST_NAME]


def named(name: str) -> str:
    """Return a new name as it is kept.

    Raises:
        BadName: it is empty, too long, or holds what cannot be seen.
    """
    kept = name.strip().casefold()
    if not kept or len(kept) > LONGEST_NAME or not kept.isprintable() or ":" in kept:
        raise BadName
    return kept


def called(name: str) -> str:
    """Return what a person is called on the page until they say otherwise: an address up to its @."""
    return name.partition("@")[0] or name
