"""What a turn of the embedded agent said after its questions were decided, for an answer that comes again."""

import sqlalchemy as sa

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("suspended_turn", sa.Column("answering", sa.DateTime(timezone=True), nullable=True))
    op.add_column("suspended_turn", sa.Column("reply", sa.JSON, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("suspended_turn") as table:
        table.drop_column("reply")
        table.drop_column("answering")
