"""Accounts: passwords, links that let in once, ways through a provider, answers that two people must give."""

from typing import Any

import sqlalchemy as sa

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


ID = sa.String(36)
UTC = sa.DateTime(timezone=True)
MADE = ("endorsement", "sign_in_attempt", "invitation", "password")


def given(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def maybe(name: str, kind: sa.types.TypeEngine[Any] | type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=True)


def to(table: str, column: str, target: str, ondelete: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=f"fk_{table}_{column}", ondelete=ondelete
    )


def upgrade() -> None:
    op.add_column("auth_session", maybe("ends_at", UTC))
    for column in ("way", "device"):
        op.add_column("auth_session", sa.Column(column, sa.Text, nullable=False, server_default=""))
    op.create_table(
        "password",
        given("user", ID),
        given("hash", sa.Text),
        given("changed", UTC),
        to("password", "user", "user", "CASCADE"),
        sa.PrimaryKeyConstraint("user", name="pk_password"),
    )
    op.create_table(
        "sign_in_attempt",
        given("state_hash", sa.String(64)),
        given("nonce", sa.Text),
        given("verifier", sa.Text),
        given("back", sa.Text),
        given("expires_at", UTC),
        sa.PrimaryKeyConstraint("state_hash", name="pk_sign_in_attempt"),
    )
    op.create_index("ix_sign_in_attempt_expires_at", "sign_in_attempt", ["expires_at"])
    create_invitation()
    create_endorsement()


def create_invitation() -> None:
    op.create_table(
        "invitation",
        given("id", ID),
        given("kind", sa.Text),
        given("token_hash", sa.Text),
        maybe("user", ID),
        given("name", sa.Text),
        given("roles", sa.JSON),
        maybe("by", ID),
        given("created", UTC),
        given("expires_at", UTC),
        maybe("used_at", UTC),
        sa.CheckConstraint("kind IN ('first_admin', 'join', 'reset')", name=op.f("ck_invitation_kind")),
        sa.CheckConstraint("(kind = 'reset') = (\"user\" IS NOT NULL)", name=op.f("ck_invitation_whose")),
        to("invitation", "user", "user", "CASCADE"),
        to("invitation", "by", "user", "SET NULL"),
        sa.PrimaryKeyConstraint("id", name="pk_invitation"),
        sa.UniqueConstraint("token_hash", name="uq_invitation_token_hash"),
    )
    for column in ("user", "by"):
        op.create_index(f"ix_invitation_{column}", "invitation", [column])


def create_endorsement() -> None:
    kinds = "kind IN ('approve', 'edit', 'reject', 'respond', 'cancel')"
    op.create_table(
        "endorsement",
        given("id", ID),
        given("interrupt", ID),
        given("by", ID),
        given("kind", sa.Text),
        maybe("payload", sa.JSON),
        maybe("edited_args", sa.JSON),
        maybe("digest", sa.Text),
        given("note", sa.Text),
        given("at", UTC),
        sa.CheckConstraint(kinds, name=op.f("ck_endorsement_kind")),
        sa.CheckConstraint("edited_args IS NULL OR kind = 'edit'", name=op.f("ck_endorsement_edited")),
        to("endorsement", "interrupt", "interrupt", "CASCADE"),
        to("endorsement", "by", "user", "RESTRICT"),
        sa.PrimaryKeyConstraint("id", name="pk_endorsement"),
        sa.UniqueConstraint("interrupt", "by", name="uq_endorsement_interrupt_by"),
    )
    op.create_index("ix_endorsement_by", "endorsement", ["by"])


def downgrade() -> None:
    for table in MADE:
        op.drop_table(table)
    for column in ("device", "way", "ends_at"):
        op.drop_column("auth_session", column)
