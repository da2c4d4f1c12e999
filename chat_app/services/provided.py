"""People whom somebody else vouches for: a sign-in provider or a proxy. Their first coming makes their account.

A person is known by the issuer and its subject, never by a name: a name that somebody here has already is somebody
else's, until that person, signed in, goes to the issuer and comes back (`connect`). Where groups are mapped to roles,
the issuer gives the roles, anew at each sign-in, but takes the last admin from nobody; where only everybody is (`*`),
they are given once and kept here.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import audit, identities, passwords, users
from chat_app.data.db import Database
from chat_app.data.records import IdentityRecord, UserRecord
from chat_app.services.accounts import called, named
from chat_app.services.policy import Refused
from chat_app.services.problems import BadName, NameTaken, ProviderFailed
from chat_app.services.rules import EVERY_ROLE
from chat_app.services.sign_ins import SignIns, Visitor

EVERYBODY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What an issuer says of a person: who it is there, and what to call them here."""

    issuer: str
    subject: str
    name: str
    display_name: str = ""
    groups: tuple[str, ...] = ()


class Provided:
    """Lets in whom an issuer vouches for."""

    def __init__(
        self,
        database: Database,
        sign_ins: SignIns,
        role_map: Mapping[str, str],
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
    ) -> None:
        """Keep people in `database`; `role_map` gives roles by groups."""
        self._database = database
        self._sign_ins = sign_ins
        self._role_map = role_map
        self._now = now
        self._new_id = new_id

    async def come_in(self, claim: Claim, *, way: str, visitor: Visitor) -> bytes:
        """Start a session of who the claim is about; returns the Set-Cookie value.

        Raises:
            ProviderFailed: no group of theirs has a role here, they are kept out, or their name is somebody else's.
        """
        return await asyncio.to_thread(self._come_in, claim, way, visitor)

    async def connect(self, user_id: str, claim: Claim) -> None:
        """Let a person who is signed in come in by an issuer too, as who the claim is about.

        Raises:
            ProviderFailed: that is somebody else here, they are somebody else there, no group of theirs has a role
                here, or they are kept out.
        """
        await asyncio.to_thread(self._connect, user_id, claim)

    async def known_at(self, user_id: str, issuer: str) -> bool:
        """Return whether a person can come in by an issuer."""
        return await asyncio.to_thread(self._known_at, user_id, issuer)

    async def disconnect(self, user_id: str, issuer: str) -> None:
        """Let a person who has a password no longer come in by an issuer.

        Raises:
            Refused: they do not come in there, or could not come in at all any more.
        """
        await asyncio.to_thread(self._disconnect, user_id, issuer)

    def roles(self, groups: tuple[str, ...]) -> tuple[str, ...]:
        """Return the roles that these groups have, in their order."""
        given = {self._role_map.get(group) for group in (EVERYBODY, *groups)}
        return tuple(role for role in EVERY_ROLE if role in given)

    def _come_in(self, claim: Claim, way: str, visitor: Visitor) -> bytes:
        if not self.roles(claim.groups):
            raise ProviderFailed(f"no role for the groups {list(claim.groups)}")
        with self._database.transaction() as session:
            known = identities.find(session, claim.issuer, claim.subject)
            user = self._known(session, known, claim) if known else self._new(session, claim)
            if not user.active:
                raise ProviderFailed(f"{user.id} is kept out")
            return self._sign_ins.begin(session, user, way=way, visitor=visitor)

    def _connect(self, user_id: str, claim: Claim) -> None:
        if not self.roles(claim.groups):
            raise ProviderFailed(f"no role for the groups {list(claim.groups)}")
        with self._database.transaction() as session:
            users.lock(session, user_id)
            user, known = users.get(session, user_id), identities.find(session, claim.issuer, claim.subject)
            if user is None or not user.active:
                raise ProviderFailed(f"{user_id} is kept out")
            if known is not None and known.user == user_id:
                return
            if identities.of_user(session, user_id, claim.issuer) is not None:
                raise ProviderFailed("they are somebody else there already")
            self._identify(session, user_id, claim)
            self._note(session, "account.connected", user_id, {"issuer": claim.issuer})

    def _known_at(self, user_id: str, issuer: str) -> bool:
        with self._database.reading() as session:
            return identities.of_user(session, user_id, issuer) is not None

    def _disconnect(self, user_id: str, issuer: str) -> None:
        with self._database.transaction() as session:
            if passwords.of_user(session, user_id) is None or not identities.drop(session, user_id, issuer):
                raise Refused
            self._note(session, "account.disconnected", user_id, {"issuer": issuer})

    def _known(self, session: Session, known: IdentityRecord, claim: Claim) -> UserRecord:
        identities.touch(session, known.id, now=self._now())
        user = users.get(session, known.user)
        assert user is not None  # an identity goes with its user
        roles = self._given(session, user, claim)
        if roles != user.roles:
            users.set_roles(session, user.id, roles)
            change: dict[str, JsonValue] = {"was": list(user.roles), "roles": list(roles)}
            self._note(session, "person.roles", user.id, change)
        return user

    def _given(self, session: Session, user: UserRecord, claim: Claim) -> tuple[str, ...]:
        """Return the roles that an issuer leaves a person with; it takes the last admin from nobody."""
        roles = self.roles(claim.groups)
        if not set(self._role_map) - {EVERYBODY}:
            return user.roles
        if "admin" in user.roles and "admin" not in roles:
            users.lock_admins(session)
            if [one.id for one in users.active_with(session, "admin")] == [user.id]:
                return tuple(role for role in EVERY_ROLE if role in {*roles, "admin"})
        return roles

    def _new(self, session: Session, claim: Claim) -> UserRecord:
        now = self._now()
        user = UserRecord(
            id=self._new_id(),
            name=_usable(claim.name),
            display_name=claim.display_name.strip()[:200] or called(claim.name),
            roles=self.roles(claim.groups),
            created=now,
        )
        if not users.create(session, user):
            raise ProviderFailed("the name is taken") from NameTaken()
        self._identify(session, user.id, claim)
        self._note(session, "account.provided", user.id, {"issuer": claim.issuer})
        return user

    def _identify(self, session: Session, user_id: str, claim: Claim) -> None:
        now = self._now()
        identity = IdentityRecord(
            id=self._new_id(),
            user=user_id,
            issuer=claim.issuer,
            subject=claim.subject,
            created=now,
            last_seen=now,
        )
        if not identities.create(session, identity):
            raise ProviderFailed("that is somebody else here already")

    def _note(self, session: Session, action: str, user_id: str, detail: dict[str, JsonValue]) -> None:
        what = f"user:{user_id}"
        audit.append(
            session, audit.Act(action=action, object=what, actor=user_id, at=self._now(), detail=detail)
        )


def _usable(name: str) -> str:
    try:
        return named(name)
    except BadName as error:
        raise ProviderFailed("the name cannot be used") from error
