"""The compatibility boundary: retired shapes become today's, each with a diagnostic.

It works on raw frames, before anything is judged, and never edits the frame it was given. What it
does not know passes untouched; enforcement decides about the rest. The shapes: THINKING events, nulls
where a field should be left out, ``binary`` content parts, and the role of early reasoning messages.
"""

from collections.abc import Callable
from typing import TypeAlias

from pydantic import JsonValue

from chat_app.agui.updates import Diagnostic

JsonObject: TypeAlias = dict[str, JsonValue]
Report: TypeAlias = Callable[[Diagnostic], None]

_NULL_MEANS_ABSENT = {
    "TOOL_CALL_START": ("parentMessageId",),
    "TOOL_CALL_CHUNK": ("parentMessageId",),
    "RUN_FINISHED": ("outcome", "result"),
    "SUBAGENT_FINISHED": ("result",),
}
"""Fields that older SDKs wrote out as null on purpose (`rawEvent` on any event is handled beside it)."""

_MEDIA_KINDS = ("image", "audio", "video")
_MEDIA_PARTS = frozenset({"image", "audio", "video", "document"})


class Boundary:
    """Upgrades the frames of one stream.

    ``role_shim`` says that a reasoning message may call itself an assistant's, as SDKs of the
    protocol's youth did; the pipeline switches it off when the peer declares a protocol version.
    """

    def __init__(self, new_id: Callable[[], str], report: Report, *, role_shim: bool = False) -> None:
        self.role_shim = role_shim
        self._report = report
        self._said: set[tuple[str, str, str]] = set()
        self._thinking = _Thinking(new_id)

    def upgrade(self, raw: JsonObject) -> JsonObject:
        """Return the frame in today's shape: the same object when nothing had to change."""
        kind = raw["type"]
        if isinstance(kind, str) and kind.startswith("THINKING_"):
            raw = self._upgrade_thinking(kind, raw)
        raw = self._drop_nulls(raw, "rawEvent", *_NULL_MEANS_ABSENT.get(str(kind), ()))
        if kind == "REASONING_MESSAGE_START":
            return self._upgrade_role(raw)
        if kind == "MESSAGES_SNAPSHOT":
            return raw | {"messages": self._upgrade_messages(raw, "")} if "messages" in raw else raw
        if kind == "RUN_STARTED" and isinstance(raw.get("input"), dict):
            return raw | {"input": self._upgrade_input(raw)}
        return raw

    # ------------------------------------------------------------ thinking

    def _upgrade_thinking(self, kind: str, raw: JsonObject) -> JsonObject:
        upgraded = self._thinking.upgrade(kind, raw)
        if upgraded is None:
            return raw
        self._say("retired-event", f"{kind} was read as {upgraded['type']}", kind)
        if raw.get("title"):
            self._say("lost-title", "The title of THINKING_START has no place today and was lost", kind)
        return upgraded

    # ------------------------------------------------------------ nulls

    def _drop_nulls(self, raw: JsonObject, *names: str) -> JsonObject:
        for name in names:
            if name in raw and raw[name] is None:
                raw = {key: value for key, value in raw.items() if key != name}
                self._say("null-field", f"{name}: null was read as absent", str(raw["type"]), "/" + name)
        return raw

    # ------------------------------------------------------------ reasoning role

    def _upgrade_role(self, raw: JsonObject) -> JsonObject:
        if not self.role_shim or raw.get("role", "assistant") != "assistant":
            return raw
        self._say("reasoning-role", "The role of a reasoning message was set", str(raw["type"]), "/role")
        return raw | {"role": "reasoning"}

    # ------------------------------------------------------------ messages

    def _upgrade_input(self, raw: JsonObject) -> JsonValue:
        given = raw["input"]
        assert isinstance(given, dict)
        told = _without_nulls(given, "forwardedProps")
        told = _each(told, "tools", lambda tool: _without_nulls(tool, "parameters"))
        told = _each(told, "resume", lambda entry: _without_nulls(entry, "payload"))
        told = _each(told, "messages", _without_null_part_metadata)
        if told != given:
            self._say("null-field", "Nulls in the echoed input were read as absent", "RUN_STARTED", "/input")
        return told | {"messages": self._upgrade_messages(told, "/input")} if "messages" in told else told

    def _upgrade_messages(self, holder: JsonObject, path: str) -> JsonValue:
        messages = holder["messages"]
        if not isinstance(messages, list):
            return messages
        return [
            _upgrade_content(message, self._upgrade_part, f"{path}/messages/{index}/content")
            for index, message in enumerate(messages)
        ]

    def _upgrade_part(self, part: JsonValue, path: str) -> JsonValue:
        if not isinstance(part, dict) or part.get("type") != "binary":
            return part
        upgraded = upgrade_binary(part)
        if upgraded is None:
            self._say("binary-part", "A binary part names neither data nor url and is lost", path=path)
            return part
        self._say("binary-part", f"A binary part was read as {upgraded['type']}", path=path)
        return upgraded

    def _say(self, code: str, message: str, event_type: str = "", path: str = "") -> None:
        """Report a conversion, once per stream and place: a server that needs one needs it all the time."""
        if (code, event_type, path) not in self._said:
            self._said.add((code, event_type, path))
            self._report(Diagnostic(code, message, event_type, path))


