"""People whom somebody else vouches for: a sign-in provider or a proxy. Their first coming makes their account.

A person is known by the issuer and its subject, never by a name: a name that somebody here has already belongs to
somebody else until an admin changes that. Where groups are mapped to roles, the issuer gives the roles, anew at each
sign-in; where only everybody is (`*`), they are given once and kept here.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import audit, identities, users
from chat_app.data.db import Database
from chat_app.data.records import IdentityRecord, UserRecord
from chat_app.services.accounts import called, named
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

    def _known(self, session: Session, known: IdentityRecord, claim: Claim) -> UserRecord:
        identities.touch(session, known.id, now=self._now())
        user = users.get(session, known.user)
        assert user is not None  # an identity goes with its user
        roles = self.roles(claim.groups)
        if set(self._role_map) - {EVERYBODY} and roles != user.roles:
            users.set_roles(session, user.id, roles)
            change: dict[str, JsonValue] = {"was": list(user.roles), "roles": list(roles)}
            self._note(session, "person.roles", user.id, change)
        return user

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
        identity = IdentityRecord(
            id=self._new_id(),
            user=user.id,
            issuer=claim.issuer,
            subject=claim.subject,
            created=now,
            last_seen=now,
        )
        identities.create(session, identity)
        self._note(session, "account.provided", user.id, {"issuer": claim.issuer})
        return user

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
