"""Which of our tools an agent is offered, and whether settings still name it."""

import sqlalchemy as sa

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("agent", sa.Column("tools", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("agent", sa.Column("dropped", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.execute("ALTER TABLE agent DROP COLUMN dropped")
    op.execute("ALTER TABLE agent DROP COLUMN tools")
