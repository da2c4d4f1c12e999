"""Lists of everybody's threads and runs, and what a person says of an agent."""

import sqlalchemy as sa

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

THERE = sa.text("deleted_at IS NULL")
LISTS = {
    "ix_thread_newest": ["updated", "id"],
    "ix_thread_mark_newest": ["mark", "updated", "id"],
}


def upgrade() -> None:
    for name, columns in LISTS.items():
        op.create_index(name, "thread", columns, sqlite_where=THERE, postgresql_where=THERE)
    op.create_index("ix_tool_call_name_message", "tool_call", ["name", "message"])
    op.create_index("ix_run_started", "run", ["started"])
    op.add_column("agent", sa.Column("suggestions", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("agent", sa.Column("tested", sa.JSON, nullable=True))


def downgrade() -> None:
    op.execute("ALTER TABLE agent DROP COLUMN tested")
    op.execute("ALTER TABLE agent DROP COLUMN suggestions")
    op.drop_index("ix_run_started", "run")
    op.drop_index("ix_tool_call_name_message", "tool_call")
    for name in reversed(LISTS):
        op.drop_index(name, "thread")
