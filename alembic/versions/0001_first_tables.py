"""First tables: people, agents, threads and all that happens in a thread."""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


ID = sa.String(36)
UTC = sa.DateTime(timezone=True)


def given(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def maybe(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=True)


def only(rows: str) -> dict[str, sa.TextClause]:
    where = sa.text(rows)
    return {"sqlite_where": where, "postgresql_where": where}


def upgrade() -> None:
    create_agent()
    create_user()
    create_auth_session()
    create_thread()
    create_exchange()
    create_run()
    create_interrupt()
    create_message()
    create_run_event()
    create_decision()
    create_tool_call()


def create_agent() -> None:
    op.create_table(
        "agent",
        given("id", ID),
        given("name", sa.Text),
        given("url", sa.Text),
        maybe("headers_encrypted", sa.Text),
        given("profile", sa.Text),
        given("keeps_history", sa.Boolean),
        maybe("capabilities", sa.JSON),
        maybe("policy", sa.JSON),
        given("enabled", sa.Boolean),
        given("builtin", sa.Boolean),
        given("created", UTC),
        given("updated", UTC),
        sa.PrimaryKeyConstraint("id", name="pk_agent"),
        sa.UniqueConstraint("name", name="uq_agent_name"),
    )


def create_user() -> None:
    op.create_table(
        "user",
        given("id", ID),
        given("name", sa.Text),
        given("display_name", sa.Text),
        given("roles", sa.JSON),
        given("active", sa.Boolean),
        given("created", UTC),
        sa.PrimaryKeyConstraint("id", name="pk_user"),
        sa.UniqueConstraint("name", name="uq_user_name"),
    )


def create_auth_session() -> None:
    op.create_table(
        "auth_session",
        given("id", ID),
        given("user", ID),
        given("token_hash", sa.Text),
        given("created", UTC),
        given("expires_at", UTC),
        given("last_seen", UTC),
        maybe("revoked_at", UTC),
        sa.ForeignKeyConstraint(["user"], ["user.id"], name="fk_auth_session_user", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_auth_session"),
        sa.UniqueConstraint("token_hash", name="uq_auth_session_token_hash"),
    )
    op.create_index("ix_auth_session_user", "auth_session", ["user"])


def create_thread() -> None:
    op.create_table(
        "thread",
        given("id", ID),
        given("owner", ID),
        given("agent", ID),
        given("wire_id", sa.Text),
        maybe("leaf", ID),
        given("title", sa.Text),
        given("pinned", sa.Boolean),
        given("archived", sa.Boolean),
        maybe("state", sa.JSON),
        given("state_seen", sa.Boolean),
        given("last_seq", sa.Integer),
        given("seen_seq", sa.Integer),
        given("mark", sa.Text),
        given("created", UTC),
        given("updated", UTC),
        maybe("deleted_at", UTC),
        sa.CheckConstraint("mark IN ('', 'running', 'waiting', 'failed')", name=op.f("ck_thread_mark")),
        sa.ForeignKeyConstraint(["agent"], ["agent.id"], name="fk_thread_agent", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["owner"], ["user.id"], name="fk_thread_owner", ondelete="RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="pk_thread"),
        sa.UniqueConstraint("agent", "wire_id", name="uq_thread_agent_wire_id"),
    )
    op.create_index("ix_thread_deleted", "thread", ["deleted_at"], **only("deleted_at IS NOT NULL"))
    op.create_index(
        "ix_thread_list", "thread", ["owner", "archived", "updated", "id"], **only("deleted_at IS NULL")
    )


def create_exchange() -> None:
    op.create_table(
        "exchange",
        given("id", ID),
        given("thread", ID),
        given("kind", sa.Text),
        given("by", ID),
        given("worker_id", sa.Text),
        given("lease_until", UTC),
        maybe("stop_requested_at", UTC),
        maybe("stop_requested_by", ID),
        given("started", UTC),
        maybe("ended", UTC),
        sa.CheckConstraint("kind IN ('send', 'resume', 'retry', 'queued')", name=op.f("ck_exchange_kind")),
        sa.CheckConstraint(
            "stop_requested_by IS NULL OR stop_requested_at IS NOT NULL", name=op.f("ck_exchange_stop")
        ),
        sa.ForeignKeyConstraint(["by"], ["user.id"], name="fk_exchange_by", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(
            ["stop_requested_by"], ["user.id"], name="fk_exchange_stop_requested_by", ondelete="RESTRICT"
        ),
        sa.ForeignKeyConstraint(["thread"], ["thread.id"], name="fk_exchange_thread", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_exchange"),
    )
    op.create_index("ix_exchange_lease", "exchange", ["lease_until"], **only("ended IS NULL"))
    op.create_index("ix_exchange_thread", "exchange", ["thread"])
    op.create_index("uq_exchange_live", "exchange", ["thread"], unique=True, **only("ended IS NULL"))


def create_run() -> None:
    op.create_table(
        "run",
        given("id", ID),
        given("exchange", ID),
        given("thread", ID),
        given("wire_run_id", sa.Text),
        maybe("parent", ID),
        given("status", sa.Text),
        maybe("error_code", sa.Text),
        maybe("error_message", sa.Text),
        maybe("usage", sa.JSON),
        maybe("diagnostics", sa.JSON),
        maybe("sealed_at", UTC),
        given("started", UTC),
        maybe("ended", UTC),
        maybe("note_position", sa.Integer),
        sa.CheckConstraint("(status = 'running') = (ended IS NULL)", name=op.f("ck_run_ended")),
        sa.CheckConstraint("sealed_at IS NULL OR status = 'interrupted'", name=op.f("ck_run_sealed")),
        sa.CheckConstraint(
            "status IN ('running', 'success', 'interrupted', 'cancelled', 'failed')",
            name=op.f("ck_run_status"),
        ),
        sa.ForeignKeyConstraint(["exchange"], ["exchange.id"], name="fk_run_exchange", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["parent"], ["run.id"], name="fk_run_parent", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["thread"], ["thread.id"], name="fk_run_thread", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_run"),
        sa.UniqueConstraint("thread", "wire_run_id", name="uq_run_thread_wire_run_id"),
    )
    op.create_index("ix_run_exchange", "run", ["exchange"])
    op.create_index("ix_run_note", "run", ["thread", "note_position"], **only("note_position IS NOT NULL"))
    op.create_index("ix_run_parent", "run", ["parent"])
    op.create_index("ix_run_thread_started_id", "run", ["thread", "started", "id"])


def create_interrupt() -> None:
    op.create_table(
        "interrupt",
        given("id", ID),
        given("thread", ID),
        given("run", ID),
        given("wire_id", sa.Text),
        given("position", sa.Integer),
        given("reason", sa.Text),
        maybe("message", sa.Text),
        maybe("tool_call", sa.Text),
        maybe("tool_name", sa.Text),
        maybe("args", sa.Text),
        maybe("response_schema", sa.JSON),
        maybe("expires_at", UTC),
        maybe("metadata", sa.JSON),
        maybe("args_digest", sa.Text),
        given("status", sa.Text),
        given("created", UTC),
        sa.CheckConstraint(
            "status IN ('pending', 'answered', 'cancelled', 'expired', 'superseded', 'withdrawn')",
            name=op.f("ck_interrupt_status"),
        ),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_interrupt_run", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["thread"], ["thread.id"], name="fk_interrupt_thread", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_interrupt"),
        sa.UniqueConstraint("run", "wire_id", name="uq_interrupt_run_wire_id"),
    )
    op.create_index("ix_interrupt_expiry", "interrupt", ["expires_at"], **only("status = 'pending'"))
    op.create_index("ix_interrupt_thread_position_id", "interrupt", ["thread", "position", "id"])


def create_message() -> None:
    op.create_table(
        "message",
        given("id", ID),
        given("thread", ID),
        maybe("parent", ID),
        given("position", sa.Integer),
        given("key", sa.Text),
        given("wire_id", sa.Text),
        given("role", sa.Text),
        given("content", sa.JSON),
        maybe("run", ID),
        given("created", UTC),
        given("updated", UTC),
        sa.ForeignKeyConstraint(["parent"], ["message.id"], name="fk_message_parent", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_message_run", ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["thread"], ["thread.id"], name="fk_message_thread", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_message"),
        sa.UniqueConstraint("thread", "key", name="uq_message_thread_key"),
    )
    op.create_index("ix_message_parent", "message", ["parent"])
    op.create_index("ix_message_run", "message", ["run"])
    op.create_index("ix_message_thread_position_key", "message", ["thread", "position", "key"])


def create_run_event() -> None:
    op.create_table(
        "run_event",
        given("thread", ID),
        given("seq", sa.Integer),
        maybe("run", ID),
        given("type", sa.Text),
        given("payload", sa.JSON),
        given("at", UTC),
        sa.ForeignKeyConstraint(["run"], ["run.id"], name="fk_run_event_run", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["thread"], ["thread.id"], name="fk_run_event_thread", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("thread", "seq", name="pk_run_event"),
    )
    op.create_index("ix_run_event_run_seq", "run_event", ["run", "seq"])


def create_decision() -> None:
    op.create_table(
        "decision",
        given("id", ID),
        given("interrupt", ID),
        given("by", ID),
        given("kind", sa.Text),
        maybe("payload", sa.JSON),
        maybe("edited_args", sa.JSON),
        maybe("digest", sa.Text),
        given("note", sa.Text),
        given("at", UTC),
        maybe("resume_run", ID),
        sa.CheckConstraint("edited_args IS NULL OR kind = 'edit'", name=op.f("ck_decision_edited")),
        sa.CheckConstraint(
            "kind IN ('approve', 'edit', 'reject', 'respond', 'cancel')", name=op.f("ck_decision_kind")
        ),
        sa.ForeignKeyConstraint(["by"], ["user.id"], name="fk_decision_by", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(
            ["interrupt"], ["interrupt.id"], name="fk_decision_interrupt", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["resume_run"], ["run.id"], name="fk_decision_resume_run", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_decision"),
        sa.UniqueConstraint("interrupt", name="uq_decision_interrupt"),
    )
    op.create_index("ix_decision_resume_run", "decision", ["resume_run"])


def create_tool_call() -> None:
    op.create_table(
        "tool_call",
        given("id", ID),
        given("message", ID),
        given("wire_id", sa.Text),
        given("name", sa.Text),
        given("arguments", sa.Text),
        given("status", sa.Text),
        maybe("result", sa.Text),
        given("started", UTC),
        maybe("ended", UTC),
        sa.CheckConstraint(
            "status IN ('streaming_arguments', 'awaiting_result', 'awaiting_approval', 'awaiting_answer', 'complete', 'failed')",
            name=op.f("ck_tool_call_status"),
        ),
        sa.ForeignKeyConstraint(["message"], ["message.id"], name="fk_tool_call_message", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_tool_call"),
        sa.UniqueConstraint("message", "wire_id", name="uq_tool_call_message_wire_id"),
    )


def downgrade() -> None:
    for table in (
        "tool_call",
        "decision",
        "run_event",
        "message",
        "interrupt",
        "run",
        "exchange",
        "thread",
        "auth_session",
        "user",
        "agent",
    ):
        op.drop_table(table)
