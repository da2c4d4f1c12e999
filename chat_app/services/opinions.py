"""What the owner of a thread thinks of its answers, brought to the rows that show them."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy.orm import Session

from chat_app.data import feedback, threads
from chat_app.services.rows import Row


def with_opinions(session: Session, thread_id: str, rows: Sequence[Row]) -> list[Row]:
    """Return the rows, answers with the verdict of the thread's owner and why."""
    thread = threads.get(session, thread_id)
    if thread is None:
        return list(rows)
    known = feedback.by_key(session, thread_id, thread.owner)
    return [
        replace(row, verdict=known[row.key].verdict, comment=known[row.key].note) if row.key in known else row
        for row in rows
    ]
