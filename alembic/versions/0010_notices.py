"""Who is told of questions: webhooks, addresses of people, and notices on their way."""

import sqlalchemy as sa

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KINDS = "'asked', 'assigned', 'reminder', 'escalated', 'expired', 'decided', 'test'"
WAITING = sa.text("state = 'waiting'")


def upgrade() -> None:
    create_webhook()
    create_mail_address()
    create_delivery()


def create_webhook() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("sealed", sa.Text, nullable=False),
        sa.Column("kinds", sa.JSON, nullable=False),
        sa.Column("enabled", sa.Boolean, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_webhook"),
        sa.UniqueConstraint("name", name="uq_webhook_name"),
    )


def create_mail_address() -> None:
    op.create_table(
        "mail_address",
        sa.Column("user", sa.String(36), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("wanted", sa.Boolean, nullable=False),
        sa.Column("changed", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user"], ["user.id"], name="fk_mail_address_user", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user", name="pk_mail_address"),
    )


def create_delivery() -> None:
    op.create_table(
        "delivery",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("notice", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("channel", sa.Text, nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("webhook", sa.String(36), nullable=True),
        sa.Column("user", sa.String(36), nullable=True),
        sa.Column("interrupt", sa.String(36), nullable=True),
        sa.Column("facts", sa.JSON, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("due", sa.DateTime(timezone=True), nullable=False),
        sa.Column("held_by", sa.String(36), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.Column("created", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(f"kind IN ({KINDS})", name="ck_delivery_kind"),
        sa.CheckConstraint("channel IN ('webhook', 'mail', 'added')", name="ck_delivery_channel"),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'failed', 'dropped')", name="ck_delivery_state"),
        sa.CheckConstraint("(held_by IS NULL) = (lease_until IS NULL)", name="ck_delivery_held"),
        sa.CheckConstraint("(state = 'waiting') = (settled_at IS NULL)", name="ck_delivery_settled"),
        sa.ForeignKeyConstraint(["webhook"], ["webhook.id"], name="fk_delivery_webhook", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user"], ["user.id"], name="fk_delivery_user", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["interrupt"], ["interrupt.id"], name="fk_delivery_interrupt", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_delivery"),
        sa.UniqueConstraint("notice", "channel", "target", name="uq_delivery_notice_channel_target"),
    )
    op.create_index("ix_delivery_webhook", "delivery", ["webhook"])
    op.create_index("ix_delivery_user", "delivery", ["user"])
    op.create_index("ix_delivery_interrupt", "delivery", ["interrupt"])
    op.create_index("ix_delivery_created_id", "delivery", ["created", "id"])
    op.create_index("ix_delivery_state_created_id", "delivery", ["state", "created", "id"])
    op.create_index("ix_delivery_due", "delivery", ["due"], sqlite_where=WAITING, postgresql_where=WAITING)


def downgrade() -> None:
    for table in ("delivery", "mail_address", "webhook"):
        op.drop_table(table)
