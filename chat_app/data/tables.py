"""Every table, on one screen or so. What may never be true together is refused here.

Deleting a `thread` deletes everything of it; a user or an agent that anything names cannot be deleted.
Constraints have names, so that a migration can speak of them. A change here needs a migration.
"""

from datetime import datetime
from typing import get_args

from pydantic import JsonValue
from sqlalchemy import CheckConstraint, Index, MetaData, String, Table, UniqueConstraint
from sqlmodel import Field, SQLModel

from chat_app.data import records
from chat_app.data.columns import Names, key, moment, one_of, open_json, partial, ref, text

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
    __table_args__ = (UniqueConstraint("token_hash"),)

    id: str = key()
    user: str = ref("user", ondelete="CASCADE", index=True)
    token_hash: str = text()
    created: datetime = moment()
    expires_at: datetime = moment()
    last_seen: datetime = moment()
    revoked_at: datetime | None = moment(null=True)


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


class Thread(Base, table=True):
    """A conversation. `leaf` names a message without a foreign key: the two would point at each other."""

    __tablename__ = "thread"
    __table_args__ = (
        one_of("mark", get_args(records.ThreadMark)),
        UniqueConstraint("agent", "wire_id"),
        partial("ix_thread_list", "owner", "archived", "updated", "id", where="deleted_at IS NULL"),
        partial("ix_thread_deleted", "deleted_at", where="deleted_at IS NOT NULL"),
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
        CheckConstraint("sealed_at IS NULL OR status = 'interrupted'", name="sealed"),
        UniqueConstraint("thread", "wire_run_id"),
        Index(None, "thread", "started", "id"),
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
    """One row of the drawn transcript; a tree, of which `thread.leaf` names the branch shown."""

    __tablename__ = "message"
    __table_args__ = (UniqueConstraint("thread", "key"), Index(None, "thread", "position", "key"))

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


class ToolCall(Base, table=True):
    """A tool call of a message, for those who look for calls rather than for text."""

    __tablename__ = "tool_call"
    __table_args__ = (
        one_of("status", get_args(records.ToolCallStatus)),
        UniqueConstraint("message", "wire_id"),
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
        UniqueConstraint("run", "wire_id"),
        Index(None, "thread", "position", "id"),
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


class Decision(Base, table=True):
    """The one answer to an interrupt."""

    __tablename__ = "decision"
    __table_args__ = (
        one_of("kind", get_args(records.DecisionKind)),
        CheckConstraint("edited_args IS NULL OR kind = 'edit'", name="edited"),
        UniqueConstraint("interrupt"),
    )

    id: str = key()
    interrupt: str = ref("interrupt", ondelete="CASCADE")
    by: str = ref("user", ondelete="RESTRICT")
    kind: str = text()
    payload: JsonValue = open_json(null=True)
    edited_args: JsonValue = open_json(null=True)
    digest: str | None = text(null=True)
    note: str = text()
    at: datetime = moment()
    resume_run: str | None = ref("run", ondelete="SET NULL", null=True, index=True)


def table_of(model: type[Base]) -> Table:
    """Return the table of a model: repositories write statements over columns, never over objects."""
    return Base.metadata.tables[str(model.__tablename__)]
