"""Writes down who is to be told of what, in the transaction in which it happened: then it is told, or nothing happened.

Who is told follows the policy: of a question that waits, those who may decide it, or who has it in hand; of one that is
over, who asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import deliveries, inbox, mail_addresses, threads, webhooks
from chat_app.data.records import Channel, DeliveryRecord, InterruptRecord, NoticeKind, ThreadRecord
from chat_app.services.deciding import able, ask_of
from chat_app.services.policy import Policy

MAIL_AFTER = timedelta(minutes=1)
"""How long a question waits before people are written to: most are answered by who sits before them."""


class Teller:
    """Knows the channels there are, and whom each tells."""

    def __init__(
        self,
        policy: Policy,
        *,
        now: Callable[[], datetime],
        new_id: Callable[[], str],
        mail: bool = False,
        added: Sequence[str] = (),
    ) -> None:
        """Tell by webhooks, by `mail` where a server is set, and by the notifiers called `added`."""
        self._policy = policy
        self._now = now
        self._new_id = new_id
        self._mail = mail
        self._added = added

    def tell(
        self, session: Session, kind: NoticeKind, asked: InterruptRecord, /, *, by: str = "", to: str = ""
    ) -> None:
        """Write a notice down for everyone it is for; see `telling.Tell`."""
        hooks = [one.id for one in webhooks.every(session) if one.enabled and kind in one.kinds]
        thread = threads.get(session, asked.thread) if hooks or self._mail or self._added else None
        if thread is None:
            return
        people = self._people(session, kind, asked, thread, to=to)
        form = self._form(kind, asked, people, by=by, to=to)
        rows = [self._row(form, "webhook", hook, webhook=hook) for hook in hooks]
        rows += [self._row(form, "added", name) for name in self._added]
        if self._mail:
            wanting = mail_addresses.wanting(session, people)
            rows += [self._row(form, "mail", user, user=user) for user in wanting]
        deliveries.add(session, rows)

    def _people(
        self, session: Session, kind: NoticeKind, asked: InterruptRecord, thread: ThreadRecord, *, to: str
    ) -> list[str]:
        """Return who is told, by id."""
        lies = inbox.get(session, asked.id)
        holder = [lies.holder] if lies is not None and lies.holder is not None else []
        if kind == "assigned":
            return [to]
        if kind == "decided":
            return [thread.owner]
        if kind == "expired":
            return list(dict.fromkeys([thread.owner, *holder]))
        if kind == "reminder" and holder:
            return holder
        return [one.id for one in able(session, self._policy, ask_of(session, asked, thread))]

    def _form(
        self, kind: NoticeKind, asked: InterruptRecord, people: list[str], *, by: str, to: str
    ) -> DeliveryRecord:
        """Return what all rows of a notice have in common."""
        now = self._now()
        # a question can be given to somebody more than once; everything else happens to it once
        again = f":{to}:{now.isoformat()}" if to else ""
        facts: dict[str, JsonValue] = {"people": [*people], "by": [by] if by else []}
        return DeliveryRecord(
            id="",
            notice=f"{kind}:{asked.id}{again}",
            kind=kind,
            channel="added",
            target="",
            interrupt=asked.id,
            facts=facts,
            due=now,
            created=now,
        )

    def _row(
        self,
        form: DeliveryRecord,
        channel: Channel,
        target: str,
        *,
        webhook: str | None = None,
        user: str | None = None,
    ) -> DeliveryRecord:
        later = MAIL_AFTER if channel == "mail" and form.kind == "asked" else timedelta()
        return replace(
            form,
            id=self._new_id(),
            channel=channel,
            target=target,
            webhook=webhook,
            user=user,
            due=form.due + later,
        )
