"""End the application before its connections.

At a signal Granian waits for every open connection and only then tells the application to shut down. Our
answers stream for minutes and our agent is reached over HTTP in this very process, so that would wait until the
kill timeout and skip the shutdown that marks live runs. Here the order is turned round: the application shuts
down while its streams still flow, then whatever is still open is cut.
"""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CUT_WITHIN_S = 2.0


class Draining:
    """An ASGI application around another one, with `leave` to begin the end from any thread."""

    def __init__(self, application: ASGIApp, *, started: Callable[[], object] = lambda: None) -> None:
        """Wrap the application; nothing changes until `leave`. `started` is called once its loop runs."""
        self._application = application
        self._started = started
        self._leaving = asyncio.Event()
        self._open: set[asyncio.Future[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection, or the lifespan."""
        if scope["type"] == "lifespan":
            await self._lifespan(scope, receive, send)
        else:
            await self._connection(scope, receive, send)

    def leave(self) -> None:
        """Shut the application down, then cut what is open. Before it runs and afterwards this does nothing."""
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._leaving.set)

    async def _lifespan(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._loop = asyncio.get_running_loop()
        self._started()

        async def until_leaving() -> Message:
            return await self._server_or_leave(receive)

        async def after_the_cut(message: Message) -> None:
            if message["type"].startswith("lifespan.shutdown"):
                await self._cut()
            await send(message)

        await self._application(scope, until_leaving, after_the_cut)

    async def _server_or_leave(self, receive: Receive) -> Message:
        """Return the server's next word, or the shutdown that it has not ordered yet."""
        server = asyncio.ensure_future(receive())
        leaving = asyncio.ensure_future(self._leaving.wait())
        await asyncio.wait({server, leaving}, return_when=asyncio.FIRST_COMPLETED)
        leaving.cancel()
        if server.done():
            return server.result()
        server.cancel()
        return {"type": "lifespan.shutdown"}

    async def _cut(self) -> None:
        """Cancel what is open and see it end: the server closes the loop as soon as it hears of the shutdown."""
        for connection in self._open:
            connection.cancel()
        if self._open:
            await asyncio.wait(self._open, timeout=CUT_WITHIN_S)

    async def _connection(self, scope: Scope, receive: Receive, send: Send) -> None:
        connection = asyncio.ensure_future(self._served(scope, receive, send))
        self._open.add(connection)
        try:
            await connection
        except asyncio.CancelledError:
            connection.cancel()
            if not self._leaving.is_set():
                raise
        finally:
            self._open.discard(connection)

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._application(scope, receive, send)
