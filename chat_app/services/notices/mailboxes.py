"""Where people read mail, and whether they want notices there.

An address is set by who manages people, so that nobody can have us write to strangers.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime

from sqlalchemy.orm import Session

from chat_app.data import audit, mail_addresses, users
from chat_app.data.db import Database
from chat_app.data.records import MailAddressRecord
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import BadNotice
from chat_app.settings import is_mail_address


class Mailboxes:
    """Keep the addresses of people."""

    def __init__(
        self, database: Database, policy: Policy, *, now: Callable[[], datetime], sends: bool = False
    ) -> None:
        """Keep them in `database`; `sends` says whether there is a mail server."""
        self._database = database
        self._policy = policy
        self._now = now
        self.sends = sends

    async def of(self, by: Person, user_id: str) -> MailAddressRecord | None:
        """Return where a person reads mail; everybody may ask of themself.

        Raises:
            Refused: it is somebody else's, and `by` does not manage people.
        """
        if by.id != user_id:
            self._policy.require(by, Action.MANAGE_PEOPLE)
        return await asyncio.to_thread(self._read, claimed(user_id))

    async def put(self, by: Person, user_id: str, address: str) -> None:
        """Note where a person reads mail; an empty address forgets it.

        Raises:
            Refused: `by` does not manage people, or there is no such person.
            BadNotice: that is no address.
        """
        self._policy.require(by, Action.MANAGE_PEOPLE)
        plain = address.strip()
        if plain and not is_mail_address(plain):
            raise BadNotice("address")
        await asyncio.to_thread(self._put, by, claimed(user_id), plain)

    async def want(self, by: Person, *, wanted: bool) -> None:
        """Note whether a person wants notices by mail.

        Raises:
            Refused: there is no address of theirs.
        """
        self._policy.require(by, Action.KEEP_ACCOUNT, owner=by.id)
        await asyncio.to_thread(self._want, by, wanted=wanted)

    def _read(self, user_id: str) -> MailAddressRecord | None:
        with self._database.reading() as session:
            return mail_addresses.get(session, user_id)

    def _put(self, by: Person, user_id: str, address: str) -> None:
        now = self._now()
        with self._database.transaction() as session:
            user = users.get(session, user_id)
            if user is None or user.name.startswith(users.ERASED):
                raise Refused
            before = mail_addresses.get(session, user.id)
            # another address does not undo what the person said about mail
            wanted = before.wanted if before is not None else True
            if address:
                record = MailAddressRecord(user=user.id, address=address, wanted=wanted, changed=now)
                mail_addresses.put(session, record)
            else:
                mail_addresses.drop(session, user.id)
            self._note(session, by, "mail.set" if address else "mail.removed", user.id, now)

    def _want(self, by: Person, *, wanted: bool) -> None:
        now = self._now()
        with self._database.transaction() as session:
            if not mail_addresses.want(session, by.id, wanted=wanted, at=now):
                raise Refused
            self._note(session, by, "mail.wanted" if wanted else "mail.unwanted", by.id, now)

    def _note(self, session: Session, by: Person, action: str, user_id: str, at: datetime) -> None:
        audit.append(session, audit.Act(action=action, object=f"user:{user_id}", actor=by.id or None, at=at))
