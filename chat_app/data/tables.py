"""Every table, on one screen or so. What may never be true together is refused here.

Deleting a `thread` deletes everything of it; a user or an agent that anything names cannot be deleted.
Constraints have names, so that a migration can speak of them. A change here needs a migration.
"""

from datetime import datetime
from typing import get_args

from pydantic import JsonValue
from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKeyConstraint,
    Index,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)
from sqlmodel import Field, SQLModel

from chat_app.data import records
from chat_app.data.columns import Names, counted, key, moment, one_of, open_json, partial, ref, text, worded

NAMES = {
    "pk": "pk_%(table_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
}


class Base(SQLModel):
    """Parent of our tables, with a catalogue of its own: tables of other packages are not ours to migrate."""

    metadata = MetaData(naming_convention=NAMES)


class User(Base, table=True):
    """A person. Erasing one leaves a nameless row, because others point at it."""

    __tablename__ = "user"
    __table_args__ = (UniqueConstraint("name"),)

    id: str = key()
    name: str = text()
    display_name: str = text()
    roles: list[str] = Field(sa_type=Names, nullable=False)
    active: bool
    created: datetime = moment()


class AuthSession(Base, table=True):
    """A sign-in. The token in the cookie is not stored, only its SHA-256."""

    __tablename__ = "auth_session"
    __table_args__ = (UniqueConstraint("token_hash"), Index(None, "expires_at"))

    id: str = key()
    user: str = ref("user", ondelete="CASCADE", index=True)
    token_hash: str = text()
    created: datetime = moment()
    expires_at: datetime = moment()
    last_seen: datetime = moment()
    revoked_at: datetime | None = moment(null=True)
    ends_at: datetime | None = moment(null=True)
    way: str = worded()
    device: str = worded()


class Password(Base, table=True):
    """The hash of a person's password, apart from the person: nothing that reads people reads it."""

    __tablename__ = "password"

    user: str = Field(sa_type=String(36), foreign_key="user.id", ondelete="CASCADE", primary_key=True)
    hash: str = text()
    changed: datetime = moment()


class Invitation(Base, table=True):
    """A link that lets one person in once: to make an account, or to set a new password of theirs."""

    __tablename__ = "invitation"
    __table_args__ = (
        one_of("kind", get_args(records.InvitationKind)),
        CheckConstraint("(kind = 'reset') = (\"user\" IS NOT NULL)", name="whose"),
        UniqueConstraint("token_hash"),
    )

    id: str = key()
    kind: str = text()
    token_hash: str = text()
    user: str | None = ref("user", ondelete="CASCADE", null=True, index=True)
    name: str = text()
    roles: list[str] = Field(sa_type=Names, nullable=False)
    by: str | None = ref("user", ondelete="SET NULL", null=True, index=True)
    created: datetime = moment()
    expires_at: datetime = moment()
    used_at: datetime | None = moment(null=True)


class SignInAttempt(Base, table=True):
    """A browser on its way through a sign-in provider; what it brings back is compared with this, once.

    With `user` it went there as somebody who is signed in, to connect who they are there.
    """

    __tablename__ = "sign_in_attempt"
    __table_args__ = (Index(None, "expires_at"),)

    state_hash: str = Field(sa_type=String(64), primary_key=True)
    nonce: str = text()
    verifier: str = text()
    back: str = text()
    user: str | None = ref("user", ondelete="CASCADE", null=True, index=True)
    expires_at: datetime = moment()


class Identity(Base, table=True):
    """Who a person is at a sign-in provider: one subject there is one person here."""

    __tablename__ = "identity"
    __table_args__ = (UniqueConstraint("issuer", "subject"),)

    id: str = key()
    user: str = ref("user", ondelete="CASCADE", index=True)
    issuer: str = text()
    subject: str = text()
    created: datetime = moment()
    last_seen: datetime = moment()


class Agent(Base, table=True):
    """An AG-UI endpoint and what is known of it."""

    __tablename__ = "agent"
    __table_args__ = (UniqueConstraint("name"),)

    id: str = key()
    name: str = text()
    url: str = text()
    headers_encrypted: str | None = text(null=True)
    profile: str = text()
    keeps_history: bool
    capabilities: JsonValue = open_json(null=True)
    policy: JsonValue = open_json(null=True)
    enabled: bool
    builtin: bool
    created: datetime = moment()
    updated: datetime = moment()
    suggestions: list[str] = Field(sa_type=Names, nullable=False, sa_column_kwargs={"server_default": "[]"})
    tested: JsonValue = open_json(null=True)
    tools: list[str] = Field(sa_type=Names, nullable=False, sa_column_kwargs={"server_default": "[]"})
    dropped: bool = Field(sa_column_kwargs={"server_default": false()})


