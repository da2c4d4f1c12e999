"""The messages of a request as entries of a model transcript.

Providers are stricter than the wire: every call is answered right behind the step that made it, and nothing is
answered that was never called. What a subagent said stays out; its result is the answer of the call it worked for.
"""

from collections.abc import Callable, Sequence
from typing import Final

from ag_ui.core import (
    AssistantMessage,
    AudioPart,
    DataSource,
    DeveloperMessage,
    DocumentPart,
    FunctionCall,
    ImagePart,
    Message,
    SystemMessage,
    TextPart,
    ToolMessage,
    UrlSource,
    UserMessage,
    VideoPart,
)
from ag_ui.core import ToolCall as WireCall

from chat_app.agent.conversation import Conversation, plain_text
from chat_app.agent.servers import NO_ARGUMENTS, ToolSpec
from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    Entry,
    SystemEntry,
    ToolCall,
    ToolEntry,
    UserEntry,
)

KINDS: Final = {
    ImagePart: "image/*",
    AudioPart: "audio/*",
    VideoPart: "video/*",
    DocumentPart: "application/octet-stream",
}


def read_history(messages: Sequence[Message]) -> list[Entry]:
    """Give the conversation as it came. A call nobody answered stays open."""
    answers = {message.tool_call_id: message for message in messages if isinstance(message, ToolMessage)}
    entries: list[Entry] = []
    for message in messages:
        if getattr(message, "subagent_run_id", None) is None:
            entries += _entries(message, answers)
    return entries


def answered(
    messages: Sequence[Message], entries: Sequence[Entry], new_id: Callable[[], str]
) -> list[Message]:
    """Give the conversation as it came, with the answers its open calls have got since."""
    known = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    since = {
        entry.call_id: entry
        for entry in entries
        if isinstance(entry, ToolEntry) and entry.call_id not in known
    }
    whole: list[Message] = []
    for message in messages:
        whole.append(message)
        if isinstance(message, AssistantMessage):
            calls = message.tool_calls or ()
            whole += [_tool_message(since[call.id], new_id()) for call in calls if call.id in since]
    return whole


def written(entries: Sequence[Entry], new_id: Callable[[], str]) -> list[Message]:
    """Give steps and answers as the messages a client would have made of them."""
    made: list[Message] = []
    for entry in entries:
        if isinstance(entry, AssistantEntry):
            calls = [
                WireCall(id=call.id, function=FunctionCall(name=call.name, arguments=call.arguments))
                for call in entry.calls
            ]
            made.append(AssistantMessage(id=new_id(), content=entry.text or None, tool_calls=calls or None))
        elif isinstance(entry, ToolEntry):
            made.append(_tool_message(entry, new_id()))
    return made


def _tool_message(entry: ToolEntry, key: str) -> ToolMessage:
    return ToolMessage(id=key, tool_call_id=entry.call_id, content=entry.text)


def client_tools(conversation: Conversation) -> list[ToolSpec]:
    """Give the tools the client offers to run."""
    return [
        ToolSpec(
            name=tool.name,
            description=tool.description,
            parameters=tool.parameters if isinstance(tool.parameters, dict) else NO_ARGUMENTS,
        )
        for tool in conversation.tools
    ]


def _entries(message: Message, answers: dict[str, ToolMessage]) -> list[Entry]:
    match message:
        case SystemMessage() | DeveloperMessage():
            return [SystemEntry(plain_text(message))]
        case UserMessage():
            return [UserEntry(plain_text(message), _attachments(message))]
        case AssistantMessage():
            return _step(message, answers)
        case _:  # answers stand behind their calls; thoughts and activities are for people
            return []


def _step(message: AssistantMessage, answers: dict[str, ToolMessage]) -> list[Entry]:
    calls = tuple(
        ToolCall(call.id, call.function.name, call.function.arguments) for call in message.tool_calls or ()
    )
    text = message.content or ""
    if not text and not calls:
        return []
    answered = [_answer(call, answers[call.id]) for call in calls if call.id in answers]
    return [AssistantEntry(text, calls=calls), *answered]


def _answer(call: ToolCall, message: ToolMessage) -> ToolEntry:
    text = plain_text(message) or message.error or ""
    return ToolEntry(call.id, call.name, text, is_error=message.error is not None)


def _attachments(message: UserMessage) -> tuple[Attachment, ...]:
    """Give what came beside the text. A file that only its provider can open is left out."""
    if isinstance(message.content, str):
        return ()
    found: list[Attachment] = []
    for part in message.content:
        if isinstance(part, TextPart):
            continue
        source, kind = part.source, KINDS[type(part)]
        if isinstance(source, DataSource):
            found.append(Attachment(source.mime_type, data=source.value))
        elif isinstance(source, UrlSource):
            found.append(Attachment(source.mime_type or kind, url=source.value))
    return tuple(found)
