"""Everything of one person, to be handed to them or to be erased.

An export is JSON Lines: one object a line, each with its `kind` (a record's field of that
name is `own_kind`), in the order things were made. An erasure takes the
person's chats, sign-ins and opinions; the row that others point at stays, without a name. The audit stays (decisions,
*audit and deletion*): it knows ids, not names or texts.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime

from pydantic import JsonValue
from sqlalchemy.orm import Session

from chat_app.data import (
    audit,
    auth_sessions,
    branches,
    decisions,
    events,
    exchanges,
    interrupts,
    messages,
    personal,
    runs,
    threads,
    users,
)
from chat_app.data.db import Database
from chat_app.data.records import UserRecord
from chat_app.data.sql import Record
from chat_app.services.policy import Refused
from chat_app.services.problems import Busy

Judge = Callable[[Session, UserRecord], None]
"""Raises where somebody is not to be erased."""


def nobody_minds(session: Session, user: UserRecord) -> None:
    """Let everybody be erased."""
    del session, user


class Personal:
    """Hand out or erase what belongs to a person."""

    def __init__(self, database: Database, *, now: Callable[[], datetime]) -> None:
        """Read and erase in `database`."""
        self._database = database
        self._now = now

    def export(self, name: str) -> Iterator[dict[str, JsonValue]]:
        """Yield everything of the person who signs in as `name`; chats are read one at a time.

        Raises:
            Refused: there is no such person.
        """
        with self._database.reading() as session:
            user = _required(session, name)
            yield _line("user", user)
            yield from (_line("sign_in", one) for one in auth_sessions.of_user(session, user.id))
            yield from (_line(kind, one) for kind, one in personal.of_user(session, user.id))
            yield from (_line("decision", one) for one in decisions.by_user(session, user.id))
            yield from (_line("act", one) for one in audit.of_actor(session, user.id))
            ids = threads.ids_of(session, user.id)
        for thread_id in ids:
            with self._database.reading() as session:
                yield from _thread(session, thread_id)

    def erase(self, name: str, *, by: str | None, reason: str = "", judge: Judge = nobody_minds) -> int:
        """Erase the person who signs in as `name`; return how many chats went with them.

        `judge` may refuse by raising, in the transaction that would erase them.

        Raises:
            Refused: there is no such person.
            Busy: an answer of theirs is under way; stop it first.
        """
        with self._database.transaction() as session:
            user = _required(session, name)
            judge(session, user)
            ids = threads.ids_of(session, user.id)
            if any(exchanges.live_of(session, thread_id) is not None for thread_id in ids):
                raise Busy
            threads.erase(session, ids)
            personal.erase(session, user.id)
            users.make_nameless(session, user.id)
            now = self._now()
            for thread_id in ids:
                audit.append(session, _erased("thread", thread_id, by, now, reason))
            audit.append(session, _erased("user", user.id, by, now, reason))
        return len(ids)


def _erased(kind: str, row: str, by: str | None, at: datetime, reason: str) -> audit.Act:
    return audit.Act(action=f"{kind}.erased", object=f"{kind}:{row}", actor=by, at=at, reason=reason)


def _required(session: Session, name: str) -> UserRecord:
    user = users.named(session, name)
    if user is None:
        raise Refused
    return user


def _thread(session: Session, thread_id: str) -> Iterator[dict[str, JsonValue]]:
    thread = threads.any_of(session, thread_id)
    if thread is None:  # erased since it was listed
        return
    yield _line("thread", thread)
    numbers = [one.number for one in branches.of_thread(session, thread_id)] or [0]
    for number in numbers:
        yield from (_line("message", one) for one in messages.of_thread(session, thread_id, branch=number))
    for run in runs.of_thread(session, thread_id):
        yield _line("run", run)
        yield from (_line("question", one) for one in interrupts.of_run(session, run.id))
        yield from (_line("answer", one) for one in decisions.of_run(session, run.id))
    yield from (_line("event", one) for one in events.of_thread(session, thread_id))


def _line(kind: str, record: Record) -> dict[str, JsonValue]:
    fields = {f"own_{name}" if name == "kind" else name: value for name, value in asdict(record).items()}
    shown = {name: value for name, value in fields.items() if name not in SECRET}
    line: dict[str, JsonValue] = json.loads(json.dumps({"kind": kind, **shown}, default=str))
    return line


SECRET = frozenset({"token_hash", "headers_encrypted"})
"""What opens a door, and so is in no export."""
