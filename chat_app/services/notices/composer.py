"""Puts a notice together when it is sent: what was true when it was written down may be over by then."""

from sqlalchemy.orm import Session

from chat_app.data import decisions, interrupts, mail_addresses, threads, users
from chat_app.data.records import DeliveryRecord, InterruptRecord, ThreadRecord, UserRecord
from chat_app.services.deciding import ask_of
from chat_app.services.notices.kinds import WAITING, Notice, NotSent, Reader
from chat_app.services.policy import Person, Policy


class Composer:
    """Reads what a notice says."""

    def __init__(self, policy: Policy, *, url: str, names: bool) -> None:
        """Link to pages under `url`; tell names of tools, titles and people where `names` may leave."""
        self._policy = policy
        self._url = url
        self._names = names

    def compose(self, session: Session, delivery: DeliveryRecord) -> Notice:
        """Return the notice of a delivery.

        Raises:
            NotSent: nobody needs it any more, or its reader may not have it.
        """
        asked = interrupts.get(session, delivery.interrupt or "")
        thread = threads.get(session, asked.thread) if asked is not None else None
        if asked is None or thread is None:
            raise NotSent("gone", fate="dropped")
        people: tuple[Reader, ...]
        if delivery.channel == "mail":
            people = (self._reader(session, delivery, asked, thread),)
        else:
            people = tuple(self._told(session, one) for one in ids_in(delivery, "people"))
        (decided,) = decisions.of_interrupts(session, [asked.id]) or (None,)
        return Notice(
            id=delivery.id,
            kind=delivery.kind,
            at=delivery.created,
            link=self._link(asked, thread, people),
            question=asked.id,
            thread=thread.id,
            agent=thread.agent,
            people=people,
            expires_at=asked.expires_at,
            by=next(iter(ids_in(delivery, "by")), ""),
            decision=decided.kind if decided is not None and delivery.kind == "decided" else "",
            tool=(asked.tool_name or "") if self._names else "",
            title=thread.title if self._names else "",
        )

    def _link(self, asked: InterruptRecord, thread: ThreadRecord, people: tuple[Reader, ...]) -> str:
        """Return where the readers look: who owns the chat goes there, others to the inbox."""
        only_owner = {one.id for one in people} == {thread.owner}
        return f"{self._url}/t/{thread.id}" if only_owner else f"{self._url}/approvals?open={asked.id}"

    def _told(self, session: Session, user_id: str) -> Reader:
        user = users.get(session, user_id) if self._names else None
        return Reader(user_id, user.name if user is not None and user.active else "")

    def _reader(
        self, session: Session, delivery: DeliveryRecord, asked: InterruptRecord, thread: ThreadRecord
    ) -> Reader:
        user = users.get(session, delivery.user or "")
        address = mail_addresses.get(session, delivery.user or "")
        if user is None or not user.active or address is None or not address.wanted:
            raise NotSent("unwanted", fate="dropped")
        if delivery.kind in WAITING:
            self._still_waits(session, asked, thread, user)
        return Reader(user.id, user.name if self._names else "", address.address)

    def _still_waits(
        self, session: Session, asked: InterruptRecord, thread: ThreadRecord, user: UserRecord
    ) -> None:
        if asked.status != "pending":
            raise NotSent("over", fate="dropped")
        person = Person(user.id, user.display_name, user.roles)
        if not self._policy.may_decide(person, ask_of(session, asked, thread)):
            raise NotSent("not_theirs", fate="dropped")


def ids_in(delivery: DeliveryRecord, name: str) -> list[str]:
    """Return ids that were written down with a delivery."""
    facts = delivery.facts if isinstance(delivery.facts, dict) else {}
    found = facts.get(name)
    return [str(one) for one in found] if isinstance(found, list) else []
