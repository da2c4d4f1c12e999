"""The wire vocabulary: the event and message models of ``ag_ui.core``, sorted by what this client does.

``WireEvent`` is anything a peer may send once enforcement has passed it. ``Event`` is what is left
after chunk expansion: the vocabulary of the verifier, the folds, the log and the application.
A log of ``LogEntry`` values, folded in order, gives the same thread again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from ag_ui.core import (
    ActivityDeltaEvent,
    ActivityMessage,
    ActivitySnapshotEvent,
    AssistantMessage,
    CustomEvent,
    DeveloperMessage,
    EventType,
    Interrupt,
    Message,
    MessagesSnapshotEvent,
    RawEvent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessage,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    ResumeEntry,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
    SystemMessage,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)
from pydantic import JsonValue, ValidationError

from chat_app.agui.errors import BadEvent

ChunkEvent = TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent
"""The shorthand events; chunk expansion turns each into the events it stands for."""

Event = (
    RunStartedEvent
    | RunFinishedEvent
    | RunErrorEvent
    | StepStartedEvent
    | StepFinishedEvent
    | TextMessageStartEvent
    | TextMessageContentEvent
    | TextMessageEndEvent
    | ToolCallStartEvent
    | ToolCallArgsEvent
    | ToolCallEndEvent
    | ToolCallResultEvent
    | StateSnapshotEvent
    | StateDeltaEvent
    | MessagesSnapshotEvent
    | ActivitySnapshotEvent
    | ActivityDeltaEvent
    | ReasoningStartEvent
    | ReasoningEndEvent
    | ReasoningMessageStartEvent
    | ReasoningMessageContentEvent
    | ReasoningMessageEndEvent
    | ReasoningEncryptedValueEvent
    | SubagentStartedEvent
    | SubagentFinishedEvent
    | SubagentErrorEvent
    | RawEvent
    | CustomEvent
)
"""One verified, expanded event."""

WireEvent = Event | ChunkEvent
"""One of the 31 event types as a peer may send it."""

WIRE_MODELS: dict[str, type[WireEvent]] = {
    "RUN_STARTED": RunStartedEvent,
    "RUN_FINISHED": RunFinishedEvent,
    "RUN_ERROR": RunErrorEvent,
    "STEP_STARTED": StepStartedEvent,
    "STEP_FINISHED": StepFinishedEvent,
    "TEXT_MESSAGE_START": TextMessageStartEvent,
    "TEXT_MESSAGE_CONTENT": TextMessageContentEvent,
    "TEXT_MESSAGE_END": TextMessageEndEvent,
    "TEXT_MESSAGE_CHUNK": TextMessageChunkEvent,
    "TOOL_CALL_START": ToolCallStartEvent,
    "TOOL_CALL_ARGS": ToolCallArgsEvent,
    "TOOL_CALL_END": ToolCallEndEvent,
    "TOOL_CALL_CHUNK": ToolCallChunkEvent,
    "TOOL_CALL_RESULT": ToolCallResultEvent,
    "STATE_SNAPSHOT": StateSnapshotEvent,
    "STATE_DELTA": StateDeltaEvent,
    "MESSAGES_SNAPSHOT": MessagesSnapshotEvent,
    "ACTIVITY_SNAPSHOT": ActivitySnapshotEvent,
    "ACTIVITY_DELTA": ActivityDeltaEvent,
    "REASONING_START": ReasoningStartEvent,
    "REASONING_END": ReasoningEndEvent,
    "REASONING_MESSAGE_START": ReasoningMessageStartEvent,
    "REASONING_MESSAGE_CONTENT": ReasoningMessageContentEvent,
    "REASONING_MESSAGE_END": ReasoningMessageEndEvent,
    "REASONING_MESSAGE_CHUNK": ReasoningMessageChunkEvent,
    "REASONING_ENCRYPTED_VALUE": ReasoningEncryptedValueEvent,
    "SUBAGENT_STARTED": SubagentStartedEvent,
    "SUBAGENT_FINISHED": SubagentFinishedEvent,
    "SUBAGENT_ERROR": SubagentErrorEvent,
    "RAW": RawEvent,
    "CUSTOM": CustomEvent,
}
"""The model of every event type, by its name on the wire."""

CHUNK_TYPES = frozenset({"TEXT_MESSAGE_CHUNK", "TOOL_CALL_CHUNK", "REASONING_MESSAGE_CHUNK"})


@dataclass(frozen=True, slots=True)
class LocalMessage:
    """A message appended on this side: a person's line, or a tool's answer.

    >>> line: Message = UserMessage(id="u", role="user", content="Where is it?")
    >>> answer: Message = ToolMessage(id="a", role="tool", tool_call_id="c", content="in the shed")
    >>> log: list[LogEntry] = [LocalMessage(line), LocalMessage(answer)]
    >>> [entry.message.role for entry in log]
    ['user', 'tool']
    """

    message: Message


LogEntry = Event | LocalMessage
"""What an application stores so that folding it again gives the same thread."""


def parse_stored(obj: Mapping[str, JsonValue]) -> Event:
    """Return the event that this client once wrote with `dump_event`.

    >>> event: Event = parse_stored({"type": "STEP_STARTED", "stepName": "plan"})
    >>> event.step_name
    'plan'

    Raises:
        BadEvent: the object is no event of this client, or was changed since.
    """
    name = str(obj.get("type"))
    model = None if name in CHUNK_TYPES else WIRE_MODELS.get(name)
    if model is None:
        raise BadEvent(name, "/type", "no event of this type is ever stored")
    try:
        return cast("Event", model.model_validate(dict(obj)))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise BadEvent(name, pointer(first["loc"]), first["msg"]) from error


def dump_event(event: Event) -> dict[str, JsonValue]:
    """Return the event as a JSON object with the wire's own names; absent fields are left out.

    >>> dump_event(StepStartedEvent(step_name="plan"))
    {'type': 'STEP_STARTED', 'stepName': 'plan'}
    """
    return cast("dict[str, JsonValue]", event.model_dump(mode="json", by_alias=True))


def pointer(location: tuple[Any, ...]) -> str:
    """Return the JSON Pointer (RFC 6901) of a path given as keys and indexes."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in location)


