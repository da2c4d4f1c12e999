"""The embedded agent's HTTP endpoint: a run input in, a stream of AG-UI events out.

It owns the connection and nothing else: who may ask, what is a valid question, and that a turn stops when
nobody listens any more.
"""

import hmac
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Final, Literal

from ag_ui.core import PROTOCOL_VERSION, AgentCapabilities, BaseEvent
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from chat_app.agent.capabilities import CAPABILITIES
from chat_app.agent.conversation import Conversation
from chat_app.agent.desk import Desk, NotAsked
from chat_app.agent.intake import InvalidInput, read_decision, read_model_change, read_run_input
from chat_app.agent.memory import Memory, ProcessMemory
from chat_app.agent.scripted import scripted
from chat_app.agent.sse import frames
from chat_app.agent.stream import EventStream
from chat_app.agent.subagents import SubagentsAs
from chat_app.agent.switchboard import NotAtWork, Switchboard, UnknownModel
from chat_app.agent.turn import TurnFailed
from chat_app.agent.work import Mind
from chat_app.agent.worker import Events, Worker, new_outbox

logger = logging.getLogger(__name__)

KEEP_ALIVE_SECONDS: Final = 15.0
BATCH_SECONDS: Final = 0.016
"""How long fragments are collected before they are sent: about one picture of a screen (S27)."""

_NEWER: Final = "A client speaks version %r of the protocol; this agent goes on in %s."
_SENTENCES: Final = {
    404: "There is nothing here. Runs are asked for with POST on the agent's own address.",
    405: "Ask for a run with POST; the agent's capabilities are read with GET at /capabilities.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentOptions:
    """How the agent behaves, beyond what it needs to exist.

    Attributes:
        mind: Thinks up the answers; the scripted demo agent unless a model is configured.
        memory: Keeps what outlives a turn; in this process alone unless a store is given.
        capabilities: What the agent says it can do with this mind.
        switchboard: The models a person may choose among; none unless several are configured.
        permissions: ``interrupt`` ends the run with a question; ``live`` goes on while a person decides and
            takes the answer at ``POST /permissions``.
        subagents: ``events`` says SUBAGENT_*; ``custom`` says the same in CUSTOM events.
        keepalive: Seconds of silence after which a comment is sent.
        pace: Scales every pause of the scripted answers; 0 for none.
    """

    mind: Mind = scripted
    memory: Memory = field(default_factory=ProcessMemory)
    capabilities: AgentCapabilities = field(default_factory=lambda: CAPABILITIES)
    switchboard: Switchboard = field(default_factory=Switchboard)
    permissions: Literal["interrupt", "live"] = "interrupt"
    subagents: SubagentsAs = "events"
    keepalive: float = KEEP_ALIVE_SECONDS
    pace: float = 1.0


def build_agent(
    token: str,
    *,
    now: Callable[[], datetime],
    new_id: Callable[[], str],
    options: AgentOptions | None = None,
) -> Starlette:
    """Build the embedded agent as an ASGI app: ``POST /`` runs it, ``GET /capabilities`` describes it.

    Args:
        token: The bearer token every request must carry. There is no open mode.
        now: Tells the time, aware.
        new_id: Makes ids that never repeat.
        options: How it behaves.

    Raises:
        ValueError: The token is empty, which would let everybody in.
    """
    if not token:
        raise ValueError("The embedded agent needs a bearer token; an empty one would let everybody in.")
    endpoint = _endpoint(options or AgentOptions(), now, new_id)
    app = Starlette(
        routes=[
            Route("/", endpoint.run, methods=["POST"]),
            Route("/capabilities", endpoint.describe, methods=["GET"]),
            Route("/permissions", endpoint.decide, methods=["POST"]),
            Route("/model", endpoint.swap, methods=["POST"]),
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
    desk: Desk
    switchboard: Switchboard
    capabilities: AgentCapabilities
    keepalive: float

    async def describe(self, _request: Request) -> Response:
        """Say what the agent can do."""
        return Response(self.capabilities.model_dump_json(by_alias=True), media_type="application/json")

    async def run(self, request: Request) -> "EventStream[BaseEvent]":
        conversation = Conversation(await read_run_input(request))
        if conversation.is_newer:
            logger.warning(_NEWER, conversation.protocol_version, PROTOCOL_VERSION)

        async def produce(outbox: Events) -> None:
            await self.worker.work(conversation, outbox)

        return EventStream(
            produce,
            new_outbox(window=BATCH_SECONDS),
            encode=frames,
            keepalive=self.keepalive,
            name=f"run {conversation.run_id} of thread {conversation.thread_id}",
        )

    async def decide(self, request: Request) -> Response:
        """Take the answer to a question of a turn that goes on meanwhile."""
        decision = await read_decision(request)
        try:
            self.desk.answer(decision.thread_id, decision.entry)
        except NotAsked as absent:
            raise HTTPException(404, str(absent)) from absent
        except TurnFailed as refused:
            raise HTTPException(422, refused.message) from refused
        return Response(status_code=204)

    async def swap(self, request: Request) -> Response:
        """Take another model for a turn that is under way."""
        change = await read_model_change(request)
        try:
            self.switchboard.swap(change.thread_id, change.model, policy=change.policy)
        except NotAtWork as absent:
            raise HTTPException(404, str(absent)) from absent
        except UnknownModel as unknown:
            raise HTTPException(422, str(unknown)) from unknown
        return Response(status_code=204)


def _endpoint(options: AgentOptions, now: Callable[[], datetime], new_id: Callable[[], str]) -> _Endpoint:
    desk = Desk()
    worker = Worker(
        new_id=new_id,
        now=now,
        memory=options.memory,
        mind=options.mind,
        desk=desk if options.permissions == "live" else None,
        subagents=options.subagents,
        pace=options.pace,
    )
    return _Endpoint(worker, desk, options.switchboard, options.capabilities, options.keepalive)


async def _refuse(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    generic = error.detail == HTTPStatus(error.status_code).phrase
    detail = _SENTENCES.get(error.status_code, error.detail) if generic else error.detail
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
