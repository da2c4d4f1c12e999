"""Column types that behave alike on SQLite and PostgreSQL, and short names for columns the tables repeat."""

import re
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, Literal

from sqlalchemy import JSON, CheckConstraint, DateTime, Dialect, Index, Integer, String, Text
from sqlalchemy import text as sql
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field

OnDelete = Literal["CASCADE", "SET NULL", "RESTRICT"]

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
"""What PostgreSQL (NUL) or UTF-8 (lone surrogates) cannot hold; JSON columns escape them, text cannot."""


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC. Refuses naive values and returns aware ones, on SQLite too, which has no zones."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the moment in UTC, bare for SQLite so that stored texts sort by time.

        Raises:
            ValueError: the value has no time zone.
        """
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"A time without time zone cannot be stored: {value.isoformat()}")
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Return the stored moment, aware and in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class WireText(TypeDecorator[str]):
    """Text, also an agent's. What no database can hold becomes U+FFFD and so fails no flush."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text with what cannot be stored replaced; compared values are treated the same way."""
        del dialect
        return None if value is None else UNSTORABLE.sub("\ufffd", value)


class Names(TypeDecorator[tuple[str, ...]]):
    """A short list of names, kept as JSON and read back as a tuple, so that records stay immutable."""

    impl = JSON
    cache_ok = True

    def process_bind_param(self, value: tuple[str, ...] | None, dialect: Dialect) -> list[str] | None:
        """Return the names as JSON knows them."""
        del dialect
        return None if value is None else list(value)

    def process_result_value(self, value: list[str] | None, dialect: Dialect) -> tuple[str, ...] | None:
        """Return the names as a tuple."""
        del dialect
        return None if value is None else tuple(value)


def key() -> Any:
    """Declare the primary key: one of our own ids."""
    return Field(sa_type=String(36), primary_key=True)


def ref(target: str, *, ondelete: OnDelete, null: bool = False, index: bool = False) -> Any:
    """Declare a reference to the id of `target`. Give it an index when the target's rows are ever deleted."""
    return Field(
        sa_type=String(36), foreign_key=f"{target}.id", ondelete=ondelete, nullable=null, index=index
    )


def text(*, null: bool = False) -> Any:
    """Declare a text of ours, or one from an agent, of any length."""
    return Field(sa_type=WireText, nullable=null)


def counted() -> Any:
    """Declare a number that rows of earlier versions have as 0."""
    return Field(sa_type=Integer, nullable=False, sa_column_kwargs={"server_default": "0"})


def worded() -> Any:
    """Declare a text that rows of earlier versions have empty."""
    return Field(sa_type=WireText, nullable=False, sa_column_kwargs={"server_default": ""})


def moment(*, null: bool = False) -> Any:
    """Declare a moment in UTC."""
    return Field(sa_type=UtcDateTime, nullable=null)


def open_json(*, null: bool = False, name: str | None = None) -> Any:
    """Declare material of the protocol's or an agent's shape; where it may be absent, that is SQL NULL."""
    named = {"name": name} if name else {}
    return Field(sa_type=JSON(none_as_null=null), nullable=null, sa_column_kwargs=named)


def one_of(column: str, words: Iterable[str]) -> CheckConstraint:
    """Declare that the column holds one of these words; the constraint is called like the column."""
    listed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({listed})", name=column)


def partial(name: str, *columns: str, where: str, unique: bool = False) -> Index:
    """Declare an index over the rows that satisfy `where` only."""
    rows = sql(where)
    return Index(name, *columns, unique=unique, sqlite_where=rows, postgresql_where=rows)
