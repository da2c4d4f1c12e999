"""Who changed the state: a version of it may be a person's."""

import sqlalchemy as sa

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("state_version") as version:
        version.add_column(sa.Column("by", sa.String(36), nullable=True))
        version.create_foreign_key("fk_state_version_by", "user", ["by"], ["id"], ondelete="RESTRICT")
    op.create_index("ix_state_version_by", "state_version", ["by"])


def downgrade() -> None:
    op.drop_index("ix_state_version_by", "state_version")
    with op.batch_alter_table("state_version") as version:
        version.drop_constraint("fk_state_version_by", type_="foreignkey")
        version.drop_column("by")
