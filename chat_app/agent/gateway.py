"""The embedded agent's HTTP endpoint: a run input in, a stream of AG-UI events out.

It owns the connection and nothing else: who may ask, what is a valid question, and that a turn stops when
nobody listens any more.
"""

import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from chat_app.agent.capabilities import CAPABILITIES
from chat_app.agent.conversation import Conversation
from chat_app.agent.intake import InvalidInput, read_run_input
from chat_app.agent.outbox import Outbox
from chat_app.agent.stream import EventStream
from chat_app.agent.worker import Worker

KEEP_ALIVE_SECONDS: Final = 15.0
_SENTENCES: Final = {
    404: "There is nothing here. Runs are asked for with POST on the agent's own address.",
    405: "Ask for a run with POST; the agent's capabilities are read with GET at /capabilities.",
}


def build_agent(
    token: str,
    *,
    now: Callable[[], datetime],
    new_id: Callable[[], str],
    keepalive: float = KEEP_ALIVE_SECONDS,
    pace: float = 1.0,
) -> Starlette:
    """Build the embedded agent as an ASGI app: ``POST /`` runs it, ``GET /capabilities`` describes it.

    Args:
        token: The bearer token every request must carry. There is no open mode.
        now: Tells the time, aware.
        new_id: Makes ids that never repeat.
        keepalive: Seconds of silence after which a comment is sent.
        pace: Scales every pause of the scripted answers; 0 for none.

    Raises:
        ValueError: The token is empty, which would let everybody in.
    """
    if not token:
        raise ValueError("The embedded agent needs a bearer token; an empty one would let everybody in.")
    endpoint = _Endpoint(Worker(new_id=new_id, now=now, pace=pace), keepalive)
    app = Starlette(
        routes=[
            Route("/", endpoint.run, methods=["POST"]),
            Route("/capabilities", _capabilities, methods=["GET"]),
        ],
        middleware=[Middleware(_BareMount), Middleware(_BearerGate, token=token)],
        exception_handlers={HTTPException: _refuse, InvalidInput: _explain, ClientDisconnect: _let_go},
    )
    app.router.redirect_slashes = False
    return app


def agent_routes(path: str, app: ASGIApp) -> tuple[BaseRoute, BaseRoute]:
    """Mount an app so that ``path`` itself reaches it too; a bare mount answers that with a redirect."""
    return Route(path, _Rooted(path, app)), Mount(path, app)


@dataclass(frozen=True, slots=True)
class _Endpoint:
    worker: Worker
    keepalive: float

    async def run(self, request: Request) -> "EventStream":
        conversation = Conversation(await read_run_input(request))

        async def produce(outbox: Outbox) -> None:
            await self.worker.work(conversation, outbox)

        name = f"run {conversation.run_id} of thread {conversation.thread_id}"
        return EventStream(produce, keepalive=self.keepalive, name=name)


async def _capabilities(_request: Request) -> Response:
    return Response(CAPABILITIES.model_dump_json(by_alias=True), media_type="application/json")


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = _SENTENCES.get(error.status_code, error.detail)
    return JSONResponse({"detail": detail}, error.status_code, headers=error.headers)


async def _explain(_request: Request, error: Exception) -> Response:
    assert isinstance(error, InvalidInput)
    return JSONResponse({"detail": error.details}, 422)


async def _let_go(_request: Request, _error: Exception) -> Response:
    """Answer a client that left while it was still sending its question: with nothing, to nobody."""
    return Response(status_code=400)


class _BearerGate:
    """Lets a request pass that carries the token; compares in constant time."""

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._expected = b"bearer " + token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or self._admits(scope):
            await self._app(scope, receive, send)
            return
        sentence = (
            "This agent needs its bearer token in the Authorization header; the one sent is missing or wrong."
        )
        refusal = JSONResponse({"detail": sentence}, 401, headers={"www-authenticate": "Bearer"})
        await refusal(scope, receive, send)

    def _admits(self, scope: Scope) -> bool:
        given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
        scheme, _, credentials = bytes(given).partition(b" ")
        presented = scheme.lower() + b" " + credentials.strip()
        return hmac.compare_digest(presented, self._expected)


class _BareMount:
    """Reads the empty path, which is what is left of a mount's own address, as the root."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] == scope.get("root_path", ""):
            scope = {**scope, "path": scope["path"] + "/"}
        await self._app(scope, receive, send)


class _Rooted:
    """Hands a request for exactly one path to an app as the request for its root."""

    def __init__(self, path: str, app: ASGIApp) -> None:
        self._path = path
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        root = scope.get("root_path", "") + self._path
        await self._app({**scope, "root_path": root}, receive, send)
