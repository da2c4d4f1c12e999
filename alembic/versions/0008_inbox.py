"""Where questions lie in the inbox, and answers that nobody gave."""

import sqlalchemy as sa

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def partial(name: str, column: str, where: str) -> None:
    rows = sa.text(where)
    op.create_index(name, "inbox_item", [column], sqlite_where=rows, postgresql_where=rows)


def upgrade() -> None:
    create_inbox_item()
    op.create_index("ix_interrupt_settled_at_id", "interrupt", ["settled_at", "id"])
    with op.batch_alter_table("decision") as decision:
        decision.alter_column("by", existing_type=sa.String(36), nullable=True)


def create_inbox_item() -> None:
    op.create_table(
        "inbox_item",
        sa.Column("interrupt", sa.String(36), nullable=False),
        sa.Column("owner", sa.String(36), nullable=False),
        sa.Column("agent", sa.String(36), nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("roles", sa.Integer, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("holder", sa.String(36), nullable=True),
        sa.Column("held_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("held_by", sa.String(36), nullable=True),
        sa.Column("raised", sa.Integer, nullable=False, server_default="0"),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("reminded_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("escalate_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("escalated_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("by IN ('requester', 'role', 'other', 'two', 'nobody')", name="ck_inbox_item_by"),
        sa.CheckConstraint("(holder IS NULL) = (held_at IS NULL)", name="ck_inbox_item_held"),
        sa.ForeignKeyConstraint(
            ["interrupt"], ["interrupt.id"], name="fk_inbox_item_interrupt", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["owner"], ["user.id"], name="fk_inbox_item_owner", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["agent"], ["agent.id"], name="fk_inbox_item_agent", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["holder"], ["user.id"], name="fk_inbox_item_holder", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["held_by"], ["user.id"], name="fk_inbox_item_held_by", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("interrupt", name="pk_inbox_item"),
    )
    op.create_index("ix_inbox_item_owner", "inbox_item", ["owner"])
    op.create_index("ix_inbox_item_holder", "inbox_item", ["holder"])
    op.create_index("ix_inbox_item_agent_rules", "inbox_item", ["agent", "rules"])
    partial("ix_inbox_item_remind", "remind_at", "reminded_at IS NULL")
    partial("ix_inbox_item_escalate", "escalate_at", "escalated_at IS NULL")


def downgrade() -> None:
    op.execute("DELETE FROM decision WHERE by IS NULL")
    with op.batch_alter_table("decision") as decision:
        decision.alter_column("by", existing_type=sa.String(36), nullable=False)
    op.drop_index("ix_interrupt_settled_at_id", "interrupt")
    op.drop_table("inbox_item")
