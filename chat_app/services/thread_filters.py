"""What somebody looks for among the threads of everybody, as they typed it, and what that means to the database."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import get_args

from sqlalchemy.orm import Session

from chat_app.data import users
from chat_app.data.oversight import Overseen, Wanted
from chat_app.data.records import ThreadMark
from chat_app.data.threads import Place
from chat_app.services.folding import words_of
from chat_app.services.policy import Refused, claimed
from chat_app.services.rows import iso

LONGEST_WORDS = 200
IDLE = "idle"
"""How the state of a thread without a mark is named in a filter."""
MARKS: tuple[ThreadMark, ...] = get_args(ThreadMark)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody looks for, as they typed it; what is empty narrows nothing.

    `user` is the name a person signs in with, `agent` an id, `status` idle, running, waiting or failed; `words`
    stand in the title, `text` in the title or in one message. `since` and `until` are days (ISO 8601, UTC), both
    included. `after` is the end of the page before.
    """

    user: str = ""
    agent: str = ""
    status: str = ""
    tool: str = ""
    words: str = ""
    text: str = ""
    since: str = ""
    until: str = ""
    after: str = ""


def wanted_of(session: Session, asked: Asked) -> Wanted:
    """Return what is asked of the database.

    Raises:
        Refused: there is no such person, agent or state.
        ValueError: a day is none.
    """
    return Wanted(
        owner=_owner(session, asked.user.strip()),
        agent=claimed(asked.agent) if asked.agent else "",
        mark=_mark(asked.status),
        tool=asked.tool.strip()[:LONGEST_WORDS],
        words=asked.words.strip()[:LONGEST_WORDS],
        texts=tuple(words_of(asked.text[:LONGEST_WORDS].replace("\x00", " "))),
        since=day(asked.since) if asked.since else None,
        until=day_after(asked.until) if asked.until else None,
    )


def _owner(session: Session, name: str) -> str:
    if not name:
        return ""
    found = users.named(session, name.casefold()) or users.named(session, name)
    if found is None:
        raise Refused
    return found.id


def _mark(status: str) -> ThreadMark | None:
    if not status:
        return None
    for mark in MARKS:
        if status == (mark or IDLE):
            return mark
    raise Refused


def day(text: str) -> datetime:
    """Return the beginning of a day (YYYY-MM-DD), in UTC.

    Raises:
        ValueError: it is no day.
    """
    return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)


def day_after(text: str) -> datetime:
    """Return the end of a day (YYYY-MM-DD), in UTC.

    Raises:
        ValueError: it is no day, or none comes after it.
    """
    try:
        return day(text) + timedelta(days=1)
    except OverflowError as error:
        raise ValueError(text) from error


def after_of(last: Overseen) -> str:
    """Return what asks for the page behind a thread."""
    return f"{iso(last.updated)}~{last.id}"


def place_of(after: str) -> Place | None:
    """Return where a page begins.

    Raises:
        ValueError, Refused: no page ends there.
    """
    if not after:
        return None
    moment, _, thread_id = after.partition("~")
    updated = datetime.fromisoformat(moment)
    if updated.tzinfo is None:
        raise ValueError(moment)
    return Place(updated, claimed(thread_id))
