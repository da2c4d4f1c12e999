"""What admins do about people: invite, reset, roles, keep out, end sign-ins. Each act is in the audit.

Links are shown once, to whoever made them; SQL holds their hashes. The terminal of the server may do all of it too: who
reaches it could change the tables.
"""

import asyncio
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from typing import TypeVar

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import audit, auth_sessions, invitations, passwords, users
from chat_app.data.db import Database
from chat_app.data.records import (
    AuthSessionRecord,
    InvitationKind,
    InvitationRecord,
    PasswordRecord,
    UserRecord,
)
from chat_app.services.accounts import called, named, plain
from chat_app.services.passwords import Passwords, fit
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import LastAdmin, NameTaken
from chat_app.services.rules import EVERY_ROLE
from chat_app.services.sign_ins import hash_of, new_token
from chat_app.services.watch import Watch

__all__ = ["TERMINAL", "AuthSessionRecord", "People", "UserRecord", "known"]

T = TypeVar("T")

TERMINAL = Person("", "terminal", ("admin",))
"""Who acts at the terminal of the server; the audit names nobody."""

LINK_DAYS = 7
FIRST_ADMIN_HOURS = 24


class People:
    """Manage who may come in, and as what."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        policy: Policy,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        hashes: Passwords | None = None,
        watch: Watch | None = None,
    ) -> None:
        """Keep people in `database`; open tabs hear of it by `watch`."""
        self._database = database
        self._policy = policy
        self._now = now
        self._new_id = new_id
        self._hashes = hashes
        self._watch = watch

    async def every(self, by: Person) -> tuple[UserRecord, ...]:
        """Return everybody who was not erased, by name.

        Raises:
            Refused: `by` does not manage people.
        """
        self._require(by)
        return await asyncio.to_thread(self._every)

    async def one(self, by: Person, user_id: str) -> UserRecord:
        """Return a person who was not erased.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
        """
        return await self._act(by, lambda session: _known_person(session, claimed(user_id)))

    async def sign_ins(self, by: Person, user_id: str) -> tuple[AuthSessionRecord, ...]:
        """Return the sign-ins of a person that hold, the one used last first.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
        """
        return await self._act(by, lambda session: self._sign_ins(session, claimed(user_id)))

    async def end_sign_in(self, by: Person, user_id: str, sign_in: str) -> None:
        """End one sign-in of a person.

        Raises:
            Refused: `by` does not manage people, or there is no such sign-in.
        """
        await self._act(
            by, lambda session: self._end_sign_in(session, by, claimed(user_id), claimed(sign_in))
        )

    async def invite(self, by: Person, roles: Collection[str], *, name: str = "") -> str:
        """Return the token of a link that makes one account with these roles; with `name`, of that name only.

        Raises:
            Refused: `by` does not manage people, or there is no such role.
            BadName, NameTaken: as their names say.
        """
        kept = named(name) if name else ""
        return await self._act(by, lambda session: self._invite(session, by, known(roles), kept))

    async def reset(self, by: Person, user_id: str) -> str:
        """Return the token of a link by which a person sets a new password; earlier ones work no more.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
        """
        return await self._act(by, lambda session: self._reset(session, by, claimed(user_id)))

    async def withdraw(self, by: Person, invitation_id: str) -> None:
        """Make a link work no more.

        Raises:
            Refused: `by` does not manage people, or there is no such link.
        """
        await self._act(by, lambda session: self._withdraw(session, by, claimed(invitation_id)))

    async def set_roles(self, by: Person, user_id: str, roles: Collection[str]) -> None:
        """Give a person exactly these roles; their open tabs have them within a second.

        Raises:
            Refused: `by` does not manage people, there is no such person, or no such role.
            LastAdmin: nobody would be left who manages people.
        """
        await self._act(by, lambda session: self._set_roles(session, by, claimed(user_id), known(roles)))

    async def set_active(self, by: Person, user_id: str, *, active: bool) -> None:
        """Let a person in, or keep them out: every sign-in of theirs ends.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
            LastAdmin: nobody would be left who manages people.
        """
        await self._act(by, lambda session: self._set_active(session, by, claimed(user_id), active=active))

    async def end_sign_ins(self, by: Person, user_id: str) -> int:
        """End every sign-in of a person; return how many held.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
        """
        return await self._act(by, lambda session: self._end_sign_ins(session, by, claimed(user_id)))

    async def first_admin(self) -> str:
        """Return the token of a link that makes the first admin; empty when there is one. Earlier ones work no more."""
        return await asyncio.to_thread(self._transact, self._first_admin)

    async def add(self, by: Person, name: str, roles: Collection[str], *, password: str) -> str:
        """Make an account with a password and return its id.

        Raises:
            Refused: `by` does not manage people, or there is no such role.
            BadName, NameTaken, WeakPassword: as their names say.
        """
        self._require(by)
        kept, hashes = named(name), self._hashes or Passwords()
        hashed = await asyncio.to_thread(hashes.hash, fit(password, name=kept))
        return await self._act(by, lambda session: self._add(session, by, kept, known(roles), hashed))

    async def id_of(self, name: str) -> str:
        """Return the id of who signs in by a name.

        Raises:
            Refused: there is nobody.
        """
        found = await asyncio.to_thread(self._named, plain(name))
        if found is None:
            raise Refused
        return found.id

    # ------------------------------------------------------------ transactions

    async def _act(self, by: Person, use_case: Callable[[Session], T]) -> T:
        self._require(by)
        done = await asyncio.to_thread(self._transact, use_case)
        if self._watch is not None:
            self._watch.look_now()
        return done

    def _require(self, by: Person) -> None:
        self._policy.require(by, Action.MANAGE_PEOPLE)

    def _transact(self, use_case: Callable[[Session], T]) -> T:
        with self._database.transaction() as session:
            return use_case(session)

    def _every(self) -> tuple[UserRecord, ...]:
        with self._database.reading() as session:
            return users.every(session)

    def _named(self, name: str) -> UserRecord | None:
        with self._database.reading() as session:
            return users.named(session, name)

    def _invite(self, session: Session, by: Person, roles: tuple[str, ...], name: str) -> str:
        if name and users.named(session, name) is not None:
            raise NameTaken
        link, token = self._link("join", by, roles=roles, name=name)
        invitations.create(session, link)
        self._note(session, by, "person.invited", f"invitation:{link.id}", {"roles": list(roles)})
        return token

    def _reset(self, session: Session, by: Person, user_id: str) -> str:
        user = _known_person(session, user_id)
        invitations.withdraw_all(session, ["reset"], user_id=user.id)
        link, token = self._link("reset", by, user=user.id)
        invitations.create(session, link)
        self._note(session, by, "person.reset", f"user:{user.id}")
        return token

    def _withdraw(self, session: Session, by: Person, invitation_id: str) -> None:
        if not invitations.withdraw(session, invitation_id):
            raise Refused
        self._note(session, by, "person.uninvited", f"invitation:{invitation_id}")

    def _set_roles(self, session: Session, by: Person, user_id: str, roles: tuple[str, ...]) -> None:
        users.lock_admins(session)
        user = _known_person(session, user_id)
        if "admin" not in roles:
            _keep_one_admin(session, user)
        users.set_roles(session, user.id, roles)
        change: dict[str, JsonValue] = {"was": list(user.roles), "roles": list(roles)}
        self._note(session, by, "person.roles", f"user:{user.id}", change)

    def _set_active(self, session: Session, by: Person, user_id: str, *, active: bool) -> None:
        users.lock_admins(session)
        user = _known_person(session, user_id)
        if not active:
            _keep_one_admin(session, user)
            auth_sessions.revoke_all(session, user.id, now=self._now())
            invitations.withdraw_all(session, ["reset"], user_id=user.id)
        users.set_active(session, user.id, active=active)
        self._note(session, by, "person.enabled" if active else "person.disabled", f"user:{user.id}")

    def _sign_ins(self, session: Session, user_id: str) -> tuple[AuthSessionRecord, ...]:
        return auth_sessions.open_of(session, _known_person(session, user_id).id, now=self._now())

    def _end_sign_in(self, session: Session, by: Person, user_id: str, sign_in: str) -> None:
        if not auth_sessions.revoke(session, sign_in, user_id=user_id, now=self._now()):
            raise Refused
        self._note(session, by, "person.signed_out", f"user:{user_id}", {"ended": 1})

    def _end_sign_ins(self, session: Session, by: Person, user_id: str) -> int:
        user = _known_person(session, user_id)
        ended = auth_sessions.revoke_all(session, user.id, now=self._now())
        self._note(session, by, "person.signed_out", f"user:{user.id}", {"ended": ended})
        return ended

    def _first_admin(self, session: Session) -> str:
        invitations.withdraw_all(session, ["first_admin"])
        if users.active_with(session, "admin"):
            return ""
        link, token = self._link("first_admin", TERMINAL, roles=EVERY_ROLE)
        invitations.create(session, link)
        return token

    def _add(self, session: Session, by: Person, name: str, roles: tuple[str, ...], hashed: str) -> str:
        now = self._now()
        user = UserRecord(id=self._new_id(), name=name, display_name=called(name), roles=roles, created=now)
        if not users.create(session, user):
            raise NameTaken
        passwords.put(session, PasswordRecord(user=user.id, hash=hashed, changed=now))
        self._note(session, by, "person.added", f"user:{user.id}", {"roles": list(roles)})
        return user.id

    def _link(
        self,
        kind: InvitationKind,
        by: Person,
        *,
        roles: tuple[str, ...] = (),
        name: str = "",
        user: str | None = None,
    ) -> tuple[InvitationRecord, str]:
        token, now = new_token(), self._now()
        lasts = timedelta(hours=FIRST_ADMIN_HOURS) if kind == "first_admin" else timedelta(days=LINK_DAYS)
        link = InvitationRecord(
            id=self._new_id(),
            kind=kind,
            token_hash=hash_of(token),
            user=user,
            name=name,
            roles=roles,
            by=by.id or None,
            created=now,
            expires_at=now + lasts,
        )
        return link, token

    def _note(
        self, session: Session, by: Person, action: str, what: str, detail: dict[str, JsonValue] | None = None
    ) -> None:
        act = audit.Act(action=action, object=what, actor=by.id or None, at=self._now(), detail=detail)
        audit.append(session, act)


def known(roles: Collection[str]) -> tuple[str, ...]:
    """Return roles in their order, each once.

    Raises:
        Refused: there is no such role.
    """
    if not set(roles) <= set(EVERY_ROLE):
        raise Refused
    return tuple(role for role in EVERY_ROLE if role in roles)


def _known_person(session: Session, user_id: str) -> UserRecord:
    user = users.get(session, user_id)
    if user is None or user.name.startswith(users.ERASED):
        raise Refused
    return user


def _keep_one_admin(session: Session, leaving: UserRecord) -> None:
    """Refuse when nobody else could manage people.

    Raises:
        LastAdmin: as its name says.
    """
    admins = users.active_with(session, "admin")
    if [one.id for one in admins] == [leaving.id]:
        raise LastAdmin
