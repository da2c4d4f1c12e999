"""Folds tool calls, their results and encrypted values into the history."""

from chat_app.agui.events import (
    ReasoningEncryptedValueEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from chat_app.agui.history.entries import CallEntry, Entry, merged
from chat_app.agui.history.history import History
from chat_app.agui.history.text import Updates
from chat_app.agui.updates import ArgumentsAdded, CallEnded, CallStarted, EncryptedValueStored, ResultArrived


def start_call(history: History, event: ToolCallStartEvent) -> Updates:
    """Open a call on the message that holds it, or go on with the call that has this id."""
    call = history.call(event.tool_call_id)
    if call is None:
        holder = _holder(history, event)
        call = CallEntry(event.tool_call_id, event.tool_call_name, holder, history.run)
        history.add_call(call)
    else:
        _reopen(history, call, event)
    call.metadata = merged(call.metadata, event.metadata)
    history.run_calls.setdefault(call.call_id)
    return (CallStarted(call.holder.message_id, call.call_id, call.name),)


def add_arguments(history: History, event: ToolCallArgsEvent) -> Updates:
    """Append to a call's argument text."""
    call = history.call(event.tool_call_id)
    if call is None:
        return _ignored(history, event)
    call.metadata = merged(call.metadata, event.metadata)
    if call.replay is not None:
        call.replay.append(event.delta)
        return ()
    call.arguments.add(event.delta)
    return (ArgumentsAdded(call.holder.message_id, call.call_id, event.delta),)


def end_call(history: History, event: ToolCallEndEvent) -> Updates:
    """Note that a call's arguments are complete."""
    call = history.call(event.tool_call_id)
    if call is None:
        return _ignored(history, event)
    call.metadata = merged(call.metadata, event.metadata)
    if call.replay:
        call.arguments.become("".join(call.replay))
    call.replay, call.ended, call.run = None, True, history.run
    call.arguments.read()
    return (CallEnded(call.holder.message_id, call.call_id),)


def add_result(history: History, event: ToolCallResultEvent) -> Updates:
    """Mint the tool message of a result, next to its call. A second result is a second message."""
    answer = Entry(event.message_id, "tool", event.subagent_run_id, call_id=event.tool_call_id)
    if isinstance(event.content, list):
        answer.parts = event.content
    else:
        answer.become(event.content)
    answer.merge_metadata(event.metadata)
    history.insert_answer(answer)
    return (ResultArrived(event.message_id, event.tool_call_id),)


def store_encrypted_value(history: History, event: ReasoningEncryptedValueEvent) -> Updates:
    """Keep an opaque value on the message or call it belongs to; it goes back with the next request."""
    if event.subtype == "tool-call":
        call = history.call(event.entity_id)
        if call is None:
            return _ignored(history, event)
        call.encrypted = event.encrypted_value
        return (EncryptedValueStored(call.holder.message_id, call.call_id),)
    entry = history.find(event.entity_id)
    if entry is None:
        return _ignored(history, event)
    if entry.role == "activity":  # an activity never goes back, so it has nothing to carry
        return ()
    entry.encrypted = event.encrypted_value
    return (EncryptedValueStored(entry.message_id),)


def _holder(history: History, event: ToolCallStartEvent) -> Entry:
    """Return the assistant message a new call belongs to, made when there is none."""
    parent_id = event.parent_message_id
    parent = None if parent_id is None else history.find(parent_id)
    if parent is not None and parent.role == "assistant":
        return parent
    if parent is not None:
        words = f"TOOL_CALL_START names {parent_id!r} as parent, which is no assistant's message"
        history.warn("parent-role", words, "TOOL_CALL_START")
    own = parent_id is None or parent is not None
    holder_id = event.tool_call_id if own else str(parent_id)
    return history.append(Entry(holder_id, "assistant", event.subagent_run_id))


def _reopen(history: History, call: CallEntry, event: ToolCallStartEvent) -> None:
    if call.name != event.tool_call_name:
        words = f"Tool call {call.call_id!r} was {call.name!r} and is now {event.tool_call_name!r}"
        history.warn("call-renamed", words, "TOOL_CALL_START")
        call.name = event.tool_call_name
    if call.run != history.run:
        # Servers repeat a call when they resume it; appending would double its arguments.
        call.replay = []
        return
    call.ended = False


def _ignored(
    history: History, event: ToolCallArgsEvent | ToolCallEndEvent | ReasoningEncryptedValueEvent
) -> Updates:
    name = event.entity_id if isinstance(event, ReasoningEncryptedValueEvent) else event.tool_call_id
    words = f"{event.type.value} for {name!r} was ignored: nothing has this id"
    history.warn("no-target", words, event.type.value)
    return ()
