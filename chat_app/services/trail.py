"""The audit as files: CSV for a spreadsheet, JSON Lines for programs; and whether it is as it was written."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from pydantic import JsonValue

from chat_app.data import audit
from chat_app.data.db import Database
from chat_app.data.records import AuditRecord

Form = Literal["csv", "jsonl"]
COLUMNS = ("seq", "at", "actor", "action", "object", "reason", "detail", "previous", "hash")
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - wide forms count too
"""What a spreadsheet takes for the beginning of a formula."""


@dataclass(frozen=True, slots=True)
class Checked:
    """How many entries there are, and the number of the first that is not as it was written (None: all are)."""

    count: int
    broken: int | None


class Trail:
    """Reads the audit from its beginning."""

    def __init__(self, database: Database) -> None:
        """Read from `database`."""
        self._database = database

    def check(self) -> Checked:
        """Compare every entry with its hash and with the one before it."""
        with self._database.reading() as session:
            broken = audit.broken_at(session)
            return Checked(sum(1 for _ in audit.entries(session)), broken)

    def lines(self, form: Form, *, action: str = "", actor: str = "", thing: str = "") -> Iterator[str]:
        """Yield the audit line by line, each with its line end; only what fits the filters that are given.

        `action` is the beginning of one ("question."), `actor` a person's id, `thing` an object ("thread:<id>").
        """
        yield from head(form)
        with self._database.reading() as session:
            for entry in audit.entries(session):
                if _fits(entry, action, actor, thing):
                    yield line(entry, form)


def head(form: Form) -> Iterator[str]:
    """Yield what a file begins with: the names of the columns of a table, of other forms nothing."""
    if form == "csv":
        yield row(COLUMNS)


def line(entry: AuditRecord, form: Form) -> str:
    """Return an entry as a line of a file, with its line end."""
    return _csv(entry) if form == "csv" else _json(entry)


def row(cells: Iterable[str]) -> str:
    """Return cells as a line of CSV; none of them is a formula to a spreadsheet."""
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL).writerow(safe(cell) for cell in cells)
    return written.getvalue()


def safe(text: str) -> str:
    """Return a text as a cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _fits(entry: AuditRecord, action: str, actor: str, thing: str) -> bool:
    return (
        entry.action.startswith(action)
        and (not actor or entry.actor == actor)
        and (not thing or entry.object == thing)
    )


def _json(entry: AuditRecord) -> str:
    fields: dict[str, JsonValue] = {**asdict(entry), "at": entry.at.isoformat()}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def _csv(entry: AuditRecord) -> str:
    fields = {**asdict(entry), "at": entry.at.isoformat(), "detail": json.dumps(entry.detail, sort_keys=True)}
    return row("" if fields[name] is None else str(fields[name]) for name in COLUMNS)