class Thread(Base, table=True):
    """A conversation; `branch` is the one shown.

    `leaf` names its last message without a foreign key: the two would point at each other.
    """

    __tablename__ = "thread"
    __table_args__ = (
        one_of("mark", get_args(records.ThreadMark)),
        UniqueConstraint("agent", "wire_id"),
        partial("ix_thread_list", "owner", "archived", "pinned", "updated", "id", where="deleted_at IS NULL"),
        partial("ix_thread_unindexed", "owner", where="indexed_seq <> last_seq"),
        partial("ix_thread_deleted", "deleted_at", where="deleted_at IS NOT NULL"),
        Index(None, "agent", "updated", "id"),
        Index(None, "owner", "id"),
        partial("ix_thread_newest", "updated", "id", where="deleted_at IS NULL"),
        partial("ix_thread_mark_newest", "mark", "updated", "id", where="deleted_at IS NULL"),
    )

    id: str = key()
    owner: str = ref("user", ondelete="RESTRICT")
    agent: str = ref("agent", ondelete="RESTRICT")
    wire_id: str = text()
    leaf: str | None = Field(sa_type=String(36), nullable=True)
    title: str = text()
    pinned: bool
    archived: bool
    state: JsonValue = open_json(null=True)
    state_seen: bool
    last_seq: int
    seen_seq: int
    mark: str = text()
    created: datetime = moment()
    updated: datetime = moment()
    deleted_at: datetime | None = moment(null=True)
    branch: int = counted()
    tags: list[str] = Field(sa_type=Names, nullable=False, sa_column_kwargs={"server_default": "[]"})
    indexed_seq: int = counted()


class SearchEntry(Base, table=True):
    """What can be searched for: the title of a thread, or the text of a message it shows, folded for comparing.

    Derived from the other tables and brought up to date when somebody searches; `indexed_seq` of a thread says how far.
    """

    __tablename__ = "search_entry"
    __table_args__ = (Index(None, "owner", "at", "id"),)

    id: str = key()
    owner: str = ref("user", ondelete="RESTRICT")
    thread: str = ref("thread", ondelete="CASCADE", index=True)
    message: str | None = ref("message", ondelete="CASCADE", null=True, index=True)
    at: datetime = moment()
    folded: str = text()


class Branch(Base, table=True):
    """A way a conversation went: what its parent held before position `fork`, and its own from there on.

    A thread that was never edited has none and is all branch 0.
    """

    __tablename__ = "branch"
    __table_args__ = (
        ForeignKeyConstraint(
            ["thread", "parent"],
            ["branch.thread", "branch.number"],
            name="fk_branch_parent",
            ondelete="CASCADE",
        ),
        CheckConstraint("(number = 0) = (parent IS NULL)", name="root"),
        CheckConstraint("parent < number", name="later"),
        CheckConstraint("(message IS NULL) = (parent IS NULL)", name="turned"),
        Index(None, "thread", "parent"),
    )

    thread: str = Field(sa_type=String(36), foreign_key="thread.id", ondelete="CASCADE", primary_key=True)
    number: int = Field(primary_key=True)
    parent: int | None
    fork: int
    message: str | None = Field(sa_type=String(36), nullable=True)
    wire_id: str = text()
    by: str = ref("user", ondelete="RESTRICT")
    created: datetime = moment()


class Exchange(Base, table=True):
    """The answer to one act of a person. At most one per thread is alive; a worker holds it by a lease."""

    __tablename__ = "exchange"
    __table_args__ = (
        one_of("kind", get_args(records.ExchangeKind)),
        CheckConstraint("stop_requested_by IS NULL OR stop_requested_at IS NOT NULL", name="stop"),
        partial("uq_exchange_live", "thread", where="ended IS NULL", unique=True),
        partial("ix_exchange_lease", "lease_until", where="ended IS NULL"),
    )

    id: str = key()
    thread: str = ref("thread", ondelete="CASCADE", index=True)
    kind: str = text()
    by: str = ref("user", ondelete="RESTRICT")
    worker_id: str = text()
    lease_until: datetime = moment()
    stop_requested_at: datetime | None = moment(null=True)
    stop_requested_by: str | None = ref("user", ondelete="RESTRICT", null=True)
    started: datetime = moment()
    ended: datetime | None = moment(null=True)


