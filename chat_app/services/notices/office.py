"""Everything that tells people outside the page, built from what settings say of it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import httpx

from chat_app.data.db import Database
from chat_app.data.records import Channel
from chat_app.services.keyring import Keyring
from chat_app.services.notices import added
from chat_app.services.notices.added import AddedChannel
from chat_app.services.notices.book import NoticeBook
from chat_app.services.notices.composer import Composer
from chat_app.services.notices.kinds import Notice
from chat_app.services.notices.mail import Letter, MailChannel, MailServer, Write
from chat_app.services.notices.mailboxes import Mailboxes
from chat_app.services.notices.post import TICK_S, Post, Sender
from chat_app.services.notices.teller import Teller
from chat_app.services.notices.webhook import WebhookChannel
from chat_app.services.policy import Policy


def bare(notice: Notice) -> Letter:
    """Put a notice into words that every language has."""
    return Letter(f"Parley: question.{notice.kind}", notice.link)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What settings say: links go below `url`; whether `names` may leave, and `private` addresses be posted to.

    `transport` posts instead of the network.
    """

    url: str
    names: bool = False
    private: bool = False
    mail: MailServer | None = None
    write: Write = bare
    transport: httpx.AsyncBaseTransport | None = None
    tick: float = TICK_S


@dataclass(frozen=True, slots=True)
class NoticeOffice:
    """What writes notices down, what sends them, what admins see of it, and where people read mail."""

    teller: Teller
    post: Post
    book: NoticeBook
    mailboxes: Mailboxes


def open_office(  # noqa: PLR0913 - what it is built from
    database: Database,
    policy: Policy,
    keyring: Keyring,
    plan: Plan,
    *,
    worker: str,
    now: Callable[[], datetime],
    new_id: Callable[[], str],
) -> NoticeOffice:
    """Build it; nothing is contacted before the post is started."""
    notifiers = added.every()
    names = tuple(sorted(notifiers))
    channels: dict[Channel, Sender] = {
        "webhook": WebhookChannel(database, keyring, now=now, private=plan.private, transport=plan.transport),
        "added": AddedChannel(notifiers),
    }
    if plan.mail is not None:
        channels["mail"] = MailChannel(plan.mail, plan.write)
    return NoticeOffice(
        Teller(policy, now=now, new_id=new_id, mail=plan.mail is not None, added=names),
        Post(
            database,
            Composer(policy, url=plan.url, names=plan.names),
            channels,
            worker=worker,
            now=now,
            tick=plan.tick,
        ),
        NoticeBook(
            database,
            policy,
            keyring,
            channels,
            now=now,
            new_id=new_id,
            url=plan.url,
            mail=plan.mail.host if plan.mail is not None else "",
            added=names,
        ),
        Mailboxes(database, policy, now=now, sends=plan.mail is not None),
    )
