"""The response of a run: frames as they come, signs of life between them, and an eye on the connection."""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

import anyio
from starlette.types import Receive, Scope, Send

from chat_app.agent.outbox import Outbox
from chat_app.agent.sse import CONTENT_TYPE, KEEP_ALIVE

logger = logging.getLogger(__name__)

HEADERS: Final = (
    (b"content-type", CONTENT_TYPE.encode()),
    (b"cache-control", b"no-cache"),
    (b"x-accel-buffering", b"no"),
)
GOODBYE: Final = 1.0
"""Seconds for the last frames when the server itself stops the run."""

_Item = TypeVar("_Item")


class EventStream(Generic[_Item]):
    """An ASGI response that sends what a producer puts into an outbox.

    The producer runs beside the connection. When the client closes it, the producer is cancelled at once,
    also while it waits for something; when the producer is done, the response ends.

    Args:
        produce: Fills the outbox and closes it.
        outbox: Takes what is produced.
        encode: Writes a batch as frames.
        keepalive: Seconds of silence after which a comment shows that the stream lives.
        name: Says in the log which run this is.
    """

    def __init__(
        self,
        produce: Callable[[Outbox[_Item]], Coroutine[Any, Any, None]],
        outbox: Outbox[_Item],
        *,
        encode: Callable[[Sequence[_Item]], bytes],
        keepalive: float,
        name: str,
    ) -> None:
        self._produce = produce
        self._outbox = outbox
        self._encode = encode
        self._keepalive = keepalive
        self._name = name

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        """Answer the request; comes back when the response is complete or the client is gone."""
        try:
            await self._serve(receive, send)
        except asyncio.CancelledError:
            await self._say_goodbye(send)
            raise

    async def _serve(self, receive: Receive, send: Send) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch, receive, group.cancel_scope)
            group.start_soon(self._produce, self._outbox)
            await self._send_all(send, group.cancel_scope)
            group.cancel_scope.cancel()

    async def _watch(self, receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self._leave(scope)

    def _leave(self, scope: anyio.CancelScope) -> None:
        if not self._outbox.closed:
            logger.info("The client of %s closed the connection; the run is stopped.", self._name)
        scope.cancel()

    async def _send_all(self, send: Send, scope: anyio.CancelScope) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": list(HEADERS)})
            while batch := await self._next_batch():
                await send(_body(batch, more=True))
            await send(_body(b"", more=False))
        except OSError:  # how a server says that nobody is there to send to
            self._leave(scope)

    async def _next_batch(self) -> bytes:
        with anyio.move_on_after(self._keepalive):
            return self._encode(await self._outbox.take())
        return KEEP_ALIVE

    async def _say_goodbye(self, send: Send) -> None:
        """Send how the run ended when it was this side that stopped it, within a short time."""
        with anyio.move_on_after(GOODBYE), suppress(OSError):
            await send(_body(self._encode(self._outbox.drain()), more=False))


def _body(chunk: bytes, *, more: bool) -> dict[str, object]:
    return {"type": "http.response.body", "body": chunk, "more_body": more}