class Run(Base, table=True):
    """One AG-UI run of an exchange. Its answers are sealed once, and only after it asked."""

    __tablename__ = "run"
    __table_args__ = (
        one_of("status", get_args(records.RunStatus)),
        CheckConstraint("(status = 'running') = (ended IS NULL)", name="ended"),
        CheckConstraint("sealed_at IS NULL OR status IN ('interrupted', 'failed')", name="sealed"),
        UniqueConstraint("thread", "wire_run_id"),
        Index(None, "thread", "branch", "started", "id"),
        Index(None, "thread", "started", "id"),
        Index(None, "started"),
        partial("ix_run_note", "thread", "note_position", where="note_position IS NOT NULL"),
    )

    id: str = key()
    exchange: str = ref("exchange", ondelete="CASCADE", index=True)
    thread: str = ref("thread", ondelete="CASCADE")
    wire_run_id: str = text()
    parent: str | None = ref("run", ondelete="SET NULL", null=True, index=True)
    status: str = text()
    error_code: str | None = text(null=True)
    error_message: str | None = text(null=True)
    usage: JsonValue = open_json(null=True)
    diagnostics: JsonValue = open_json(null=True)
    sealed_at: datetime | None = moment(null=True)
    started: datetime = moment()
    ended: datetime | None = moment(null=True)
    note_position: int | None
    branch: int = counted()


class RunEvent(Base, table=True):
    """The log of a thread: append-only, in order, enough to fold the rest from. It has no id of its own."""

    __tablename__ = "run_event"
    __table_args__ = (Index(None, "run", "seq"),)

    thread: str = Field(sa_type=String(36), foreign_key="thread.id", ondelete="CASCADE", primary_key=True)
    seq: int = Field(primary_key=True)
    run: str | None = ref("run", ondelete="CASCADE", null=True)
    type: str = text()
    payload: JsonValue = open_json()
    at: datetime = moment()


class Message(Base, table=True):
    """One row of the drawn transcript, in the branch it is drawn in."""

    __tablename__ = "message"
    __table_args__ = (
        UniqueConstraint("thread", "branch", "key"),
        Index(None, "thread", "branch", "position", "key"),
    )

    id: str = key()
    thread: str = ref("thread", ondelete="CASCADE")
    parent: str | None = ref("message", ondelete="SET NULL", null=True, index=True)
    position: int
    key: str = text()
    wire_id: str = text()
    role: str = text()
    content: list[JsonValue] = open_json()
    run: str | None = ref("run", ondelete="SET NULL", null=True, index=True)
    created: datetime = moment()
    updated: datetime = moment()
    branch: int = counted()


class ToolCall(Base, table=True):
    """A tool call of a message, for those who look for calls rather than for text."""

    __tablename__ = "tool_call"
    __table_args__ = (
        one_of("status", get_args(records.ToolCallStatus)),
        UniqueConstraint("message", "wire_id"),
        Index(None, "name", "message"),
    )

    id: str = key()
    message: str = ref("message", ondelete="CASCADE")
    wire_id: str = text()
    name: str = text()
    arguments: str = text()
    status: str = text()
    result: str | None = text(null=True)
    started: datetime = moment()
    ended: datetime | None = moment(null=True)


class Interrupt(Base, table=True):
    """A question a run ended with."""

    __tablename__ = "interrupt"
    __table_args__ = (
        one_of("status", get_args(records.InterruptStatus)),
        one_of("kind", get_args(records.InterruptKind)),
        CheckConstraint("settled_at IS NULL OR status <> 'pending'", name="settled"),
        UniqueConstraint("run", "wire_id"),
        Index(None, "thread", "position", "id"),
        Index(None, "settled_at", "id"),
        partial("ix_interrupt_expiry", "expires_at", where="status = 'pending'"),
    )

    id: str = key()
    thread: str = ref("thread", ondelete="CASCADE")
    run: str = ref("run", ondelete="CASCADE")
    wire_id: str = text()
    position: int
    reason: str = text()
    message: str | None = text(null=True)
    tool_call: str | None = text(null=True)
    tool_name: str | None = text(null=True)
    args: str | None = text(null=True)
    response_schema: JsonValue = open_json(null=True)
    expires_at: datetime | None = moment(null=True)
    metadata_: JsonValue = open_json(null=True, name="metadata")
    args_digest: str | None = text(null=True)
    status: str = text()
    created: datetime = moment()
    kind: str = Field(sa_type=Text, nullable=False, sa_column_kwargs={"server_default": "interrupt"})
    settled_at: datetime | None = moment(null=True)


