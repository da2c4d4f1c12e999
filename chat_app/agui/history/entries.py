"""One message of the history while it grows: text in pieces, joined when it is read.

Entries are edited in place by the folds of this package and never handed out; `message` gives the
protocol's model of what an entry holds now.
"""

from dataclasses import dataclass, field
from typing import Any, TypeAlias, assert_never, cast

from ag_ui.core import ContentPart, FunctionCall, ToolCall
from pydantic import JsonValue

from chat_app.agui.events import (
    ActivityMessage,
    AssistantMessage,
    DeveloperMessage,
    Message,
    ReasoningMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)
from chat_app.agui.growing import GrowingText

Metadata: TypeAlias = dict[str, JsonValue]

_PROMPTS: dict[str, type[DeveloperMessage | SystemMessage]] = {
    "developer": DeveloperMessage,
    "system": SystemMessage,
}


@dataclass(slots=True, eq=False)
class CallEntry:
    """A tool call of an assistant message.

    ``replay`` collects arguments that a later run sends again for a call whose arguments are complete:
    they replace the old ones when they are complete themselves.
    """

    call_id: str
    name: str
    holder: "Entry"
    run: int
    arguments: GrowingText = field(default_factory=lambda: GrowingText(text=""))
    ended: bool = False
    answered: bool = False
    encrypted: str | None = None
    metadata: Metadata | None = None
    replay: list[str] | None = None

    def model(self) -> ToolCall:
        """Return the call as the protocol writes it."""
        function = FunctionCall(name=self.name, arguments=self.arguments.read() or "")
        return ToolCall(
            id=self.call_id,
            type="function",
            function=function,
            encrypted_value=self.encrypted,
            metadata=self.metadata,
        )


@dataclass(slots=True, eq=False)
class Entry(GrowingText):
    """A message of the history. ``parts`` is set instead of ``text`` when the content is a list.

    ``foreign`` marks a system message that only a snapshot of the agent's brought.
    """

    message_id: str
    role: str
    owner: str | None = None
    parts: list[ContentPart] | None = None
    calls: list[CallEntry] | None = None
    name: str | None = None
    encrypted: str | None = None
    metadata: Metadata | None = None
    call_id: str = ""
    error: str | None = None
    activity_type: str = ""
    content: Metadata | None = None
    foreign: bool = False

    def add_text(self, delta: str) -> None:
        """Append to the text; a list content gives way to it."""
        self.parts = None
        self.add(delta)

    def merge_metadata(self, added: Metadata | None) -> None:
        """Merge key by key: the last write wins, values are replaced whole."""
        self.metadata = merged(self.metadata, added)

    def message(self) -> Message:
        """Return the protocol's model of the message as it stands."""
        common: dict[str, Any] = {
            "id": self.message_id,
            "subagent_run_id": self.owner,
            "metadata": self.metadata,
        }
        match self.role:
            case "activity":
                return ActivityMessage(**common, activity_type=self.activity_type, content=self.content or {})
            case "reasoning":
                text = self.read() or ""
                return ReasoningMessage(**common, content=text, encrypted_value=self.encrypted)
            case "tool":
                return ToolMessage(
                    **common,
                    content=self._content(),
                    tool_call_id=self.call_id,
                    error=self.error,
                    encrypted_value=self.encrypted,
                )
            case "user":
                return UserMessage(
                    **common, content=self._content(), name=self.name, encrypted_value=self.encrypted
                )
            case _:
                return self._named_message(common)

    def _named_message(self, common: dict[str, Any]) -> Message:
        common |= {"name": self.name, "encrypted_value": self.encrypted}
        if prompt := _PROMPTS.get(self.role):
            return prompt(**common, content=self.read() or "")
        calls = [call.model() for call in self.calls] if self.calls else None
        return AssistantMessage(**common, content=self.read(), tool_calls=calls)

    def _content(self) -> str | list[ContentPart]:
        return self.parts if self.parts is not None else self.read() or ""


def entry_of(message: Message, *, run: int = 0, foreign: bool = False) -> Entry:
    """Return a complete message as an entry; its calls count as ended."""
    entry = Entry(message.id, message.role, message.subagent_run_id, metadata=message.metadata)
    match message:
        case ActivityMessage():
            entry.activity_type, entry.content = message.activity_type, message.content
            return entry
        case AssistantMessage():
            entry.calls = _calls_of(message, entry, run) or None
            entry.name = message.name
        case ToolMessage():
            entry.call_id, entry.error = message.tool_call_id, message.error
        case SystemMessage() | DeveloperMessage():
            entry.name, entry.foreign = message.name, foreign
        case UserMessage():
            entry.name = message.name
        case ReasoningMessage():
            pass
        case _:
            assert_never(message)
    _fill(entry, message.content, message.encrypted_value)
    return entry


def merged(old: Metadata | None, added: Metadata | None) -> Metadata | None:
    """Return both as a new object, ``added`` winning key by key."""
    return old if added is None else {**(old or {}), **added}


def _fill(entry: Entry, content: str | list[ContentPart] | None, encrypted: str | None) -> None:
    entry.encrypted = encrypted
    if isinstance(content, list):
        entry.parts = content
    else:
        entry.become(content)


def _calls_of(message: AssistantMessage, holder: Entry, run: int) -> list[CallEntry]:
    """Return the calls of a message, the first of each id: one server writes them twice."""
    calls: dict[str, CallEntry] = {}
    for call in message.tool_calls or ():
        entry = CallEntry(
            call.id, call.function.name, holder, run, GrowingText(text=call.function.arguments), ended=True
        )
        entry.encrypted, entry.metadata = call.encrypted_value, cast("Metadata | None", call.metadata)
        calls.setdefault(call.id, entry)
    return list(calls.values())
