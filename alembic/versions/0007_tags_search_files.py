"""Tags, what can be searched for, and files that are not sent yet."""

import sqlalchemy as sa

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

THERE = sa.text("deleted_at IS NULL")
BEHIND = sa.text("indexed_seq <> last_seq")
UNSENT = sa.text("thread IS NULL")


def partial(name: str, table: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def upgrade() -> None:
    op.add_column("thread", sa.Column("tags", sa.JSON, nullable=False, server_default="[]"))
    op.add_column("thread", sa.Column("indexed_seq", sa.Integer, nullable=False, server_default="0"))
    op.drop_index("ix_thread_list", "thread")
    partial("ix_thread_list", "thread", ["owner", "archived", "pinned", "updated", "id"], THERE)
    partial("ix_thread_unindexed", "thread", ["owner"], BEHIND)
    create_search_entry()
    with op.batch_alter_table("attachment") as attachment:
        attachment.alter_column("thread", existing_type=sa.String(36), nullable=True)
    partial("ix_attachment_unsent", "attachment", ["created"], UNSENT)


def create_search_entry() -> None:
    op.create_table(
        "search_entry",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("owner", sa.String(36), nullable=False),
        sa.Column("thread", sa.String(36), nullable=False),
        sa.Column("message", sa.String(36), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("folded", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["user.id"], name="fk_search_entry_owner", ondelete="RESTRICT"),
        sa.ForeignKeyConstraint(["thread"], ["thread.id"], name="fk_search_entry_thread", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["message"], ["message.id"], name="fk_search_entry_message", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_search_entry"),
    )
    op.create_index("ix_search_entry_owner_at_id", "search_entry", ["owner", "at", "id"])
    op.create_index("ix_search_entry_thread", "search_entry", ["thread"])
    op.create_index("ix_search_entry_message", "search_entry", ["message"])


def downgrade() -> None:
    op.drop_index("ix_attachment_unsent", "attachment")
    op.execute("DELETE FROM attachment WHERE thread IS NULL")
    with op.batch_alter_table("attachment") as attachment:
        attachment.alter_column("thread", existing_type=sa.String(36), nullable=False)
    op.drop_table("search_entry")
    op.drop_index("ix_thread_unindexed", "thread")
    op.drop_index("ix_thread_list", "thread")
    partial("ix_thread_list", "thread", ["owner", "archived", "updated", "id"], THERE)
    op.execute("ALTER TABLE thread DROP COLUMN indexed_seq")
    op.execute("ALTER TABLE thread DROP COLUMN tags")
