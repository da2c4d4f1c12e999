"""Events in few words, for the tests of the client's wire and folds."""

from typing import Any, cast

from pydantic import JsonValue

from chat_app.agui.events import WIRE_MODELS, Event
from chat_app.agui.updates import Diagnostic

RUN = {"threadId": "t", "runId": "r"}


def ev(kind: str, **fields: Any) -> Any:
    """Return the event of this type; fields by their names on the wire."""
    return WIRE_MODELS[kind].model_validate({"type": kind, **fields})


def evs(*raws: dict[str, JsonValue]) -> list[Event]:
    """Return raw events as events."""
    return [cast("Event", WIRE_MODELS[str(raw["type"])].model_validate(raw)) for raw in raws]


def started(run_id: str = "r", **fields: Any) -> Any:
    return ev("RUN_STARTED", threadId="t", runId=run_id, **fields)


def finished(run_id: str = "r", **fields: Any) -> Any:
    return ev("RUN_FINISHED", threadId="t", runId=run_id, **fields)


def failed(message: str = "boom", **fields: Any) -> Any:
    return ev("RUN_ERROR", message=message, **fields)


def text(message_id: str, *deltas: str, role: str = "assistant", **fields: Any) -> list[Any]:
    """Return a whole text message."""
    return [
        ev("TEXT_MESSAGE_START", messageId=message_id, role=role, **fields),
        *(ev("TEXT_MESSAGE_CONTENT", messageId=message_id, delta=delta) for delta in deltas),
        ev("TEXT_MESSAGE_END", messageId=message_id),
    ]


def thought(message_id: str, *deltas: str) -> list[Any]:
    """Return a whole reasoning message."""
    return [
        ev("REASONING_MESSAGE_START", messageId=message_id, role="reasoning"),
        *(ev("REASONING_MESSAGE_CONTENT", messageId=message_id, delta=delta) for delta in deltas),
        ev("REASONING_MESSAGE_END", messageId=message_id),
    ]


def call(call_id: str, name: str = "search", *deltas: str, **fields: Any) -> list[Any]:
    """Return a whole tool call."""
    return [
        ev("TOOL_CALL_START", toolCallId=call_id, toolCallName=name, **fields),
        *(ev("TOOL_CALL_ARGS", toolCallId=call_id, delta=delta) for delta in deltas),
        ev("TOOL_CALL_END", toolCallId=call_id),
    ]


def result(call_id: str, content: Any = "ok", message_id: str | None = None) -> Any:
    return ev(
        "TOOL_CALL_RESULT", messageId=message_id or f"{call_id}-result", toolCallId=call_id, content=content
    )


def snapshot(*messages: dict[str, Any], **fields: Any) -> Any:
    return ev("MESSAGES_SNAPSHOT", messages=list(messages), **fields)


def activity(message_id: str, content: dict[str, Any] | None = None, **fields: Any) -> Any:
    fields = {"activityType": "web"} | fields
    return ev("ACTIVITY_SNAPSHOT", messageId=message_id, content=content or {}, **fields)


class Reports(list[Diagnostic]):
    """Collects diagnostics: pass it where a report callback is asked for."""

    def __call__(self, diagnostic: Diagnostic) -> None:
        self.append(diagnostic)

    @property
    def codes(self) -> list[str]:
        return [diagnostic.code for diagnostic in self]
