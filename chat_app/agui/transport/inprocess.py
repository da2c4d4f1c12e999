"""An agent in the same process: an ASGI application called without a socket.

The whole of ``HttpTransport`` runs on top, so status codes, frames and limits mean the same as over a
real connection, and the application sees a disconnect when a run is stopped.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, MutableMapping
from types import TracebackType
from typing import Any, Self, TypeAlias

import httpx
from ag_ui.core import RunAgentInput

from chat_app.agui.sse import FRAME_CAP
from chat_app.agui.transport.base import Frame
from chat_app.agui.transport.http import HttpTransport

Message: TypeAlias = MutableMapping[str, Any]
AsgiApp: TypeAlias = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]

PENDING_CHUNKS = 16
"""How much of an answer waits for its reader before the application has to."""

_HOST = "http://in-process"


class InProcessTransport:
    """Runs an agent that is an ASGI application, at ``path`` of it.

    An application that a stopped run does not end within ``grace`` seconds is cancelled.

    >>> from chat_app.agui import Session
    >>> PLAIN = [(b"content-type", b"application/json")]
    >>> async def closed(scope, receive, send):
    ...     await send({"type": "http.response.start", "status": 503, "headers": PLAIN})
    ...     await send({"type": "http.response.body", "body": b'{"error": "closed on Sundays"}'})
    >>> async def talk():
    ...     async with InProcessTransport(closed) as transport:
    ...         return await Session(transport, "t").send("Hello?")
    >>> asyncio.run(talk()).message
    'The agent answered with HTTP status 503: closed on Sundays.'
    """

    def __init__(  # noqa: PLR0913 - the limits of HttpTransport, passed on by name
        self,
        app: AsgiApp,
        path: str = "/",
        *,
        headers: Mapping[str, str] | None = None,
        idle_limit: float | None = None,
        total_timeout: float | None = None,
        frame_cap: int = FRAME_CAP,
        grace: float = 5.0,
    ) -> None:
        self._client = httpx.AsyncClient(transport=_AsgiBridge(app, grace), base_url=_HOST)
        self._http = HttpTransport(
            _HOST + path,
            headers=headers,
            idle_limit=idle_limit,
            total_timeout=total_timeout,
            frame_cap=frame_cap,
            client=self._client,
        )

    def run(self, run_input: RunAgentInput, /) -> AsyncIterator[Frame]:
        """Call the application with ``run_input`` and yield the frames of its answer."""
        return self._http.run(run_input)

    async def aclose(self) -> None:
        """Release the client; the application is not touched."""
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class _AsgiBridge(httpx.AsyncBaseTransport):
    """httpx's own ASGI transport collects the whole body first; this one hands over each chunk."""

    def __init__(self, app: AsgiApp, grace: float) -> None:
        self._app = app
        self._grace = grace

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        call = _Call(self._app, request, await request.aread(), self._grace)
        try:
            status, headers = await call.head()
        except BaseException:
            await call.aclose()
            raise
        return httpx.Response(status, headers=headers, stream=call)


def _scope(request: httpx.Request) -> Message:
    return {
        "type": "http",
        # 2.3, as servers say: applications then listen for the disconnect instead of waiting to write
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "headers": [(name.lower(), value) for name, value in request.headers.raw],
        "scheme": request.url.scheme,
        "path": request.url.path,
        "raw_path": request.url.raw_path.partition(b"?")[0],
        "query_string": request.url.query,
        "server": (request.url.host, 80),
        "client": ("127.0.0.1", 0),
        "root_path": "",
        "state": {},
    }


class _Call(httpx.AsyncByteStream):
    """One call of the application: its task, and the messages on their way between the two sides."""

    def __init__(self, app: AsgiApp, request: httpx.Request, body: bytes, grace: float) -> None:
        self._grace = grace
        self._body: bytes | None = body
        self._idle_limit: float | None = request.extensions["timeout"]["read"]
        self._sent: asyncio.Queue[Message] = asyncio.Queue(PENDING_CHUNKS)
        self._gone = asyncio.Event()
        # the call owns its task: aclose() waits for it, and _next() reports what it raised
        self._task = asyncio.create_task(self._serve(app, _scope(request)))  # noqa: TID251

    async def _serve(self, app: AsgiApp, scope: Message) -> None:
        try:
            await app(scope, self._receive, self._send)
        except Exception as error:  # noqa: BLE001 - carried to the reading side, which raises it
            await self._sent.put({"type": "failed", "error": error})
        else:
            await self._sent.put({"type": "ended"})

    async def _receive(self) -> Message:
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        if self._gone.is_set():
            raise OSError("The client is gone.")
        await self._sent.put(message)

    async def head(self) -> tuple[int, list[tuple[bytes, bytes]]]:
        """Wait for the status line and the headers."""
        message = await self._next()
        if message["type"] != "http.response.start":
            raise httpx.RemoteProtocolError("the application ended without an answer")
        return message["status"], list(message.get("headers", ()))

    async def __aiter__(self) -> AsyncIterator[bytes]:
        more = True
        while more:
            message = await self._next()
            if message["type"] == "ended":
                raise httpx.RemoteProtocolError("the application ended in the middle of its answer")
            yield message.get("body", b"")
            more = message.get("more_body", False)

    async def _next(self) -> Message:
        try:
            async with asyncio.timeout(self._idle_limit):
                message = await self._sent.get()
        except TimeoutError as error:
            raise httpx.ReadTimeout("") from error
        if message["type"] == "failed":
            cause: Exception = message["error"]
            raise httpx.RemoteProtocolError(f"the application raised {cause!r}") from cause
        return message

    async def aclose(self) -> None:
        """Tell the application that the client is gone; cancel it when it does not leave by itself."""
        self._gone.set()
        while not self._sent.empty():  # a sender waiting for room finds out too
            self._sent.get_nowait()
        try:
            await asyncio.wait([self._task], timeout=self._grace)
        finally:
            self._task.cancel()
            await asyncio.wait([self._task])
