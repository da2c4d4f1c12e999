"""Transcripts in the words of pydantic-ai, and its stream in ours. Needs the extra ``models``."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from pydantic import JsonValue, TypeAdapter
from pydantic_ai.messages import (
    AudioUrl,
    BinaryContent,
    DocumentUrl,
    ImageUrl,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
    VideoUrl,
)
from pydantic_ai.tools import ToolDefinition

from chat_app.agent.models.names import NameTable
from chat_app.agent.servers import ToolSpec
from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    Entry,
    SystemEntry,
    ToolEntry,
    UserEntry,
)

_RESPONSE: Final[TypeAdapter[ModelResponse]] = TypeAdapter(ModelResponse)
_URLS: Final[Mapping[str, type[ImageUrl | AudioUrl | VideoUrl]]] = {
    "image": ImageUrl,
    "audio": AudioUrl,
    "video": VideoUrl,
}


def name_table(entries: Sequence[Entry], tools: Sequence[ToolSpec]) -> NameTable:
    """Give the table of every name the request mentions, on offer or remembered."""
    called = [call.name for entry in entries if isinstance(entry, AssistantEntry) for call in entry.calls]
    answered = [entry.name for entry in entries if isinstance(entry, ToolEntry)]
    return NameTable([*(tool.name for tool in tools), *called, *answered])


def definitions(tools: Sequence[ToolSpec], names: NameTable) -> list[ToolDefinition]:
    """Give the tools as a provider is told of them."""
    return [
        ToolDefinition(
            name=names.outward(tool.name),
            description=tool.description or None,
            parameters_json_schema=dict(tool.parameters),
        )
        for tool in tools
    ]


def messages(entries: Sequence[Entry], names: NameTable) -> list[ModelMessage]:
    """Give the transcript; neighbours of one side become one message, as providers want it."""
    spoken: list[ModelMessage] = []
    for entry in entries:
        if isinstance(entry, AssistantEntry):
            spoken.append(_response(entry, names))
            continue
        part = _part(entry, names)
        last = spoken[-1] if spoken else None
        if isinstance(last, ModelRequest):
            spoken[-1] = replace(last, parts=[*last.parts, part])
        else:
            spoken.append(ModelRequest([part]))
    return spoken


def replay_of(response: ModelResponse) -> JsonValue:
    """Give a response as JSON that goes back to the provider with the next request."""
    value: JsonValue = _RESPONSE.dump_python(response, mode="json")
    return value


def argument_text(arguments: object) -> str:
    """Give the arguments of a call as text; providers send text or an object."""
    if arguments is None:
        return ""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _part(entry: SystemEntry | UserEntry | ToolEntry, names: NameTable) -> ModelRequestPart:
    if isinstance(entry, SystemEntry):
        return SystemPromptPart(entry.text)
    if isinstance(entry, UserEntry):
        return UserPromptPart(_content(entry))
    return ToolReturnPart(
        names.outward(entry.name),
        entry.text,
        entry.call_id,
        outcome="failed" if entry.is_error else "success",
    )


def _content(entry: UserEntry) -> str | Sequence[UserContent]:
    if not entry.attachments:
        return entry.text
    text = [entry.text] if entry.text else []
    return [*text, *(_attached(attachment) for attachment in entry.attachments)]


def _attached(attachment: Attachment) -> UserContent:
    kind = attachment.media_type.partition("/")[0]
    if attachment.url:
        return _URLS.get(kind, DocumentUrl)(attachment.url, media_type=attachment.media_type or None)
    return BinaryContent(base64.b64decode(attachment.data), media_type=attachment.media_type)


def _response(entry: AssistantEntry, names: NameTable) -> ModelResponse:
    """Give the step as its provider sent it when that is known, under the ids the transcript knows."""
    if entry.replay is None:
        return ModelResponse(_parts(entry, names))
    response = _RESPONSE.validate_python(entry.replay)
    calls = iter(entry.calls)
    parts: list[ModelResponsePart] = []
    for part in response.parts:
        if isinstance(part, ToolCallPart) and (call := next(calls, None)) is not None:
            parts.append(replace(part, tool_call_id=call.id))
        else:
            parts.append(part)
    return replace(response, parts=parts)


def _parts(entry: AssistantEntry, names: NameTable) -> list[ModelResponsePart]:
    text: list[ModelResponsePart] = [TextPart(entry.text)] if entry.text else []
    return [
        *text,
        *(ToolCallPart(names.outward(call.name), call.arguments or "{}", call.id) for call in entry.calls),
    ]
