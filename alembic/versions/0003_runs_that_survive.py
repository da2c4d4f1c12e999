"""Runs that survive: branches, queued lines, versions of the state, opinions, files, sign-ins elsewhere, the audit."""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


ID = sa.String(36)
UTC = sa.DateTime(timezone=True)
MADE = ("audit", "attachment", "feedback", "state_version", "queued_send", "branch", "identity")
KINDS = "CONSTRAINT ck_interrupt_kind CHECK (kind IN ('interrupt', 'ask'))"


def given(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def maybe(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=True)


def to(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=f"fk_{table}_{column}", ondelete=ondelete
    )


def upgrade() -> None:
    extend_known_tables()
    create_identity()
    create_branch()
    create_queued_send()
    create_state_version()
    create_feedback()
    create_attachment()
    create_audit()
    op.create_index("ix_auth_session_expires_at", "auth_session", ["expires_at"])
    op.create_index("ix_thread_agent_updated_id", "thread", ["agent", "updated", "id"])
    op.create_index("ix_thread_owner_id", "thread", ["owner", "id"])
    op.create_index("ix_decision_by", "decision", ["by"])
    op.create_index("ix_run_thread_branch_started_id", "run", ["thread", "branch", "started", "id"])


def extend_known_tables() -> None:
    for table in ("thread", "run"):
        op.add_column(table, sa.Column("branch", sa.Integer, nullable=False, server_default="0"))
    # column checks by hand: SQLite adds them only together with their column, which Alembic does not
    op.execute(f"ALTER TABLE interrupt ADD COLUMN kind TEXT NOT NULL DEFAULT 'interrupt' {KINDS}")
    kind = "TIMESTAMP WITH TIME ZONE" if op.get_bind().dialect.name == "postgresql" else "DATETIME"
    settled = "CONSTRAINT ck_interrupt_settled CHECK (settled_at IS NULL OR status <> 'pending')"
    op.execute(f"ALTER TABLE interrupt ADD COLUMN settled_at {kind} {settled}")
    # a run may ask and fail in one breath; its questions can be answered all the same
    say_who_is_sealed("sealed_at IS NULL OR status IN ('interrupted', 'failed')")
    op.drop_index("ix_message_thread_position_key", "message")
    with op.batch_alter_table("message") as message:
        message.add_column(sa.Column("branch", sa.Integer, nullable=False, server_default="0"))
        message.drop_constraint("uq_message_thread_key", type_="unique")
        message.create_unique_constraint("uq_message_thread_branch_key", ["thread", "branch", "key"])
    op.create_index("ix_message_thread_branch_position_key", "message", ["thread", "branch", "position", "key"])


def say_who_is_sealed(rule: str) -> None:
    with op.batch_alter_table("run") as run:
        run.drop_constraint(op.f("ck_run_sealed"), type_="check")
        run.create_check_constraint(op.f("ck_run_sealed"), rule)


def create_identity() -> None:
    op.create_table(
        "identity",
        given("id", ID),
        given("user", ID),
        given("issuer", sa.Text),
        given("subject", sa.Text),
        given("created", UTC),
        given("last_seen", UTC),
        to("identity", "user", "user", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_identity"),
        sa.UniqueConstraint("issuer", "subject", name="uq_identity_issuer_subject"),
    )
    op.create_index("ix_identity_user", "identity", ["user"])


def create_branch() -> None:
    op.create_table(
        "branch",
        given("thread", ID),
        given("number", sa.Integer),
        maybe("parent", sa.Integer),
        given("fork", sa.Integer),
        maybe("message", ID),
        given("wire_id", sa.Text),
        given("by", ID),
        given("created", UTC),
        sa.CheckConstraint("(number = 0) = (parent IS NULL)", name=op.f("ck_branch_root")),
        sa.CheckConstraint("parent < number", name=op.f("ck_branch_later")),
        sa.CheckConstraint("(message IS NULL) = (parent IS NULL)", name=op.f("ck_branch_turned")),
        to("branch", "thread", "thread", "CASCADE"),
        to("branch", "by", "user", "RESTRICT"),
        sa.PrimaryKeyConstraint("thread", "number", name="pk_branch"),
        sa.ForeignKeyConstraint(
            ["thread", "parent"],
            ["branch.thread", "branch.number"],
            name="fk_branch_parent",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_branch_thread_parent", "branch", ["thread", "parent"])


def create_queued_send() -> None:
    op.create_table(
        "queued_send",
        given("id", ID),
        given("thread", ID),
        given("by", ID),
        given("position", sa.Integer),
        given("text", sa.Text),
        maybe("parts", sa.JSON),
        given("urgent", sa.Boolean),
        given("created", UTC),
        given("updated", UTC),
        to("queued_send", "thread", "thread", "CASCADE"),
        to("queued_send", "by", "user", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="pk_queued_send"),
        sa.UniqueConstraint("thread", "position", name="uq_queued_send_thread_position"),
    )
    op.create_index("ix_queued_send_by", "queued_send", ["by"])


def create_state_version() -> None:
    op.create_table(
        "state_version",
        given("thread", ID),
        given("seq", sa.Integer),
        given("branch", sa.Integer),
        maybe("run", ID),
        given("kind", sa.Text),
        maybe("base", sa.Integer),
        given("depth", sa.Integer),
        given("document", sa.JSON),
        given("at", UTC),
        sa.CheckConstraint("kind IN ('snapshot', 'patch')", name=op.f("ck_state_version_kind")),
        sa.CheckConstraint("(kind = 'patch') = (base IS NOT NULL)", name=op.f("ck_state_version_based")),
        sa.CheckConstraint("base < seq", name=op.f("ck_state_version_earlier")),
        sa.CheckConstraint("(kind = 'patch') = (depth > 0)", name=op.f("ck_state_version_deep")),
        to("state_version", "thread", "thread", "CASCADE"),
        to("state_version", "run", "run", "SET NULL"),
        sa.PrimaryKeyConstraint("thread", "seq", name="pk_state_version"),
        sa.ForeignKeyConstraint(
            ["thread", "base"],
            ["state_version.thread", "state_version.seq"],
            name="fk_state_version_base",
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_state_version_thread_branch_seq", "state_version", ["thread", "branch", "seq"])
    op.create_index("ix_state_version_thread_base", "state_version", ["thread", "base"])
    op.create_index("ix_state_version_run", "state_version", ["run"])


def create_feedback() -> None:
    op.create_table(
        "feedback",
        given("id", ID),
        given("message", ID),
        given("by", ID),
        given("verdict", sa.Text),
        given("note", sa.Text),
        given("created", UTC),
        given("updated", UTC),
        sa.CheckConstraint("verdict IN ('good', 'bad')", name=op.f("ck_feedback_verdict")),
        to("feedback", "message", "message", "CASCADE"),
        to("feedback", "by", "user", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="pk_feedback"),
        sa.UniqueConstraint("message", "by", name="uq_feedback_message_by"),
    )
    op.create_index("ix_feedback_by", "feedback", ["by"])


def create_attachment() -> None:
    op.create_table(
        "attachment",
        given("id", ID),
        given("thread", ID),
        maybe("message", ID),
        given("by", ID),
        given("name", sa.Text),
        given("media_type", sa.Text),
        given("size", sa.BigInteger),
        given("sha256", sa.Text),
        given("created", UTC),
        sa.CheckConstraint("size >= 0", name=op.f("ck_attachment_size")),
        sa.CheckConstraint("length(sha256) = 64", name=op.f("ck_attachment_sha256")),
        to("attachment", "thread", "thread", "CASCADE"),
        to("attachment", "message", "message", "SET NULL"),
        to("attachment", "by", "user", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="pk_attachment"),
    )
    for column in ("thread", "message", "by", "sha256"):
        op.create_index(f"ix_attachment_{column}", "attachment", [column])


def create_audit() -> None:
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer, nullable=False, autoincrement=False),
        given("at", UTC),
        maybe("actor", sa.Text),
        given("action", sa.Text),
        given("object", sa.Text),
        given("reason", sa.Text),
        maybe("detail", sa.JSON),
        given("previous", sa.Text),
        given("hash", sa.Text),
        sa.PrimaryKeyConstraint("seq", name="pk_audit"),
        sa.UniqueConstraint("hash", name="uq_audit_hash"),
    )
    op.create_index("ix_audit_object_seq", "audit", ["object", "seq"])
    op.create_index("ix_audit_actor_seq", "audit", ["actor", "seq"])
    for statement in PROTECTION[op.get_bind().dialect.name]:
        op.execute(statement)


PROTECTION = {
    "sqlite": [
        f"CREATE TRIGGER audit_is_kept_{act} BEFORE {act} ON audit "
        "BEGIN SELECT RAISE(ABORT, 'the audit can only be added to'); END"
        for act in ("UPDATE", "DELETE")
    ],
    "postgresql": [
        "CREATE FUNCTION audit_is_kept() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "RAISE EXCEPTION 'the audit can only be added to' USING ERRCODE = 'integrity_constraint_violation'; "
        "END $$",
        "CREATE TRIGGER audit_is_kept BEFORE UPDATE OR DELETE ON audit "
        "FOR EACH ROW EXECUTE FUNCTION audit_is_kept()",
    ],
}
"""What keeps the audit append-only, whoever writes to it."""


def downgrade() -> None:
    # one way of each conversation is left: the first
    op.execute("DELETE FROM run WHERE branch > 0")
    op.execute("DELETE FROM message WHERE branch > 0")
    op.execute("UPDATE run SET sealed_at = NULL WHERE status = 'failed'")
    say_who_is_sealed("sealed_at IS NULL OR status = 'interrupted'")
    for table in MADE:
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        op.execute("DROP FUNCTION audit_is_kept()")
    op.drop_index("ix_auth_session_expires_at", "auth_session")
    op.drop_index("ix_thread_agent_updated_id", "thread")
    op.drop_index("ix_thread_owner_id", "thread")
    op.drop_index("ix_decision_by", "decision")
    op.drop_index("ix_run_thread_branch_started_id", "run")
    op.drop_index("ix_message_thread_branch_position_key", "message")
    with op.batch_alter_table("message") as message:
        message.drop_constraint("uq_message_thread_branch_key", type_="unique")
        message.drop_column("branch")
        message.create_unique_constraint("uq_message_thread_key", ["thread", "key"])
    op.create_index("ix_message_thread_position_key", "message", ["thread", "position", "key"])
    for table, column in (("interrupt", "settled_at"), ("interrupt", "kind"), ("run", "branch"), ("thread", "branch")):
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
