"""Tool calls of messages, as they stood at the last flush."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, delete, select, tuple_
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import ToolCallRecord
from chat_app.data.tables import Message, ToolCall, table_of

tool_call = table_of(ToolCall)
message = table_of(Message)
_all = select(*sql.columns_of(ToolCallRecord, tool_call))


def upsert(session: Session, records: Sequence[ToolCallRecord]) -> None:
    """Add calls or bring them up to date; a call is known by its message and wire id.

    A call that exists keeps its id and its time of start, whatever the record says.
    """
    sql.add_or_change(session, tool_call, records, by=("message", "wire_id"), keep=("id", "started"))


def drop_others(session: Session, message_ids: Sequence[str], kept: Sequence[ToolCallRecord]) -> int:
    """Remove the calls of these messages that are not among `kept`; return how many."""
    others: ColumnElement[bool] = tool_call.c.message.in_(message_ids)
    if kept:
        pairs = [(call.message, call.wire_id) for call in kept]
        others = and_(others, tuple_(tool_call.c.message, tool_call.c.wire_id).not_in(pairs))
    return sql.changed(session, delete(tool_call).where(others))


def of_messages(session: Session, message_ids: Sequence[str]) -> tuple[ToolCallRecord, ...]:
    """Return the calls of messages, each message's in the order they started."""
    calls = _all.where(tool_call.c.message.in_(message_ids))
    return sql.many(
        session, ToolCallRecord, calls.order_by(tool_call.c.message, tool_call.c.started, tool_call.c.id)
    )


def of_run(session: Session, run: str, *, limit: int) -> tuple[ToolCallRecord, ...]:
    """Return the first calls of the messages of a run, in the order they started."""
    calls = _all.join(message, message.c.id == tool_call.c.message).where(message.c.run == run)
    return sql.many(session, ToolCallRecord, calls.order_by(tool_call.c.started, tool_call.c.id).limit(limit))
