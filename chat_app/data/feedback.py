"""What people think of messages: one opinion each, which they may change or take back."""

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from chat_app.data import branches, sql
from chat_app.data.records import FeedbackRecord
from chat_app.data.tables import Feedback, Message, table_of

feedback = table_of(Feedback)
message = table_of(Message)
_all = select(*sql.columns_of(FeedbackRecord, feedback))


def put(session: Session, record: FeedbackRecord) -> None:
    """Store what a person thinks of a message, instead of what they thought before."""
    sql.add_or_change(session, feedback, [record], by=("message", "by"), keep=("id", "created"))


def take_back(session: Session, message_id: str, by: str) -> bool:
    """Remove what a person thought of a message; False when they had said nothing."""
    mine = feedback.c.message == message_id, feedback.c.by == by
    return sql.changed(session, delete(feedback).where(*mine)) == 1


def of_message(session: Session, message_id: str) -> tuple[FeedbackRecord, ...]:
    """Return what everybody thinks of a message, the oldest opinion first."""
    return sql.many(
        session, FeedbackRecord, _all.where(feedback.c.message == message_id).order_by(feedback.c.id)
    )


def by_key(session: Session, thread: str, by: str) -> dict[str, FeedbackRecord]:
    """Return what a person thinks of the messages of the branch a thread shows, by their row keys."""
    shown = message.c.thread == thread, message.c.branch == branches.shown(thread)
    mine = (
        select(message.c.key.label("row_key"), *sql.columns_of(FeedbackRecord, feedback))
        .join(message, message.c.id == feedback.c.message)
        .where(*shown, feedback.c.by == by)
    )
    found = (dict(row) for row in session.execute(mine).mappings())
    return {row.pop("row_key"): FeedbackRecord(**row) for row in found}
