"""Who produced what: attribution to subagents within one run, and rule PV11 about it.

The first opener owns an item, for the rest of the run and past its end. The parent agent, named by no
tag, is an owner too. An event without a tag continues anybody's item.
"""

from collections.abc import Iterable

from chat_app.agui.events import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    AssistantMessage,
    Event,
    Message,
    MessagesSnapshotEvent,
    ReasoningEncryptedValueEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

_MESSAGE_OPENERS = (TextMessageStartEvent, ReasoningMessageStartEvent)
_MESSAGE_EVENTS = (
    *_MESSAGE_OPENERS,
    TextMessageContentEvent,
    TextMessageEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ActivityDeltaEvent,
)
_CALL_EVENTS = (ToolCallArgsEvent, ToolCallEndEvent)


class Owners:
    """The owners of the messages and calls of one run."""

    def __init__(self) -> None:
        self._messages: dict[str, str | None] = {}
        self._calls: dict[str, str | None] = {}

    def conflict(self, event: Event) -> str | None:
        """Return what is wrong with the event's tag, or None."""
        tag: str | None = getattr(event, "subagent_run_id", None)
        if tag is None:
            return None
        if isinstance(event, _MESSAGE_EVENTS):
            return _mismatch(self._messages, event.message_id, "message", tag)
        if isinstance(event, _CALL_EVENTS):
            return _mismatch(self._calls, event.tool_call_id, "tool call", tag)
        if isinstance(event, ToolCallStartEvent):
            return self._call_conflict(event, tag)
        if isinstance(event, ReasoningEncryptedValueEvent):
            of_call = event.subtype == "tool-call"
            known = self._calls if of_call else self._messages
            return _mismatch(known, event.entity_id, "tool call" if of_call else "message", tag)
        return None

    def record(self, event: Event) -> None:
        """Remember whose the items are that the event opens, mints or restates."""
        if isinstance(event, _MESSAGE_OPENERS):
            self._messages.setdefault(event.message_id, event.subagent_run_id)
        elif isinstance(event, ToolCallStartEvent):
            self._record_call(event)
        elif isinstance(event, ActivitySnapshotEvent):
            self._record_activity(event)
        elif isinstance(event, ToolCallResultEvent):
            self._messages[event.message_id] = event.subagent_run_id
        elif isinstance(event, MessagesSnapshotEvent):
            self._messages.clear()
            self._calls.clear()
            self._record_messages(event.messages)
        elif isinstance(event, RunStartedEvent) and event.input is not None:
            self._record_messages(event.input.messages)

    def _call_conflict(self, event: ToolCallStartEvent, tag: str) -> str | None:
        parent = event.parent_message_id
        if parent is not None and (conflict := _mismatch(self._messages, parent, "parent message", tag)):
            return conflict
        return _mismatch(self._calls, event.tool_call_id, "tool call", tag)

    def _record_call(self, event: ToolCallStartEvent) -> None:
        parent = event.tool_call_id if event.parent_message_id is None else event.parent_message_id
        owner = self._messages.setdefault(parent, event.subagent_run_id)
        self._calls.setdefault(event.tool_call_id, owner)

    def _record_activity(self, event: ActivitySnapshotEvent) -> None:
        if event.replace is False:
            self._messages.setdefault(event.message_id, event.subagent_run_id)
        else:
            self._messages[event.message_id] = event.subagent_run_id

    def _record_messages(self, messages: Iterable[Message]) -> None:
        for message in messages:
            owner = self._messages.setdefault(message.id, message.subagent_run_id)
            calls = message.tool_calls if isinstance(message, AssistantMessage) else None
            for call in calls or ():
                self._calls.setdefault(call.id, owner)


def owner_name(owner: str | None) -> str:
    """Return the owner in words."""
    return "the parent agent" if owner is None else f"subagent {owner!r}"


def _mismatch(known: dict[str, str | None], item: str, noun: str, tag: str) -> str | None:
    owner = known.get(item, tag)
    if owner == tag:
        return None
    return f"subagentRunId {tag!r} does not match: {noun} {item!r} was opened by {owner_name(owner)}"
