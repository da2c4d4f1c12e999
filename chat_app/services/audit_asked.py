"""What somebody looks for in the audit, as they typed it, and what that means to the database."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from sqlalchemy.orm import Session

from chat_app.data import audit, users
from chat_app.services.policy import Refused, claimed
from chat_app.services.thread_filters import day, day_after

LONGEST: Final = 200
KINDS: Final = (
    "question",
    "thread",
    "account",
    "person",
    "user",
    "agent",
    "webhook",
    "mail",
    "delivery",
    "retention",
    "audit",
)
"""What stands before the dot of an action."""
OUTCOMES: Final[Mapping[str, Collection[str]]] = {
    "proposed": ("question.propose",),
    "allowed": ("question.approve", "question.edit", "question.respond"),
    "rejected": ("question.reject",),
    "cancelled": ("question.cancel",),
    "expired": ("question.expire",),
    "superseded": ("question.supersede", "question.withdraw"),
    "executed": ("question.execute",),
    "failed": ("question.fail",),
}
"""How a question may have gone on, and which acts say so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody looks for, as they typed it; what is empty narrows nothing.

    `person` is the name they sign in with or their id, `kind` one of `KINDS`, `outcome` of `OUTCOMES`, `agent` and
    `thread` are ids; `since` and `until` are days (ISO 8601, UTC), both included. `after` is the end of the page
    before.
    """

    person: str = ""
    kind: str = ""
    outcome: str = ""
    agent: str = ""
    tool: str = ""
    thread: str = ""
    since: str = ""
    until: str = ""
    after: str = ""


def sought_of(session: Session, asked: Asked) -> audit.Sought:
    """Return what is asked of the database.

    Raises:
        Refused: there is no such person, kind, outcome or id.
        ValueError: a day is none.
    """
    if asked.kind not in ("", *KINDS) or asked.outcome not in ("", *OUTCOMES):
        raise Refused
    return audit.Sought(
        actor=_person(session, asked.person.strip()),
        kind=asked.kind,
        actions=OUTCOMES.get(asked.outcome, ()),
        agent=claimed(asked.agent) if asked.agent else "",
        tool=asked.tool.strip()[:LONGEST],
        thread=claimed(asked.thread.strip()) if asked.thread.strip() else "",
        since=day(asked.since) if asked.since else None,
        until=day_after(asked.until) if asked.until else None,
    )


def _person(session: Session, name: str) -> str:
    if not name:
        return ""
    found = users.named(session, name.casefold()) or users.named(session, name)
    return found.id if found is not None else claimed(name)


def place_of(after: str) -> int:
    """Return below which number a page begins.

    Raises:
        ValueError: it is none.
    """
    return min(int(after), audit.END) if after else audit.END