__all__ = [
    "CHUNK_TYPES",
    "WIRE_MODELS",
    "ActivityDeltaEvent",
    "ActivityMessage",
    "ActivitySnapshotEvent",
    "AssistantMessage",
    "ChunkEvent",
    "CustomEvent",
    "DeveloperMessage",
    "Event",
    "EventType",
    "Interrupt",
    "LocalMessage",
    "LogEntry",
    "Message",
    "MessagesSnapshotEvent",
    "RawEvent",
    "ReasoningEncryptedValueEvent",
    "ReasoningEndEvent",
    "ReasoningMessage",
    "ReasoningMessageChunkEvent",
    "ReasoningMessageContentEvent",
    "ReasoningMessageEndEvent",
    "ReasoningMessageStartEvent",
    "ReasoningStartEvent",
    "ResumeEntry",
    "RunErrorEvent",
    "RunFinishedEvent",
    "RunStartedEvent",
    "StateDeltaEvent",
    "StateSnapshotEvent",
    "StepFinishedEvent",
    "StepStartedEvent",
    "SubagentErrorEvent",
    "SubagentFinishedEvent",
    "SubagentStartedEvent",
    "SystemMessage",
    "TextMessageChunkEvent",
    "TextMessageContentEvent",
    "TextMessageEndEvent",
    "TextMessageStartEvent",
    "ToolCallArgsEvent",
    "ToolCallChunkEvent",
    "ToolCallEndEvent",
    "ToolCallResultEvent",
    "ToolCallStartEvent",
    "ToolMessage",
    "UserMessage",
    "WireEvent",
    "dump_event",
    "parse_stored",
    "pointer",
]
