"""An agent that does everything wrong, for the tests of whoever talks to agents. Never mounted by default.

Each behaviour is an address: ``POST /<name>`` under the place where it is mounted. No token is asked for.
"""

import json
import math
from collections.abc import Callable, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import anyio
from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from chat_app.agent.outbox import Outbox
from chat_app.agent.sse import compact_json
from chat_app.agent.stream import HEADERS, EventStream

FLOOD: Final = 20_000
"""Text events of the flood when the address does not say otherwise (``?n=``)."""
OVERSIZE: Final = 11 * 2**20
"""Bytes of the one frame that is larger than a careful client takes."""

WireEvent: TypeAlias = Mapping[str, JsonValue]
Behave: TypeAlias = Callable[["Asked"], ASGIApp]
Frames: TypeAlias = Outbox[bytes]


class CutOnPurpose(ConnectionAbortedError):  # noqa: N818 - nothing went wrong
    """Makes the server drop the connection in the middle of a response."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an awkward answer may know of its request."""

    thread_id: str
    run_id: str
    count: int

    def started(self) -> WireEvent:
        """Open the run that was asked for."""
        return {"type": "RUN_STARTED", "threadId": self.thread_id, "runId": self.run_id}

    def finished(self) -> WireEvent:
        """Close it as a success."""
        return {"type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id}

    def text(self, delta: str) -> WireEvent:
        """Write into the one message these answers know."""
        return {"type": "TEXT_MESSAGE_CONTENT", "messageId": self.message_id, "delta": delta}

    def whole_message(self, *deltas: str) -> tuple[WireEvent, ...]:
        """Write that message from its start to its end."""
        start: WireEvent = {"type": "TEXT_MESSAGE_START", "messageId": self.message_id, "role": "assistant"}
        end: WireEvent = {"type": "TEXT_MESSAGE_END", "messageId": self.message_id}
        return (start, *(self.text(delta) for delta in deltas), end)

    @property
    def message_id(self) -> str:
        """The id of that message, new with every run."""
        return f"{self.run_id}-message"


# -- streams that break the rules -------------------------------------------------------------------------


def _unbracketed(asked: Asked) -> ASGIApp:
    """Text without START and END."""
    return _frames(asked.started(), asked.text("No start, "), asked.text("no end."), asked.finished())


def _unfinished_message(asked: Asked) -> ASGIApp:
    """RUN_FINISHED while the message is open."""
    return _frames(asked.started(), *asked.whole_message("Never closed.")[:-1], asked.finished())


def _no_end(asked: Asked) -> ASGIApp:
    """Whole frames, a whole message, and no terminal event."""
    return _frames(asked.started(), *asked.whole_message("And then nothing."))


def _late_error(asked: Asked) -> ASGIApp:
    """RUN_ERROR after RUN_FINISHED, which is legal and makes the run failed."""
    error: WireEvent = {"type": "RUN_ERROR", "message": "It could not be saved.", "code": "LATE"}
    return _frames(asked.started(), *asked.whole_message("All fine."), asked.finished(), error)


def _no_json(asked: Asked) -> ASGIApp:
    """A frame whose data is no JSON."""
    return _bytes(_frame(asked.started()), b"data: this is not JSON\n\n", _frame(asked.finished()))


def _unknown_event(asked: Asked) -> ASGIApp:
    """An event type from the future and members nobody described, in an otherwise good run."""
    future: WireEvent = {"type": "HOLOGRAM_STARTED", "hologramId": "h1"}
    finished: WireEvent = {**asked.finished(), "mood": "good"}
    return _frames(asked.started(), future, *asked.whole_message("Still understood."), finished)


def _chunks(asked: Asked) -> ASGIApp:
    """A good run in the short form: chunks instead of START, CONTENT and END."""
    opener: WireEvent = {"type": "TEXT_MESSAGE_CHUNK", "messageId": asked.message_id, "delta": "In "}
    more: tuple[WireEvent, ...] = tuple(
        {"type": "TEXT_MESSAGE_CHUNK", "delta": delta} for delta in ("short ", "form.")
    )
    return _frames(asked.started(), opener, *more, asked.finished())


# -- streams that break off, or never do ------------------------------------------------------------------


def _truncated(asked: Asked) -> ASGIApp:
    """A proper end of the response in the middle of a frame."""
    return _bytes(*_half_an_answer(asked))


def _cut(asked: Asked) -> ASGIApp:
    """The connection dropped in the middle of a frame."""
    return _Cut(b"".join(_half_an_answer(asked)))


def _silent(asked: Asked) -> ASGIApp:
    """A run that begins and then says nothing for ever, not even a comment."""

    async def produce(outbox: Frames) -> None:
        outbox.put(_frame(asked.started()))
        await anyio.sleep_forever()

    return _stream(produce)


def _hung(_asked: Asked) -> ASGIApp:
    """A connection that is accepted and never answered, not even with headers."""
    return _hold


def _flood(asked: Asked) -> ASGIApp:
    """A good run with as many text events as fast as the connection takes them."""

    async def produce(outbox: Frames) -> None:
        deltas = (f"{number} " for number in range(asked.count))
        for event in (asked.started(), *asked.whole_message(*deltas), asked.finished()):
            outbox.put(_frame(event))
            await outbox.room()
        outbox.close()

    return _stream(produce)


def _oversize(asked: Asked) -> ASGIApp:
    """One frame of 11 MiB."""
    return _frames(asked.started(), *asked.whole_message("x" * OVERSIZE), asked.finished())


# -- what is no stream of frames at all -------------------------------------------------------------------


def _noise(_asked: Asked) -> ASGIApp:
    """Bytes that are neither SSE nor text, under the name of an event stream."""
    return _bytes(bytes(range(256)) * 16)


def _windows_lines(asked: Asked) -> ASGIApp:
    """A good run with all SSE allows: BOM, CRLF, comments, more fields, split data, no last blank line."""
    start, *rest = (
        compact_json(event).encode() for event in (asked.started(), *asked.whole_message("Fine."))
    )
    first, second = start.split(b",", 1)
    lines = [b"\xef\xbb\xbf: hello", b"", b"event: message", b"id: 1", b"retry: 10"]
    lines += [b"data: " + first + b",", b"data: " + second, b"", b": ping", b""]
    for event in rest:
        lines += [b"data:" + event, b""]
    return _bytes(b"\r\n".join([*lines, b"data: " + compact_json(asked.finished()).encode()]))


def _html(_asked: Asked) -> ASGIApp:
    """A page, as a proxy or a wrong address gives it, with status 200."""
    return HTMLResponse("<!doctype html><title>Welcome</title><h1>It works!</h1>")


def _json(_asked: Asked) -> ASGIApp:
    """JSON where a stream belongs, with status 200."""
    return JSONResponse({"answer": "not as a stream"})


def _error_500(_asked: Asked) -> ASGIApp:
    return PlainTextResponse("Internal Server Error: the model could not be reached", 500)


def _error_401(_asked: Asked) -> ASGIApp:
    return JSONResponse({"detail": "Not authenticated"}, 401, headers={"www-authenticate": "Bearer"})


def _error_422(_asked: Asked) -> ASGIApp:
    problem = {
        "type": "extra_forbidden",
        "loc": ["body", "protocolVersion"],
        "msg": "Extra inputs not permitted",
    }
    return JSONResponse({"detail": [problem]}, 422)


def _error_429(_asked: Asked) -> ASGIApp:
    return JSONResponse({"detail": "Too many requests"}, 429, headers={"retry-after": "7"})


BEHAVIOURS: Final[Mapping[str, Behave]] = {
    "unbracketed": _unbracketed,
    "unfinished-message": _unfinished_message,
    "no-end": _no_end,
    "late-error": _late_error,
    "no-json": _no_json,
    "unknown-event": _unknown_event,
    "chunks": _chunks,
    "truncated": _truncated,
    "cut": _cut,
    "silent": _silent,
    "hung": _hung,
    "flood": _flood,
    "oversize": _oversize,
    "noise": _noise,
    "windows-lines": _windows_lines,
    "html": _html,
    "json": _json,
    "500": _error_500,
    "401": _error_401,
    "422": _error_422,
    "429": _error_429,
}


# -- the means --------------------------------------------------------------------------------------------


def _frame(event: WireEvent) -> bytes:
    return f"data: {compact_json(event)}\n\n".encode()


def _half_an_answer(asked: Asked) -> Iterable[bytes]:
    events = (asked.started(), *asked.whole_message("This sentence has no ", "end")[:-1])
    whole = b"".join(_frame(event) for event in events)
    return (whole[:-12],)


def _frames(*events: WireEvent) -> ASGIApp:
    return _bytes(*(_frame(event) for event in events))


def _bytes(*chunks: bytes) -> ASGIApp:
    async def produce(outbox: Frames) -> None:
        for chunk in chunks:
            outbox.put(chunk)
            await outbox.room()
        outbox.close()

    return _stream(produce)


def _stream(produce: Callable[[Frames], Coroutine[Any, Any, None]]) -> ASGIApp:
    outbox: Frames = Outbox(squeeze=list)
    return EventStream(produce, outbox, encode=b"".join, keepalive=math.inf, name="an awkward run")


async def _hold(_scope: Scope, receive: Receive, _send: Send) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


@dataclass(frozen=True, slots=True)
class _Cut:
    """Sends the beginning of a body and breaks the connection."""

    beginning: bytes

    async def __call__(self, _scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
        await send({"type": "http.response.body", "body": self.beginning, "more_body": True})
        raise CutOnPurpose("The awkward agent cuts this connection on purpose.")


def build_awkward() -> Starlette:
    """Build the awkward agent as an ASGI app; :data:`BEHAVIOURS` lists its addresses."""
    return Starlette(
        routes=[Route("/{name}", _answer, methods=["POST"])], exception_handlers={HTTPException: _refuse}
    )


async def _answer(request: Request) -> ASGIApp:
    name = request.path_params["name"]
    behave = BEHAVIOURS.get(name)
    if behave is None:
        raise HTTPException(404, f"No behaviour {name!r}. There are: {', '.join(sorted(BEHAVIOURS))}.")
    return behave(_asked(await request.body(), request.query_params.get("n", str(FLOOD))))


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"detail": error.detail}, error.status_code)


def _asked(body: bytes, count: str) -> Asked:
    """Read the ids leniently: whoever asks this agent is not the one under test."""
    try:
        run_input = json.loads(body)
        return Asked(str(run_input["threadId"]), str(run_input["runId"]), int(count))
    except (ValueError, TypeError, KeyError):
        raise HTTPException(422, "Send a run input with threadId and runId; n is a number.") from None