class Decision(Base, table=True):
    """The one answer to an interrupt; without `by` it was the agent's policy that gave an expired batch up."""

    __tablename__ = "decision"
    __table_args__ = (
        one_of("kind", get_args(records.DecisionKind)),
        CheckConstraint("edited_args IS NULL OR kind = 'edit'", name="edited"),
        UniqueConstraint("interrupt"),
    )

    id: str = key()
    interrupt: str = ref("interrupt", ondelete="CASCADE")
    by: str | None = ref("user", ondelete="RESTRICT", null=True, index=True)
    kind: str = text()
    payload: JsonValue = open_json(null=True)
    edited_args: JsonValue = open_json(null=True)
    digest: str | None = text(null=True)
    note: str = text()
    at: datetime = moment()
    resume_run: str | None = ref("run", ondelete="SET NULL", null=True, index=True)


class Endorsement(Base, table=True):
    """One person's answer to a question that two must answer alike: at most one each, until the decision."""

    __tablename__ = "endorsement"
    __table_args__ = (
        one_of("kind", get_args(records.DecisionKind)),
        CheckConstraint("edited_args IS NULL OR kind = 'edit'", name="edited"),
        UniqueConstraint("interrupt", "by"),
    )

    id: str = key()
    interrupt: str = ref("interrupt", ondelete="CASCADE")
    by: str = ref("user", ondelete="RESTRICT", index=True)
    kind: str = text()
    payload: JsonValue = open_json(null=True)
    edited_args: JsonValue = open_json(null=True)
    digest: str | None = text(null=True)
    note: str = text()
    at: datetime = moment()


class InboxItem(Base, table=True):
    """Where a question lies in the inbox: who decides it under which rules, who has it in hand, what time brings.

    `by` and `roles` are what the agent's policy with the fingerprint `rules` says; `raised` are the roles that may
    decide it too since it was escalated. Roles are bits.
    """

    __tablename__ = "inbox_item"
    __table_args__ = (
        one_of("by", get_args(records.DecidedBy)),
        CheckConstraint("(holder IS NULL) = (held_at IS NULL)", name="held"),
        Index(None, "agent", "rules"),
        partial("ix_inbox_item_remind", "remind_at", where="reminded_at IS NULL"),
        partial("ix_inbox_item_escalate", "escalate_at", where="escalated_at IS NULL"),
    )

    interrupt: str = Field(
        sa_type=String(36), foreign_key="interrupt.id", ondelete="CASCADE", primary_key=True
    )
    owner: str = ref("user", ondelete="RESTRICT", index=True)
    agent: str = ref("agent", ondelete="RESTRICT")
    by: str = text()
    roles: int
    rules: str = text()
    holder: str | None = ref("user", ondelete="RESTRICT", null=True, index=True)
    held_at: datetime | None = moment(null=True)
    held_by: str | None = ref("user", ondelete="SET NULL", null=True)
    raised: int = counted()
    remind_at: datetime | None = moment(null=True)
    reminded_at: datetime | None = moment(null=True)
    escalate_at: datetime | None = moment(null=True)
    escalated_at: datetime | None = moment(null=True)


class Webhook(Base, table=True):
    """Where notices are posted to; its address and its secret are encrypted."""

    __tablename__ = "webhook"
    __table_args__ = (UniqueConstraint("name"),)

    id: str = key()
    name: str = text()
    place: str = text()
    sealed: str = text()
    kinds: list[str] = Field(sa_type=Names, nullable=False)
    enabled: bool
    created: datetime = moment()
    updated: datetime = moment()


class MailAddress(Base, table=True):
    """Where a person reads mail, and whether they want notices there."""

    __tablename__ = "mail_address"

    user: str = Field(sa_type=String(36), foreign_key="user.id", ondelete="CASCADE", primary_key=True)
    address: str = text()
    wanted: bool
    changed: datetime = moment()


class Delivery(Base, table=True):
    """A notice on its way: one row for each target of each channel, whoever writes it down and however often.

    A worker holds it by a lease while it is sent.
    """

    __tablename__ = "delivery"
    __table_args__ = (
        one_of("kind", get_args(records.NoticeKind)),
        one_of("channel", get_args(records.Channel)),
        one_of("state", get_args(records.DeliveryState)),
        CheckConstraint("(held_by IS NULL) = (lease_until IS NULL)", name="held"),
        CheckConstraint("(state = 'waiting') = (settled_at IS NULL)", name="settled"),
        UniqueConstraint("notice", "channel", "target"),
        Index(None, "created", "id"),
        Index(None, "state", "created", "id"),
        partial("ix_delivery_due", "due", where="state = 'waiting'"),
    )

    id: str = key()
    notice: str = text()
    kind: str = text()
    channel: str = text()
    target: str = text()
    webhook: str | None = ref("webhook", ondelete="CASCADE", null=True, index=True)
    user: str | None = ref("user", ondelete="CASCADE", null=True, index=True)
    interrupt: str | None = ref("interrupt", ondelete="CASCADE", null=True, index=True)
    facts: JsonValue = open_json()
    state: str = text()
    attempts: int
    due: datetime = moment()
    held_by: str | None = Field(sa_type=String(36), nullable=True)
    lease_until: datetime | None = moment(null=True)
    outcome: str = text()
    created: datetime = moment()
    settled_at: datetime | None = moment(null=True)


