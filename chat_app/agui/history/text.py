"""Folds text and reasoning messages into the history."""

from typing import TypeAlias

from chat_app.agui.events import (
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)
from chat_app.agui.history.entries import Entry
from chat_app.agui.history.history import History
from chat_app.agui.updates import (
    MessageEnded,
    MessageStarted,
    ReasoningAdded,
    ReasoningEnded,
    ReasoningStarted,
    TextAdded,
    Update,
)

Updates: TypeAlias = tuple[Update, ...]
_Start: TypeAlias = TextMessageStartEvent | ReasoningMessageStartEvent
_Later: TypeAlias = (
    TextMessageContentEvent | TextMessageEndEvent | ReasoningMessageContentEvent | ReasoningMessageEndEvent
)


def start_text(history: History, event: TextMessageStartEvent) -> Updates:
    """Open a message, or go on with the one that has this id: its role and name stand."""
    entry = _start(history, event, event.role or "assistant", event.name)
    return () if entry is None else (MessageStarted(entry.message_id, entry.role),)


def add_text(history: History, event: TextMessageContentEvent) -> Updates:
    """Append to a message. An id nobody opened opens an assistant's message, unless a snapshot took it."""
    entry = history.find(event.message_id)
    opened: Updates = ()
    if entry is None and event.message_id not in history.gone:
        entry = history.append(Entry(event.message_id, "assistant", event.subagent_run_id))
        opened = (MessageStarted(entry.message_id, entry.role),)
    elif entry is None or entry.role == "activity":
        return _ignored(history, event)
    entry.add_text(event.delta)
    if event.metadata is not None:
        entry.merge_metadata(event.metadata)
    return (*opened, TextAdded(event.message_id, event.delta))


def end_text(history: History, event: TextMessageEndEvent) -> Updates:
    """Note that a message's text is complete."""
    entry = _end(history, event)
    return () if entry is None else (MessageEnded(entry.message_id),)


def start_reasoning(history: History, event: ReasoningMessageStartEvent) -> Updates:
    """Open a thought, or go on with the one that has this id."""
    entry = _start(history, event, "reasoning", None)
    return () if entry is None else (ReasoningStarted(entry.message_id),)


def add_reasoning(history: History, event: ReasoningMessageContentEvent) -> Updates:
    """Append to a thought."""
    entry = history.find(event.message_id)
    if entry is None or entry.role == "activity":
        return _ignored(history, event)
    entry.add_text(event.delta)
    entry.merge_metadata(event.metadata)
    return (ReasoningAdded(event.message_id, event.delta),)


def end_reasoning(history: History, event: ReasoningMessageEndEvent) -> Updates:
    """Note that a thought is complete."""
    entry = _end(history, event)
    return () if entry is None else (ReasoningEnded(entry.message_id),)


def _start(history: History, event: _Start, role: str, name: str | None) -> Entry | None:
    entry = history.find(event.message_id)
    if entry is not None and entry.role == "activity":
        _ignored(history, event)
        return None
    if entry is None:
        entry = Entry(event.message_id, role, event.subagent_run_id, name=name, text="")
        history.append(entry)
        history.gone.discard(event.message_id)
    entry.merge_metadata(event.metadata)
    return entry


def _end(history: History, event: TextMessageEndEvent | ReasoningMessageEndEvent) -> Entry | None:
    entry = history.find(event.message_id)
    if entry is None or entry.role == "activity":
        _ignored(history, event)
        return None
    entry.merge_metadata(event.metadata)
    entry.read()  # joins the pieces, so that a finished message holds one string
    return entry


def _ignored(history: History, event: _Start | _Later) -> Updates:
    held = history.find(event.message_id)
    reason = "no message has this id" if held is None else "an activity has this id"
    words = f"{event.type.value} for {event.message_id!r} was ignored: {reason}"
    history.warn("no-target", words, event.type.value)
    return ()
