"""The few sentences every repository speaks: read records, add them, add or change them, count what changed.

Statements name columns, not mapped objects, so a session holds no copies that an UPDATE could leave stale.
"""

from collections.abc import Iterable, Sequence
from dataclasses import Field
from functools import cache
from typing import Any, ClassVar, Protocol, TypeVar, cast

from sqlalchemy import Column, CursorResult, Delete, Insert, Select, Table, Update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session


class Record(Protocol):
    """Any of the dataclasses in `records.py`."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]


R = TypeVar("R", bound=Record)

Upsert = sqlite.Insert | postgresql.Insert


@cache
def names_of(kind: type[Record]) -> tuple[str, ...]:
    """Return the column names of a record, in order."""
    return tuple(kind.__dataclass_fields__)


def columns_of(kind: type[Record], table: Table) -> list[Column[Any]]:
    """Return the columns a record is made of, for a SELECT."""
    return [table.c[name] for name in names_of(kind)]


def values_of(record: Record) -> dict[str, Any]:
    """Return a record as the values of a row. Shallow: JSON is written, not copied."""
    return {name: getattr(record, name) for name in names_of(type(record))}


def one(session: Session, kind: type[R], statement: Select[Any]) -> R | None:
    """Return the record of the only row, None when there is none."""
    row = session.execute(statement).mappings().one_or_none()
    return None if row is None else kind(**row)


def many(session: Session, kind: type[R], statement: Select[Any]) -> tuple[R, ...]:
    """Return the records of all rows, in the order of the statement."""
    return tuple(kind(**row) for row in session.execute(statement).mappings())


def add(session: Session, table: Table, records: Sequence[Record]) -> None:
    """Insert new rows with one prepared statement."""
    if records:
        session.execute(table.insert(), [values_of(record) for record in records])


def add_unless(session: Session, table: Table, record: Record) -> bool:
    """Insert a row unless it breaks a unique constraint or index; say whether it was inserted."""
    return (
        changed(session, insert_into(session, table).values(values_of(record)).on_conflict_do_nothing()) == 1
    )


def add_or_change(
    session: Session, table: Table, records: Sequence[Record], *, by: Sequence[str], keep: Iterable[str]
) -> None:
    """Insert rows, or change those that the columns `by` find; `keep` names columns a change leaves alone."""
    if not records:
        return
    insert = insert_into(session, table)
    fixed = {*by, *keep}
    new = {column.name: insert.excluded[column.name] for column in table.c if column.name not in fixed}
    statement = insert.on_conflict_do_update(index_elements=list(by), set_=new)
    session.execute(statement, [values_of(record) for record in records])


def changed(session: Session, statement: Insert | Update | Delete) -> int:
    """Run a statement that writes; return how many rows it touched."""
    counted = statement.execution_options(preserve_rowcount=True)  # else lost for INSERT on PostgreSQL
    return cast("CursorResult[Any]", session.execute(counted)).rowcount


def insert_into(session: Session, table: Table) -> Upsert:
    """Return an INSERT that can say what a conflict means, in the words of the session's database."""
    return (
        postgresql.insert(table) if session.get_bind().dialect.name == "postgresql" else sqlite.insert(table)
    )
