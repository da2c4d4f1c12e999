"""Messages an application stored before this protocol version, brought up to it.

Content parts of the kind ``binary`` are gone from the protocol; histories that hold some are upgraded
when they are read, so that no request ever carries one.
"""

from collections.abc import Callable, Mapping

from ag_ui.core import Message
from pydantic import JsonValue, TypeAdapter, ValidationError

from chat_app.agui.boundary import upgrade_binary
from chat_app.agui.errors import BadEvent
from chat_app.agui.events import pointer
from chat_app.agui.updates import Diagnostic

_MESSAGE: TypeAdapter[Message] = TypeAdapter(Message)


def parse_message(
    stored: Mapping[str, JsonValue], report: Callable[[Diagnostic], None] = lambda _: None
) -> Message:
    """Return a stored message as one of today.

    >>> old = {"type": "binary", "mimeType": "image/png", "url": "https://example.test/a.png"}
    >>> parse_message({"id": "u", "role": "user", "content": [old]}).content[0].type
    'image'

    Raises:
        BadEvent: It is no message of this protocol.
    """
    content = stored.get("content")
    upgraded = {**stored, "content": _parts(content, report)} if isinstance(content, list) else dict(stored)
    try:
        return _MESSAGE.validate_python(upgraded)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise BadEvent("message", pointer(first["loc"][1:]), first["msg"]) from error


def _parts(content: list[JsonValue], report: Callable[[Diagnostic], None]) -> list[JsonValue]:
    """Return the parts with legacy ones upgraded; one that names neither data nor a URL is lost."""
    kept: list[JsonValue] = []
    for part in content:
        if not isinstance(part, dict) or part.get("type") != "binary":
            kept.append(part)
        elif (media := upgrade_binary(part)) is not None:
            kept.append(media)
        else:
            report(Diagnostic("binary-part", "A binary part names neither data nor url and is lost"))
    return kept
