"""Tool calls of messages, as they stood at the last flush."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from chat_app.data import sql
from chat_app.data.records import ToolCallRecord
from chat_app.data.tables import ToolCall, table_of

tool_call = table_of(ToolCall)
_all = select(*sql.columns_of(ToolCallRecord, tool_call))


def upsert(session: Session, records: Sequence[ToolCallRecord]) -> None:
    """Add calls or bring them up to date; a call is known by its message and wire id.

    A call that exists keeps its id and its time of start, whatever the record says.
    """
    sql.add_or_change(session, tool_call, records, by=("message", "wire_id"), keep=("id", "started"))


def of_messages(session: Session, message_ids: Sequence[str]) -> tuple[ToolCallRecord, ...]:
    """Return the calls of messages, each message's in the order they started."""
    calls = _all.where(tool_call.c.message.in_(message_ids))
    return sql.many(
        session, ToolCallRecord, calls.order_by(tool_call.c.message, tool_call.c.started, tool_call.c.id)
    )
