"""Bytes of an event stream to frames, the JSON objects in it.

httpx-sse reads the lines. What it lacks stands in front of it: a byte order mark is dropped, bytes that
are not UTF-8 are an error, a frame may not grow without bound, and a last frame without its blank
line is still read. Comments and other keep-alives make no frame. The shape of a frame is not judged.
"""

import codecs
import json
import re
from collections.abc import AsyncIterable, AsyncIterator
from typing import NoReturn, cast

import httpx
from httpx_sse import EventSource
from pydantic import JsonValue

from chat_app.agui.errors import BadFrame
from chat_app.agui.nesting import DEPTH_CAP, too_deep

FRAME_CAP = 10 * 2**20
"""Characters a frame may have unless the caller says otherwise."""

_FRAME_END = re.compile(r"(?>\r\n|\n|\r)(?>\r\n|\n|\r)")
_EXCERPT = 80


async def frames(body: AsyncIterable[bytes], *, cap: int = FRAME_CAP) -> AsyncIterator[dict[str, JsonValue]]:
    """Yield the frames of an event stream in order of arrival.

    A frame that the end of the body cuts off is dropped: that the run is cut short shows anyway, by
    the terminal event that never came.

    Raises:
        BadFrame: the bytes are not UTF-8, or a frame is too large or no JSON object with a ``type``.
    """
    text = _Text(body, cap)
    # EventSource asks its response for a header and an iterator of text, nothing else.
    async for event in EventSource(cast("httpx.Response", text)).aiter_sse():
        if not event.data or event.data.isspace():
            continue
        try:
            frame = parse_frame(event.data)
        except BadFrame:
            if text.cut_short:
                return
            raise
        yield frame


def parse_frame(data: str) -> dict[str, JsonValue]:
    """Return the JSON object in a frame.

    Raises:
        BadFrame: it is no JSON, no object, nested too deep, or has no ``type`` that is a string.
    """
    frame = _parse(data)
    if not isinstance(frame, dict):
        raise BadFrame(f"A frame must be a JSON object, not {_excerpt(data)}")
    name = frame.get("type")
    if not isinstance(name, str) or not name:
        raise BadFrame(f"A frame carries no event type: {_excerpt(data)}")
    return frame


def _parse(data: str) -> JsonValue:
    try:
        value = cast("JsonValue", _JSON.decode(data))
    except (ValueError, RecursionError) as error:
        raise BadFrame(f"A frame is not JSON ({error}): {_excerpt(data)}") from error
    if too_deep(value, data):
        raise BadFrame(f"A frame nests deeper than {DEPTH_CAP} levels")
    return value


def _not_a_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in {float("inf"), float("-inf")}:
        raise ValueError("a number is too large")
    return number


_JSON = json.JSONDecoder(parse_constant=_not_a_number, parse_float=_finite)


def _excerpt(data: str) -> str:
    return repr(data if len(data) <= _EXCERPT else data[:_EXCERPT] + "…")


class _Text:
    """The body as text, with a blank line at its end. ``cut_short`` says that the last one was ours."""

    headers = httpx.Headers({"content-type": "text/event-stream"})

    def __init__(self, body: AsyncIterable[bytes], cap: int) -> None:
        self._body = body
        self._gauge = _FrameGauge(cap)
        self.cut_short = False

    async def aiter_text(self) -> AsyncIterator[str]:
        # A BOM is dropped only at the very start; "utf-8-sig" does just that.
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        async for chunk in self._body:
            if text := _decode(decoder, chunk):
                self._gauge.measure(text)
                yield text
        self.cut_short = self._gauge.open
        yield "\n\n"


def _decode(decoder: codecs.IncrementalDecoder, chunk: bytes) -> str:
    try:
        return decoder.decode(chunk)
    except UnicodeDecodeError as error:
        raise BadFrame(f"The stream is not UTF-8: {error.reason}") from error


class _FrameGauge:
    """Counts the characters since the last blank line."""

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._size = 0
        self._newlines = ""  # line ends after the last frame end: a blank line may be cut in two

    @property
    def open(self) -> bool:
        return self._size > 0

    def measure(self, text: str) -> None:
        if text.endswith("\n\n") and self._size + len(text) <= self._cap:
            self._size, self._newlines = 0, ""
            return
        self._scan(self._newlines + text, self._size - len(self._newlines))

    def _scan(self, text: str, size: int) -> None:
        start = 0
        for end in _FRAME_END.finditer(text):
            self._check(size + end.end() - start)
            size, start = 0, end.end()
        rest = text[start:]
        self._check(size + len(rest))
        self._size = size + len(rest)
        self._newlines = rest[len(rest.rstrip("\r\n")) :]

    def _check(self, size: int) -> None:
        if size > self._cap:
            raise BadFrame(f"A frame is larger than {self._cap} characters")
