"""What a notice is, the kinds there are, and what a channel answers when it could not send one."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from chat_app.data.records import NoticeKind

KINDS: tuple[NoticeKind, ...] = ("asked", "assigned", "reminder", "escalated", "expired", "decided")
"""What people are told of: a question waits, was given to somebody, expires soon, was escalated, has expired, was
decided by somebody else. `test` is none of them: an admin tries a channel."""

WAITING: frozenset[NoticeKind] = frozenset({"asked", "assigned", "reminder", "escalated"})
"""What is of no use to a person once the question is over."""

Fate = Literal["again", "failed", "dropped"]
"""What becomes of a notice that was not sent: it is tried again, given up, or nobody needs it any more."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody who is told. The name is empty where names are not to leave; `address` is set in a mail alone."""

    id: str
    name: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that happened to a question, for `people`: ids, and a link to where they can act on it.

    `id` is the same for every try at one target. `tool` and `title` are empty unless names may leave.
    """

    id: str
    kind: NoticeKind
    at: datetime
    link: str
    question: str = ""
    thread: str = ""
    agent: str = ""
    people: tuple[Reader, ...] = ()
    expires_at: datetime | None = None
    by: str = ""
    decision: str = ""
    tool: str = ""
    title: str = ""


class Notifier(Protocol):
    """Sends notices somewhere; an extension may add its own."""

    async def send(self, notice: Notice) -> None:
        """Send a notice, within half a minute. One that was sent before has the same id.

        Raises:
            NotSent: it did not arrive; says whether to try again. Any other error is taken for passing trouble.
        """


class NotSent(Exception):  # noqa: N818 - it reads as what happened
    """A notice did not arrive. `outcome` is a short code of why; `after` are seconds the other side asks for."""

    def __init__(self, outcome: str, *, fate: Fate = "again", after: float = 0.0) -> None:
        """Say why, and what is to become of the notice."""
        super().__init__(outcome)
        self.outcome = outcome
        self.fate: Fate = fate
        self.after = after
