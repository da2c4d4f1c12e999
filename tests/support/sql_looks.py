"""What a test sees of a database that another process writes."""

import json

from sqlalchemy import text

from chat_app.data.db import Database
from tests.fakes import until


def rows(database: Database, statement: str, **values: object) -> list:
    with database.reading() as session:
        return list(session.execute(text(statement), values).all())


async def settled(database: Database, *, seconds: float = 30) -> None:
    """Wait until nothing is open: what a process left is closed at once by one alone, else when leases are over."""
    await until(lambda: not rows(database, "SELECT id FROM exchange WHERE ended IS NULL"), seconds=seconds)


def texts(database: Database, thread: str, role: str) -> list[str]:
    """Return what one side said in a thread, message by message."""
    found = rows(
        database,
        "SELECT content FROM message WHERE thread = :thread AND role = :role ORDER BY position",
        thread=thread,
        role=role,
    )
    return ["".join(part.get("text", "") for part in _parts(row[0])) for row in found]


def ends(database: Database, thread: str) -> list[tuple[str, str | None]]:
    """Return how each run of a thread ended: status and code."""
    found = rows(
        database, "SELECT status, error_code FROM run WHERE thread = :thread ORDER BY started", thread=thread
    )
    return [(row[0], row[1]) for row in found]


def _parts(content: object) -> list[dict]:
    return json.loads(content) if isinstance(content, str) else content
