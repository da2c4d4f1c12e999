"""Things of a person, put into the database of a Parley that runs: a thread with all that a browser can name in it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy.orm import Session

from chat_app.data import (
    agents,
    attachments,
    audit,
    deliveries,
    queued_sends,
    state_versions,
    threads,
    webhooks,
)
from chat_app.data.ids import new_id
from chat_app.data.records import AttachmentRecord, QueuedSendRecord, StateVersionRecord, UserRecord
from chat_app.services.judging import place
from chat_app.services.vault import Vault
from tests.support.records import (
    a_delivery,
    a_webhook,
    stored_exchange,
    stored_message,
    stored_question,
    stored_run,
    stored_thread,
)

PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d49484452")
CALL = {"tool_call": "call", "tool_name": "refund", "args": "{}", "args_digest": "digest"}
NOWHERE = "019370e0-0000-7000-8000-000000000000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Things:
    """Ids that a browser may name."""

    thread: str = NOWHERE
    run: str = NOWHERE
    message: str = NOWHERE
    question: str = NOWHERE
    queued: str = NOWHERE
    file: str = NOWHERE
    user: str = NOWHERE
    agent: str = NOWHERE
    entry: str = NOWHERE
    hook: str = NOWHERE
    delivery: str = NOWHERE


def stored_things(session: Session, vault: Vault, owner: UserRecord, *, words: str) -> Things:
    """Store a thread of `owner` in which `words` were said and a question waits, a line that waits, and a file."""
    (agent, *_) = agents.enabled(session)
    now = datetime.now(UTC)
    new = {"id": new_id(), "created": now, "updated": now}
    thread = stored_thread(
        session, **new | {"wire_id": new_id(), "owner": owner.id, "agent": agent.id, "title": words}
    )
    exchange = stored_exchange(session, thread, id=new_id(), started=now, lease_until=now, ended=now)
    run = stored_run(
        session, exchange, id=new_id(), wire_run_id=new_id(), status="interrupted", started=now, ended=now
    )
    said = {"id": new_id(), "key": new_id(), "wire_id": new_id(), "created": now, "updated": now}
    message = stored_message(
        session, thread, role="user", content=[{"kind": "text", "text": words}], run=run.id, **said
    )
    asked = stored_question(session, run, id=new_id(), wire_id=new_id(), message=words, created=now, **CALL)
    place(session, [asked])
    state_versions.add(
        session,
        StateVersionRecord(
            thread=thread.id,
            seq=threads.reserve(session, thread.id),
            run=run.id,
            document={"words": words},
            at=now,
        ),
    )
    return Things(
        thread=thread.id,
        run=run.id,
        message=message.key,
        question=asked.id,
        queued=_queued(session, thread.id, owner, words),
        file=_file(session, vault, owner),
        user=owner.id,
        agent=agent.id,
        entry=_entry(session, thread.id),
        hook=_hook(session),
        delivery=_delivery(session),
    )


def _hook(session: Session) -> str:
    key, now = new_id(), datetime.now(UTC)
    webhooks.create(session, a_webhook(id=key, name=key, created=now, updated=now))
    return key


def _delivery(session: Session) -> str:
    key, now = new_id(), datetime.now(UTC)
    given_up = {"id": key, "notice": key, "state": "failed", "settled_at": now}
    deliveries.add(session, [a_delivery(**given_up, due=now, created=now)])
    return key


def _entry(session: Session, thread: str) -> str:
    act = audit.Act(action="thread.rename", object=f"thread:{thread}", actor=None, at=datetime.now(UTC))
    return str(audit.append(session, act).seq)


def _queued(session: Session, thread: str, owner: UserRecord, words: str) -> str:
    now = datetime.now(UTC)
    line = QueuedSendRecord(
        id=new_id(), thread=thread, by=owner.id, position=1, text=words, created=now, updated=now
    )
    queued_sends.add(session, line)
    return line.id


def _file(session: Session, vault: Vault, owner: UserRecord) -> str:
    record = AttachmentRecord(
        id=new_id(),
        by=owner.id,
        name="picture.png",
        media_type="image/png",
        size=len(PICTURE),
        sha256=vault.put(PICTURE),
        created=datetime.now(UTC),
    )
    attachments.add(session, record)
    return record.id