class QueuedSend(Base, table=True):
    """A line that waits until the answer under way is over; `urgent` ones go first."""

    __tablename__ = "queued_send"
    __table_args__ = (UniqueConstraint("thread", "position"),)

    id: str = key()
    thread: str = ref("thread", ondelete="CASCADE")
    by: str = ref("user", ondelete="RESTRICT", index=True)
    position: int
    text: str = text()
    parts: JsonValue = open_json(null=True)
    urgent: bool
    created: datetime = moment()
    updated: datetime = moment()


class StateVersion(Base, table=True):
    """The state after a run, or as a person left it: whole, or as a JSON Patch of the version `base` of the thread."""

    __tablename__ = "state_version"
    __table_args__ = (
        one_of("kind", get_args(records.StateKind)),
        CheckConstraint("(kind = 'patch') = (base IS NOT NULL)", name="based"),
        CheckConstraint("base < seq", name="earlier"),
        CheckConstraint("(kind = 'patch') = (depth > 0)", name="deep"),
        ForeignKeyConstraint(
            ["thread", "base"],
            ["state_version.thread", "state_version.seq"],
            name="fk_state_version_base",
            ondelete="CASCADE",
        ),
        Index(None, "thread", "branch", "seq"),
        Index(None, "thread", "base"),
    )

    thread: str = Field(sa_type=String(36), foreign_key="thread.id", ondelete="CASCADE", primary_key=True)
    seq: int = Field(primary_key=True)
    branch: int
    run: str | None = ref("run", ondelete="SET NULL", null=True, index=True)
    kind: str = text()
    base: int | None
    depth: int
    document: JsonValue = open_json()
    at: datetime = moment()
    by: str | None = ref("user", ondelete="RESTRICT", null=True, index=True)


class Feedback(Base, table=True):
    """What a person thought of a message; one opinion each."""

    __tablename__ = "feedback"
    __table_args__ = (one_of("verdict", get_args(records.Verdict)), UniqueConstraint("message", "by"))

    id: str = key()
    message: str = ref("message", ondelete="CASCADE")
    by: str = ref("user", ondelete="RESTRICT", index=True)
    verdict: str = text()
    note: str = text()
    created: datetime = moment()
    updated: datetime = moment()


class Attachment(Base, table=True):
    """A file of a thread, named by its content; its bytes are kept outside the database.

    Until it is sent it has no thread, and only who brought it knows of it.
    """

    __tablename__ = "attachment"
    __table_args__ = (
        CheckConstraint("size >= 0", name="size"),
        CheckConstraint("length(sha256) = 64", name="sha256"),
        Index(None, "sha256"),
        partial("ix_attachment_unsent", "created", where="thread IS NULL"),
    )

    id: str = key()
    thread: str | None = ref("thread", ondelete="CASCADE", null=True, index=True)
    message: str | None = ref("message", ondelete="SET NULL", null=True, index=True)
    by: str = ref("user", ondelete="RESTRICT", index=True)
    name: str = text()
    media_type: str = text()
    size: int = Field(sa_type=BigInteger, nullable=False)
    sha256: str = text()
    created: datetime = moment()


class Audit(Base, table=True):
    """Who did what, for ever: no row of it can be changed, and each holds the hash of the one before.

    It points at nothing, so that it outlives what it speaks of.
    """

    __tablename__ = "audit"
    __table_args__ = (UniqueConstraint("hash"), Index(None, "object", "seq"), Index(None, "actor", "seq"))

    seq: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    at: datetime = moment()
    actor: str | None = text(null=True)
    action: str = text()
    object: str = text()
    reason: str = text()
    detail: JsonValue = open_json(null=True)
    previous: str = text()
    hash: str = text()


def table_of(model: type[Base]) -> Table:
    """Return the table of a model: repositories write statements over columns, never over objects."""
    return Base.metadata.tables[str(model.__tablename__)]
