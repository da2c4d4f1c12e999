"""Half characters: JavaScript servers cut an emoji between its UTF-16 halves.

Such a half is no character: it can be neither encoded nor stored. Halves that a stream cut apart are
put together again; a half that stays alone becomes U+FFFD, so that none leaves this package.
"""

from typing import cast

from pydantic import JsonValue

from chat_app.agui.events import (
    Event,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
)
from chat_app.agui.nesting import to_text

DELTA_TYPES = frozenset(
    {
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_CHUNK",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_CHUNK",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_CHUNK",
    }
)
"""The events whose ``delta`` may end in the first half of a character."""

_Content = TextMessageContentEvent | ToolCallArgsEvent | ReasoningMessageContentEvent
_End = TextMessageEndEvent | ToolCallEndEvent | ReasoningMessageEndEvent
_CONTENT: frozenset[type[Event]] = frozenset(
    {TextMessageContentEvent, ToolCallArgsEvent, ReasoningMessageContentEvent}
)
_CONTENT_OF: dict[type[Event], type[_Content]] = {
    TextMessageEndEvent: TextMessageContentEvent,
    ToolCallEndEvent: ToolCallArgsEvent,
    ReasoningMessageEndEvent: ReasoningMessageContentEvent,
}


def scrub_frame(raw: dict[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the frame with every lone half replaced, but for those in a streamed ``delta``."""
    if _encodable(raw):
        return raw
    delta = raw.get("delta") if raw.get("type") in DELTA_TYPES else None
    clean = cast("dict[str, JsonValue]", scrub(raw))
    return clean | {"delta": delta} if isinstance(delta, str) else clean


def scrub(value: JsonValue) -> JsonValue:
    """Return ``value`` with halves joined or replaced in every string and key of it."""
    if isinstance(value, str):
        return join_halves(value)
    if isinstance(value, list):
        return [scrub(item) for item in value]
    if isinstance(value, dict):
        return {join_halves(key): scrub(item) for key, item in value.items()}
    return value


def join_halves(text: str) -> str:
    """Return ``text`` with neighbouring halves joined and lone ones replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _encodable(raw: dict[str, JsonValue]) -> bool:
    return all(value is None or _value_encodable(value) for value in raw.values())


def _value_encodable(value: JsonValue) -> bool:
    if isinstance(value, str):
        return value.isascii() or _text_encodable(value)
    if isinstance(value, dict | list):
        return _text_encodable(to_text(value))
    return True


def _text_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class HalfJoiner:
    """Holds a first half back until the fragment that brings the second.

    >>> joiner = HalfJoiner()
    >>> joiner.feed(TextMessageContentEvent(message_id="m", delta=chr(0xD83D)))[0].delta
    ''
    >>> joiner.feed(TextMessageContentEvent(message_id="m", delta=chr(0xDC68)))[0].delta
    '👨'
    """

    def __init__(self) -> None:
        self._held: dict[tuple[type[Event], str], str] = {}

    def feed(self, event: Event) -> tuple[Event, ...]:
        """Return the event with its text mended; an item that ends in a half gets U+FFFD first."""
        if type(event) in _CONTENT:
            return (self._mend(cast("_Content", event)),)
        if self._held and type(event) in _CONTENT_OF:
            return self._end(cast("_End", event))
        if type(event) is RunStartedEvent:
            self._held.clear()
        return (event,)

    def _mend(self, event: _Content) -> Event:
        if not self._held and (event.delta.isascii() or _text_encodable(event.delta)):
            return event
        key = (type(event), _item(event))
        text = self._held.pop(key, "") + event.delta
        if text and "\ud800" <= text[-1] <= "\udbff":
            self._held[key], text = text[-1], text[:-1]
        return event.model_copy(update={"delta": join_halves(text)})

    def _end(self, event: _End) -> tuple[Event, ...]:
        content = _CONTENT_OF[type(event)]
        if self._held.pop((content, _item(event)), None) is None:
            return (event,)
        return (content.model_validate({**_address(event), "delta": "\ufffd"}), event)


def _item(event: _Content | _End) -> str:
    if isinstance(event, ToolCallArgsEvent | ToolCallEndEvent):
        return event.tool_call_id
    return event.message_id


def _address(event: _End) -> dict[str, JsonValue]:
    name = "toolCallId" if isinstance(event, ToolCallEndEvent) else "messageId"
    tag: dict[str, JsonValue] = {"subagentRunId": event.subagent_run_id} if event.subagent_run_id else {}
    return {name: _item(event), **tag}
