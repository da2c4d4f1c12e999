"""The embedded agent's own tables: turns that wait behind a question, the answers, and what everybody may see."""

import sqlalchemy as sa

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

UTC = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "suspended_turn",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("entries", sa.JSON, nullable=False),
        sa.Column("created", UTC, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_suspended_turn"),
    )
    op.create_index("ix_suspended_turn_created", "suspended_turn", ["created"])
    op.create_table(
        "suspended_question",
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("interrupt", sa.Text, nullable=False),
        sa.Column("turn", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("call", sa.JSON, nullable=False),
        sa.Column("begun", UTC, nullable=True),
        sa.Column("result", sa.JSON, nullable=True),
        sa.PrimaryKeyConstraint("thread", "interrupt", name="pk_suspended_question"),
        sa.ForeignKeyConstraint(
            ["turn"], ["suspended_turn.id"], name="fk_suspended_question_turn", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_suspended_question_turn", "suspended_question", ["turn"])
    op.create_table(
        "agent_projection",
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("document", sa.JSON, nullable=False),
        sa.Column("updated", UTC, nullable=False),
        sa.PrimaryKeyConstraint("thread", name="pk_agent_projection"),
    )
    op.create_table(
        "sealed_answer",
        sa.Column("thread", sa.Text, nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.PrimaryKeyConstraint("thread", "question", name="pk_sealed_answer"),
    )


def downgrade() -> None:
    op.drop_table("sealed_answer")
    op.drop_table("agent_projection")
    op.drop_table("suspended_question")
    op.drop_table("suspended_turn")
