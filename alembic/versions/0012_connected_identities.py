"""Browsers on their way to a provider may go there for somebody who is signed in. Those on their way start anew."""

import sqlalchemy as sa

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

NAME = "sign_in_attempt"


def upgrade() -> None:
    op.drop_table(NAME)
    create(
        sa.Column("user", sa.String(36), nullable=True),
        sa.ForeignKeyConstraint(["user"], ["user.id"], name="fk_sign_in_attempt_user", ondelete="CASCADE"),
    )
    op.create_index("ix_sign_in_attempt_user", NAME, ["user"])


def downgrade() -> None:
    op.drop_table(NAME)
    create()


def create(*more: sa.Column[str] | sa.ForeignKeyConstraint) -> None:
    op.create_table(
        NAME,
        sa.Column("state_hash", sa.String(64), nullable=False),
        sa.Column("nonce", sa.Text, nullable=False),
        sa.Column("verifier", sa.Text, nullable=False),
        sa.Column("back", sa.Text, nullable=False),
        *more[:1],
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("state_hash", name="pk_sign_in_attempt"),
        *more[1:],
    )
    op.create_index("ix_sign_in_attempt_expires_at", NAME, ["expires_at"])
