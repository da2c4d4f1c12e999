"""Where notices go, as admins set it, and what became of what was sent.

An address of a webhook and its secret are encrypted; the secret is shown once, to who made it. Each act is in the
audit.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from urllib.parse import urlsplit

from sqlalchemy.orm import Session

from chat_app.data import audit, deliveries, mail_addresses, users, webhooks
from chat_app.data.db import Database
from chat_app.data.records import (
    Channel,
    DeliveryRecord,
    DeliveryState,
    NoticeKind,
    WebhookRecord,
)
from chat_app.services.keyring import Keyring
from chat_app.services.notices.kinds import KINDS, Notice, NotSent, Reader
from chat_app.services.notices.post import Sender
from chat_app.services.notices.signing import new_secret
from chat_app.services.notices.webhook import Target, place_of, sealed, target_of
from chat_app.services.policy import Action, Person, Policy, Refused, claimed
from chat_app.services.problems import BadNotice
from chat_app.services.rows import iso

__all__ = ["STATES", "Line", "NoticeBook", "Overview", "WebhookRecord", "WrittenHook"]

T = TypeVar("T")
NEWEST = 50
LONGEST_NAME = 200
LONGEST_URL = 2000
STATES: tuple[DeliveryState, ...] = ("waiting", "sent", "failed", "dropped")


@dataclass(frozen=True, slots=True)
class WrittenHook:
    """What a form says of a new webhook; without `kinds` it hears of everything."""

    name: str = ""
    url: str = ""
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A delivery, with the name of where it goes."""

    delivery: DeliveryRecord
    to: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Everything an admin sees: webhooks, the mail server ("" when none is set), what was sent, and how it went."""

    hooks: tuple[WebhookRecord, ...]
    mail: str
    added: tuple[str, ...]
    own_address: str
    lines: tuple[Line, ...]
    counts: Mapping[str, int]


class NoticeBook:
    """Say where notices go, try it, and see what became of them."""

    def __init__(  # noqa: PLR0913 - what it is built from
        self,
        database: Database,
        policy: Policy,
        keyring: Keyring,
        channels: Mapping[Channel, Sender],
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        url: str,
        mail: str = "",
        added: tuple[str, ...] = (),
    ) -> None:
        """Keep all of it in `database`; try it by `channels`, with links under `url`.

        `mail` names the mail server where there is one, `added` the notifiers of extensions.
        """
        self._database = database
        self._policy = policy
        self._keyring = keyring
        self._channels = channels
        self._now = now
        self._new_id = new_id
        self._url = url
        self._mail = mail
        self._added = added

    async def overview(self, by: Person, state: str = "") -> Overview:
        """Return what there is, and the newest deliveries, in one state where that is given.

        Raises:
            Refused: `by` does not manage notices.
        """
        wanted = next((known for known in STATES if known == state), None)
        return await self._act(by, lambda session: self._overview(session, by, wanted))

    # ------------------------------------------------------------ webhooks

    async def add(self, by: Person, written: WrittenHook) -> str:
        """Add a webhook; returns its secret, which is shown this once.

        Raises:
            Refused: `by` does not manage notices.
            BadNotice: saying what of it cannot be used.
        """
        self._policy.require(by, Action.MANAGE_NOTICES)
        name, url, kinds = _read(written)
        secret, now = new_secret(), self._now()
        hook = WebhookRecord(
            id=self._new_id(),
            name=name,
            place=place_of(url),
            sealed=sealed(self._keyring, Target(url, secret)),
            kinds=kinds,
            created=now,
            updated=now,
        )
        await self._act(by, lambda session: self._create(session, by, hook))
        return secret

    async def rotate(self, by: Person, webhook_id: str) -> str:
        """Give a webhook another secret, and return it; for a day both sign.

        Raises:
            Refused: `by` does not manage notices, or there is no such webhook.
            HeadersLost: what is kept of it was stored under another key.
        """
        return await self._act(by, lambda session: self._rotate(session, by, claimed(webhook_id)))

    async def switch(self, by: Person, webhook_id: str, *, enabled: bool) -> None:
        """Post to a webhook, or not any more; what is on its way is dropped then.

        Raises:
            Refused: `by` does not manage notices, or there is no such webhook.
        """
        await self._act(by, lambda session: self._switch(session, by, claimed(webhook_id), enabled=enabled))

    async def drop(self, by: Person, webhook_id: str) -> None:
        """Remove a webhook with everything that was sent to it.

        Raises:
            Refused: `by` does not manage notices, or there is no such webhook.
        """
        await self._act(by, lambda session: self._drop(session, by, claimed(webhook_id)))

    async def test(self, by: Person, webhook_id: str) -> str:
        """Post a notice that says it is a test, once; returns the code of how it went.

        Raises:
            Refused: `by` does not manage notices, or there is no such webhook.
        """
        hook = await self._act(by, lambda session: _required(session, claimed(webhook_id)))
        return await self._try(by, "webhook", hook.id, webhook=hook.id)

    # ------------------------------------------------------------ mail

    async def test_mail(self, by: Person) -> str:
        """Send a mail that says it is a test to the address of who asks; returns the code of how it went.

        Raises:
            Refused: `by` does not manage notices.
            BadNotice: there is no mail server, or no address of theirs.
        """
        own = await self._act(by, lambda session: mail_addresses.get(session, by.id))
        if own is None or not self._mail:
            raise BadNotice("mail")
        return await self._try(by, "mail", by.id, user=by.id, address=own.address)

    # ------------------------------------------------------------ what was sent

    async def again(self, by: Person, delivery_id: str) -> None:
        """Try a delivery anew that was given up.

        Raises:
            Refused: `by` does not manage notices, or there is none that was given up.
        """
        await self._act(by, lambda session: self._again(session, by, claimed(delivery_id)))

    async def _try(  # noqa: PLR0913 - one row
        self,
        by: Person,
        channel: Channel,
        target: str,
        *,
        webhook: str | None = None,
        user: str | None = None,
        address: str = "",
    ) -> str:
        now, key = self._now(), self._new_id()
        people = (Reader(by.id, "", address),)
        notice = Notice(id=key, kind="test", at=now, link=f"{self._url}/admin/notifications", people=people)
        state: DeliveryState = "sent"
        try:
            outcome = await self._channels[channel].send(target, notice)
        except NotSent as trouble:
            state, outcome = "failed", trouble.outcome
        record = DeliveryRecord(
            id=key,
            notice=f"test:{key}",
            kind="test",
            channel=channel,
            target=target,
            webhook=webhook,
            user=user,
            state=state,
            attempts=1,
            due=now,
            outcome=outcome,
            created=now,
            settled_at=self._now(),
        )
        await self._act(by, lambda session: self._tested(session, by, record))
        return outcome

    # ------------------------------------------------------------ transactions

    async def _act(self, by: Person, use_case: Callable[[Session], T]) -> T:
        self._policy.require(by, Action.MANAGE_NOTICES)
        return await asyncio.to_thread(self._transact, use_case)

    def _transact(self, use_case: Callable[[Session], T]) -> T:
        with self._database.transaction() as session:
            return use_case(session)

    def _overview(self, session: Session, by: Person, state: DeliveryState | None) -> Overview:
        hooks = webhooks.every(session)
        own = mail_addresses.get(session, by.id)
        names = {one.id: one.name for one in hooks}
        found = deliveries.newest(session, limit=NEWEST, state=state)
        named = {one.id: one.display_name for one in users.every(session)} if found else {}
        return Overview(
            hooks=hooks,
            mail=self._mail,
            added=self._added,
            own_address=own.address if own is not None else "",
            lines=tuple(Line(one, (names | named).get(one.target, one.target)) for one in found),
            counts=deliveries.counts(session),
        )

    def _create(self, session: Session, by: Person, hook: WebhookRecord) -> None:
        if not webhooks.create(session, hook):
            raise BadNotice("taken")
        self._note(session, by, "webhook.added", f"webhook:{hook.id}")

    def _rotate(self, session: Session, by: Person, webhook_id: str) -> str:
        hook, now = _required(session, webhook_id), self._now()
        old, secret = target_of(self._keyring, hook), new_secret()
        anew = Target(old.url, secret, old.secret, iso(now))
        webhooks.change(session, hook.id, sealed=sealed(self._keyring, anew), updated=now)
        self._note(session, by, "webhook.rotated", f"webhook:{hook.id}")
        return secret

    def _switch(self, session: Session, by: Person, webhook_id: str, *, enabled: bool) -> None:
        hook = _required(session, webhook_id)
        webhooks.change(session, hook.id, enabled=enabled, updated=self._now())
        self._note(session, by, f"webhook.{'enabled' if enabled else 'disabled'}", f"webhook:{hook.id}")

    def _drop(self, session: Session, by: Person, webhook_id: str) -> None:
        if not webhooks.drop(session, webhook_id):
            raise Refused
        self._note(session, by, "webhook.removed", f"webhook:{webhook_id}")

    def _tested(self, session: Session, by: Person, record: DeliveryRecord) -> None:
        # one that was removed meanwhile has no deliveries any more
        if record.webhook is None or webhooks.get(session, record.webhook) is not None:
            deliveries.add(session, [record])
        thing = "user" if record.channel == "mail" else record.channel
        self._note(session, by, f"{record.channel}.tested", f"{thing}:{record.target}")

    def _again(self, session: Session, by: Person, delivery_id: str) -> None:
        if not deliveries.again(session, delivery_id, now=self._now()):
            raise Refused
        self._note(session, by, "delivery.retried", f"delivery:{delivery_id}")

    def _note(self, session: Session, by: Person, action: str, what: str) -> None:
        audit.append(session, audit.Act(action=action, object=what, actor=by.id or None, at=self._now()))


def _required(session: Session, webhook_id: str) -> WebhookRecord:
    hook = webhooks.get(session, webhook_id)
    if hook is None:
        raise Refused
    return hook


def _read(written: WrittenHook) -> tuple[str, str, tuple[NoticeKind, ...]]:
    """Return what a form says: name, address, kinds.

    Raises:
        BadNotice: saying what of it cannot be used.
    """
    name, url = written.name.strip(), written.url.strip()
    if not name or len(name) > LONGEST_NAME:
        raise BadNotice("name")
    if not _is_url(url):
        raise BadNotice("url")
    return name, url, tuple(kind for kind in KINDS if not written.kinds or kind in written.kinds)


def _is_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        return False
    return (
        bool(known) and not parts.username and len(url) <= LONGEST_URL and url.isprintable() and url.isascii()
    )
