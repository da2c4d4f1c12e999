"""What an answer that is not a stream says: status, reason and waiting time, in bounded size.

Nothing here trusts the body. It is read up to a limit, kept as text, and never shown as markup.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus

import httpx
from pydantic import JsonValue

from chat_app.agui.errors import HttpStatus

EXCERPT_CHARS = 2048
"""How much of an answer's body an error keeps."""

_EXCERPT_BYTES = EXCERPT_CHARS * 4


async def read_excerpt(response: httpx.Response, patience: float) -> str:
    """Read the start of a body: at most ``EXCERPT_CHARS`` characters, for at most ``patience`` seconds."""
    body = bytearray()
    with suppress(httpx.HTTPError, TimeoutError):  # half an explanation is better than none
        async with asyncio.timeout(patience):
            await _fill(body, response)
    return body[:_EXCERPT_BYTES].decode("utf-8", "replace")[:EXCERPT_CHARS]


async def _fill(body: bytearray, response: httpx.Response) -> None:
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) >= _EXCERPT_BYTES:
            return


def media_type(headers: Mapping[str, str]) -> str:
    """Return the content type without parameters, in lower case, ``""`` when there is none."""
    return headers.get("content-type", "").partition(";")[0].strip().lower()


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return how many seconds the server asks to wait (RFC 9110 §10.2.3), or None."""
    text = headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    aware = at if at.tzinfo else at.replace(tzinfo=UTC)
    return max(0.0, (aware - now).total_seconds())


def refusal(status: int, excerpt: str, wait: float | None) -> HttpStatus:
    """Return the error for a refused request: a person reads the reason, the excerpt is kept beside it."""
    hint = "" if wait is None else f"It asks to wait {wait:g} s."
    seconds = None if wait is None else f"{wait:g}"
    error = HttpStatus(
        status, _sentence(reason_in(excerpt) or _phrase(status)), retry_after=seconds, hint=hint
    )
    error.excerpt = excerpt
    return error


def _phrase(status: int) -> str:
    """Return the standard's words for a status, for bodies that say nothing."""
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "no reason given"


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?")) else f"{words}."


def no_stream(kind: str, status: int) -> str:
    """Return the sentence for an answer that is no event stream, without its body, which may be anything."""
    said = kind or ("nothing" if status == 204 else "no content type")
    return f"The agent answered with {said} (status {status}) instead of an event stream."


def reason_in(excerpt: str) -> str:
    """Return the sentence a JSON error body carries, ``""`` when it carries none.

    Frameworks put it under ``detail``, ``error`` or ``message``; validation errors are a list of places
    and complaints, written here as ``body.messages.0: Field required``.
    """
    with suppress(ValueError):
        return _reason(json.loads(excerpt))
    return ""


def _reason(value: JsonValue) -> str:
    match value:
        case str():
            return value.strip()
        case dict():
            return _reason_of_object(value)
        case list():
            return "; ".join(filter(None, map(_reason, value)))
        case _:
            return ""


def _reason_of_object(value: Mapping[str, JsonValue]) -> str:
    complaint = value.get("msg")
    if isinstance(complaint, str):
        place = value.get("loc")
        return f"{_place(place)}: {complaint}" if isinstance(place, list) and place else complaint
    return next(filter(None, (_reason(value.get(key)) for key in ("detail", "error", "message"))), "")


def _place(parts: Sequence[JsonValue]) -> str:
    return ".".join(str(part) for part in parts)