def upgrade_binary(part: JsonObject) -> JsonObject | None:
    """Return a legacy ``binary`` part as a media part, or None when it holds neither data nor a URL.

    The kind follows the MIME type's first word; a file name moves into the metadata.
    """
    mime, data, url = part.get("mimeType"), part.get("data"), part.get("url")
    if not isinstance(mime, str) or not (isinstance(data, str) or isinstance(url, str)):
        return None
    family = mime.partition("/")[0]
    source: JsonObject = (
        {"type": "data", "value": data} if isinstance(data, str) else {"type": "url", "value": url}
    )
    media: JsonObject = {
        "type": family if family in _MEDIA_KINDS else "document",
        "source": source | {"mimeType": mime},
    }
    name = part.get("filename")
    return media | {"metadata": {"filename": name}} if isinstance(name, str) else media


class _Thinking:
    """The ids that THINKING events lack: one for the open span, one for the open message."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._span: str | None = None
        self._message: str | None = None

    def upgrade(self, kind: str, raw: JsonObject) -> JsonObject | None:
        match kind:
            case "THINKING_START":
                self._span = self._new_id()
                return _renamed(raw, "REASONING_START", self._span)
            case "THINKING_END":
                span, self._span = self._span or self._new_id(), None
                return _renamed(raw, "REASONING_END", span)
            case "THINKING_TEXT_MESSAGE_START":
                self._message = self._new_id()
                return _renamed(raw, "REASONING_MESSAGE_START", self._message) | {"role": "reasoning"}
            case "THINKING_TEXT_MESSAGE_CONTENT":
                self._message = self._message or self._new_id()
                return _renamed(raw, "REASONING_MESSAGE_CONTENT", self._message)
            case "THINKING_TEXT_MESSAGE_END":
                message, self._message = self._message or self._new_id(), None
                return _renamed(raw, "REASONING_MESSAGE_END", message)
            case _:
                return None


def _renamed(raw: JsonObject, kind: str, message_id: str) -> JsonObject:
    kept: JsonObject = {key: value for key, value in raw.items() if key != "title"}
    return kept | {"type": kind, "messageId": message_id}


def _without_nulls(value: JsonObject, *names: str) -> JsonObject:
    return {key: item for key, item in value.items() if item is not None or key not in names}


def _each(holder: JsonObject, name: str, change: Callable[[JsonObject], JsonObject]) -> JsonObject:
    items = holder.get(name)
    if not isinstance(items, list):
        return holder
    return holder | {name: [change(item) if isinstance(item, dict) else item for item in items]}


def _without_null_part_metadata(message: JsonObject) -> JsonObject:
    return _each(message, "content", _without_null_metadata)


def _without_null_metadata(part: JsonObject) -> JsonObject:
    return _without_nulls(part, "metadata") if part.get("type") in _MEDIA_PARTS else part


def _upgrade_content(
    message: JsonValue, change: Callable[[JsonValue, str], JsonValue], path: str
) -> JsonValue:
    if not isinstance(message, dict):
        return message
    content = message.get("content")
    if not isinstance(content, list):
        return message
    parts: JsonValue = [change(part, f"{path}/{index}") for index, part in enumerate(content)]
    return message | {"content": parts}
