"""A real HTTP receiver of webhooks, that verifies what it gets as `docs/notifications.md` says."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from tests.support.processes import ROOT

SNIPPET = re.search(
    r"```python\n(.*?)```", (Path(ROOT) / "docs" / "notifications.md").read_text("utf-8"), re.DOTALL
)


def verifier():
    """Return the function that the documentation shows."""
    assert SNIPPET is not None
    names: dict = {}
    exec(compile(SNIPPET[1], "docs/notifications.md", "exec"), names)
    return names["verified"]


@dataclass
class Receiver:
    """What came, and how it is answered next: a status, and 204 when nothing is said."""

    secret: str = ""
    statuses: list[int] = field(default_factory=list)
    posts: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    refused: int = 0
    elsewhere: int = 0
    port: int = 0
    open: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.open.set()
        self._verified = verifier()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in"

    @property
    def told(self) -> list[dict]:
        return [json.loads(body) for _, body in self.posts]

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.posts]

    async def take(self, request: Request) -> Response:
        body, headers = await request.body(), dict(request.headers)
        if not self._verified(headers, body, self.secret):
            self.refused += 1
            return Response(status_code=401)
        self.posts.append((headers, body))
        await self.open.wait()
        return Response(status_code=self.statuses.pop(0) if self.statuses else 204)

    async def lead_away(self, _request: Request) -> Response:
        return RedirectResponse("/elsewhere", 307)

    async def wander(self, _request: Request) -> Response:
        self.elsewhere += 1
        return Response(status_code=204)


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """Serve a receiver in this loop until the block ends."""
    receiver = Receiver()
    routes = [
        Route("/in", receiver.take, methods=["POST"]),
        Route("/away", receiver.lead_away, methods=["POST"]),
        Route("/elsewhere", receiver.wander, methods=["POST"]),
    ]
    config = uvicorn.Config(Starlette(routes=routes), port=0, log_level="error", lifespan="off")
    server = uvicorn.Server(config)
    serving = asyncio.ensure_future(server.serve())
    while not server.started:  # noqa: ASYNC110 - it has no event
        await asyncio.sleep(0.005)
    receiver.port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        receiver.open.set()
        server.should_exit = True
        await serving
