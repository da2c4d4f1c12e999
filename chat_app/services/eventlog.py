"""How a thread's log is written and read back: verified events as they are, and acts of our own.

Folding the log in order gives the thread again. RAW events and `rawEvent` copies are a framework's own words, from
which nothing is folded; they are kept only when asked for.
"""

from collections.abc import Iterable
from typing import cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from chat_app.agui import BadEvent, LocalMessage, LogEntry, Message, dump_event, parse_stored
from chat_app.data.records import EventRecord

USER_MESSAGE = "user_message"
ANSWER = "answer"
DECISION = "decision"
EDIT = "edit"
FOLDLESS = frozenset({DECISION, EDIT, "RAW"})
"""What is kept for those who read the log, and folds to nothing."""

_MESSAGES: TypeAdapter[Message] = TypeAdapter(Message)


def stored(entry: LogEntry, *, raw: bool = False) -> tuple[str, dict[str, JsonValue]]:
    """Return the type and payload under which an entry of a session is kept; `raw` keeps `rawEvent` copies."""
    if isinstance(entry, LocalMessage):
        return ANSWER, entry.message.model_dump(mode="json", by_alias=True)
    payload = dump_event(entry)
    if not raw:
        payload.pop("rawEvent", None)
    return entry.type.value, payload


def entries(record: EventRecord) -> Iterable[LogEntry]:
    """Return what a kept entry means to a session: an event, a message of this side, or nothing.

    Raises:
        BadEvent: no version of this client has written it.
    """
    if record.type in FOLDLESS:
        return []
    if record.type in (USER_MESSAGE, ANSWER):
        return [_message(record)]
    return [parse_stored(cast("dict[str, JsonValue]", record.payload))]


def _message(record: EventRecord) -> LocalMessage:
    try:
        return LocalMessage(_MESSAGES.validate_python(record.payload))
    except ValidationError as error:
        raise BadEvent(record.type, "", f"entry {record.seq} of the log is no message") from error
